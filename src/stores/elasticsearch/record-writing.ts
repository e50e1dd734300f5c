import type { NamespaceId } from '../../domain/ids.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { DocumentKind } from './document/field-names.js'
import type { Generations } from './index/generations.js'
import { ownerOf } from './index/write-targets.js'
import type { Deletions } from './upkeep/deletions.js'
import type { IndexCalls } from './upkeep/index-calls.js'
import type { RecordKind } from './document/record-kinds.js'
import type { BatchWriter } from './write/batch-writer.js'

interface Deps {
  readonly writer: BatchWriter
  readonly deletions: Deletions
  readonly generations: Generations
  readonly namespaces: NamespaceDirectory
  readonly calls: IndexCalls
}

/** The writing half of the stores of all kinds. */
export class RecordWriting {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  append<Item extends { readonly index: number }>(
    ns: NamespaceId,
    batch: Batch<Item>,
    written: RecordKind<Item, unknown>
  ): Promise<AppendResult> {
    return this.#deps.writer.append(ns, batch, written)
  }

  /** Makes what was acknowledged visible, in the indices of this namespace alone. */
  async settle(ns: NamespaceId, kinds: readonly DocumentKind[]): Promise<void> {
    const { generations, namespaces, calls } = this.#deps
    const owner = ownerOf(namespaces, ns)
    const found = await Promise.all(kinds.map(kind => generations.of(owner, kind)))
    await calls.refresh(found.flat().map(({ index }) => index))
  }

  deleteBefore(ns: NamespaceId, kind: DocumentKind, timeNs: bigint): Promise<void> {
    return this.#deps.deletions.deleteBefore(ns, kind, timeNs)
  }

  dropNamespace(ns: NamespaceId, kinds: readonly DocumentKind[]): Promise<void> {
    return this.#deps.deletions.dropNamespace(ns, kinds)
  }
}
