import type { DocumentCodec } from '../document/record-kinds.js'
import { recordId, type NamespaceId } from '../../../domain/ids.js'
import type { Batch } from '../../../ports/append.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import { documentId, writeAlias } from '../index/index-names.js'
import type { Piece } from './piece.js'
import { piecesOf } from './pieces-of.js'

/** The batch as documents of its index, in consecutive pieces. Yields to the event loop between them. */
export function encodeBatch<Item extends { readonly index: number }>(
  ns: NamespaceId,
  { ingestId, items }: Batch<Item>,
  { owner, index, search }: IndexGeneration,
  toDocument: DocumentCodec<Item, unknown>['toDocument']
): Promise<readonly Piece[]> {
  const head = `{"create":{"_index":"${writeAlias(index)}","_id":"`
  function* entries(): Generator<string> {
    for (const item of items) {
      const id = recordId(ingestId, item.index)
      yield `${head}${documentId(owner, ns, id)}"}}\n${toDocument(ns, id, item, search !== 'off')}\n`
    }
  }
  return piecesOf(ns, entries())
}
