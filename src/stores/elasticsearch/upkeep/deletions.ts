import type { NamespaceId } from '../../../domain/ids.js'
import type { Clock } from '../../../ports/clock.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'
import type { DocumentKind } from '../document/field-names.js'
import type { DeletionMarks } from '../index/deletion-marks.js'
import { deletedError, type DroppedNamespaces } from '../index/dropped-namespaces.js'
import { isRetired, type Generations } from '../index/generations.js'
import { isPool, poolOf } from '../index/index-names.js'
import { ofNamespace, timeBound } from '../index/manifest-targets.js'
import { ownerOf } from '../index/write-targets.js'
import type { BulkQueue } from '../write/bulk-queue.js'
import type { IndexCalls } from './index-calls.js'
import type { DocumentRemover } from './remove-documents.js'
import type { Roller } from './roller.js'

interface Deps {
  readonly generations: Generations
  readonly namespaces: NamespaceDirectory
  readonly dropped: DroppedNamespaces
  readonly marks: DeletionMarks
  readonly queue: BulkQueue
  readonly calls: IndexCalls
  readonly remover: DocumentRemover
  readonly roller: Roller
  readonly clock: Clock
}

const HOUR_NS = 3_600_000_000_000n
/** More documents than these are left hidden if their whole index is to go within `SOON_NS`. */
const MANY_DOCUMENTS = 100_000
const SOON_NS = 36n * HOUR_NS
/** An index that stays empty for so long is given up. */
const EMPTY_AGE_MS = 86_400_000

/** Retention and the end of namespaces: whole indices by name where all of it goes, else documents. */
export class Deletions {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** As `LogStore.deleteBefore`. What is hidden from reads but not removed is removed by a later call. */
  async deleteBefore(ns: NamespaceId, kind: DocumentKind, timeNs: bigint): Promise<void> {
    const { generations, namespaces, dropped, marks } = this.#deps
    if (timeNs <= 0n || dropped.has(ns)) return
    const mark = marks.raise(ns, kind, timeNs)
    await generations.read()
    const owner = ownerOf(namespaces, ns)
    const found = await generations.of(owner, kind)
    const hidden: string[] = []
    if (isPool(owner)) await this.#removeBefore(ns, found, timeNs)
    else {
      for (const generation of found) if (!(await this.#deleteFrom(ns, generation, found, timeNs))) hidden.push(generation.index)
    }
    marks.settle(ns, kind, mark, hidden)
  }

  /** As `LogStore.dropNamespace`, for some kinds. */
  async dropNamespace(ns: NamespaceId, kinds: readonly DocumentKind[]): Promise<void> {
    const { generations, dropped, queue, remover } = this.#deps
    dropped.add(ns)
    await queue.withdraw(ns, deletedError(ns))
    await generations.read()
    for (const kind of kinds) {
      await this.dropIndices(await generations.of(ns, kind))
      const pool = await generations.of(poolOf(ns), kind)
      await remover.remove(
        pool.map(({ index }) => index),
        ofNamespace(ns)
      )
    }
  }

  /** Deletes indices and then forgets them. */
  async dropIndices(found: readonly IndexGeneration[]): Promise<void> {
    const { generations, calls } = this.#deps
    const names = found.map(({ index }) => index)
    await calls.remove(names)
    for (const name of names) await generations.remove(name)
    // Another gateway may have created one again as long as the catalog still named it.
    await calls.remove(names)
  }

  /** False when what is old was left where it is. */
  async #deleteFrom(
    ns: NamespaceId,
    generation: IndexGeneration,
    all: readonly IndexGeneration[],
    timeNs: bigint
  ): Promise<boolean> {
    const { clock, calls, roller } = this.#deps
    const nowMs = clock.nowMs()
    if (isRetired(generation, all, nowMs)) {
      if (await this.#deleteWhole(generation, timeNs)) return true
      if (await this.#isGoneSoon(generation, timeNs)) return false
      await this.#removeBefore(ns, [generation], timeNs)
      return true
    }
    await this.#removeBefore(ns, [generation], timeNs)
    const isOld = nowMs - generation.createdAtMs >= EMPTY_AGE_MS && generation === all.at(-1)
    if (isOld && (await calls.count(generation.index, { match_all: {} }, 1)) === 0) await roller.roll(generation)
    return true
  }

  #removeBefore(ns: NamespaceId, from: readonly IndexGeneration[], timeNs: bigint): Promise<void> {
    const query = { bool: { filter: [ofNamespace(ns), timeBound('lt', timeNs)] } }
    return this.#deps.remover.remove(
      from.map(({ index }) => index),
      query
    )
  }

  /** Deletes the index of a generation that takes no more writes, if all in it is old. */
  async #deleteWhole(generation: IndexGeneration, timeNs: bigint): Promise<boolean> {
    const { calls } = this.#deps
    const { index } = generation
    const isNewer = timeBound('gte', timeNs)
    if ((await calls.count(index, isNewer, 1)) > 0) {
      // What an attempt left behind that ended in between.
      if (await calls.isBlocked(index)) await calls.unblock(index)
      return false
    }
    // A replay of the last moment would be lost with it: none gets in between the last look and the deletion.
    const isThere = await calls.block(index)
    if (isThere) {
      await calls.refresh([index])
      if ((await calls.count(index, isNewer, 1)) > 0) {
        await calls.unblock(index)
        return false
      }
    }
    await this.dropIndices([generation])
    return true
  }

  /** Whether so much of the index is old, and all of it so soon, that removing documents one by one would be waste. */
  async #isGoneSoon({ index }: IndexGeneration, timeNs: bigint): Promise<boolean> {
    const { calls } = this.#deps
    if ((await calls.count(index, timeBound('lt', timeNs), MANY_DOCUMENTS)) < MANY_DOCUMENTS) return false
    return (await calls.count(index, timeBound('gte', timeNs + SOON_NS), 1)) === 0
  }
}
