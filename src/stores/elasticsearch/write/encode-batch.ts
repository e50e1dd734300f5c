import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { recordId, type NamespaceId, type RecordId } from '../../../domain/ids.js'
import type { Batch } from '../../../ports/append.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import { documentId, writeAlias } from '../index/index-names.js'
import type { Piece } from './piece.js'

/** Characters after which a piece ends; also how much is encoded before other work gets its turn. */
const PIECE_CHARS = 256 * 1024

/** JSON text of a record's document. */
export type ToDocument<Item> = (ns: NamespaceId, id: RecordId, item: Item, hasTrigrams: boolean) => string

/** The batch as documents of its index, in pieces that follow each other. Gives way to other work between them. */
export async function encodeBatch<Item extends { readonly index: number }>(
  ns: NamespaceId,
  { ingestId, items }: Batch<Item>,
  { owner, index, search }: IndexGeneration,
  toDocument: ToDocument<Item>
): Promise<readonly Piece[]> {
  const pieces: Piece[] = []
  const head = `{"create":{"_index":"${writeAlias(index)}","_id":"`
  let text = ''
  let count = 0
  for (const item of items) {
    const id = recordId(ingestId, item.index)
    text += `${head}${documentId(owner, ns, id)}"}}\n${toDocument(ns, id, item, search !== 'off')}\n`
    count++
    if (text.length < PIECE_CHARS) continue
    pieces.push({ ns, bytes: Buffer.from(text), count })
    text = ''
    count = 0
    await yieldToEventLoop()
  }
  if (count > 0) pieces.push({ ns, bytes: Buffer.from(text), count })
  return pieces
}
