import { GatewayError } from '../../../domain/errors.js'
import type { JobMonitor } from '../../../ports/background-jobs.js'
import type { Clock } from '../../../ports/clock.js'
import type { IndexCatalog, IndexGeneration, IndexKind } from '../../../ports/index-catalog.js'
import type { Owner } from './index-names.js'

/** Every gateway has reread the catalog after so long; a new generation begins later than that. */
export const REFRESH_MS = 15_000
/** How soon an unknown owner is looked up again: another gateway may have written for it first. */
const UNKNOWN_REFRESH_MS = 1_000

const NONE: readonly IndexGeneration[] = []

function keyOf(owner: Owner, kind: IndexKind): string {
  return `${kind}/${owner}`
}

/** The catalog of indices in memory: read again every `REFRESH_MS`, and when something in it proved to be old. */
export class Generations {
  readonly #catalog: IndexCatalog
  readonly #clock: Clock
  readonly #refresh: JobMonitor
  #byOwner = new Map<string, readonly IndexGeneration[]>()
  #byIndex = new Map<string, IndexGeneration>()
  #readAtMs = -Infinity
  #reading: Promise<void> | null = null

  /** `refresh` gets the outcomes of reading the catalog again. */
  constructor(catalog: IndexCatalog, clock: Clock, refresh: JobMonitor) {
    this.#catalog = catalog
    this.#clock = clock
    this.#refresh = refresh
  }

  /** Generations of an owner's kind, by number. Throws `store_unavailable` when the catalog was never read and cannot be. */
  async of(owner: Owner, kind: IndexKind): Promise<readonly IndexGeneration[]> {
    const key = keyOf(owner, kind)
    await this.#readInTime(REFRESH_MS)
    if (!this.#byOwner.has(key)) await this.#readInTime(UNKNOWN_REFRESH_MS)
    return this.#byOwner.get(key) ?? NONE
  }

  /** As `of`, as far as they are in memory. */
  known(owner: Owner, kind: IndexKind): readonly IndexGeneration[] {
    return this.#byOwner.get(keyOf(owner, kind)) ?? NONE
  }

  /** The generation of an index, if it is in memory. */
  byIndex(index: string): IndexGeneration | undefined {
    return this.#byIndex.get(index)
  }

  /** Records that the index of a generation exists. Not awaited: the next check of the indices records it, too. */
  async noteMade({ index, madeAtMs }: IndexGeneration): Promise<void> {
    if (madeAtMs !== null) return
    try {
      await this.#catalog.noteMade(index, this.#clock.nowMs())
      await this.read()
    } catch (error) {
      this.#refresh.failed(error)
    }
  }

  /** Notes that the index of a generation, which had been made, is gone. */
  async noteLost({ index }: IndexGeneration): Promise<void> {
    await this.#catalog.noteLost(index, this.#clock.nowMs())
    await this.read()
  }

  /** All of them, in no order. */
  async all(): Promise<readonly IndexGeneration[]> {
    await this.#readInTime(REFRESH_MS)
    return [...this.#byOwner.values()].flat()
  }

  /** Adds a generation unless another gateway was first; returns the stored one. */
  async add(generation: IndexGeneration): Promise<IndexGeneration> {
    const current = await this.#catalog.add(generation)
    await this.read()
    return current
  }

  /** Forgets an index that is gone. */
  async remove(index: string): Promise<void> {
    await this.#catalog.remove(index)
    await this.read()
  }

  /** Reads the catalog now. */
  async read(): Promise<void> {
    // One that is in progress may have begun before the change that the caller knows of; its failure is reported to its own callers.
    await this.#reading?.catch(() => undefined)
    await this.#readOnce()
  }

  async #readInTime(maxAgeMs: number): Promise<void> {
    if (this.#clock.monotonicMs() - this.#readAtMs < maxAgeMs) return
    try {
      await this.#readOnce()
      this.#refresh.succeeded()
    } catch (error) {
      this.#refresh.failed(error)
      // What was known goes on being used: the catalog may be down while the engine is not.
      if (this.#readAtMs === -Infinity) throw unread(error)
    }
  }

  #readOnce(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #readAll(): Promise<void> {
    const byOwner = new Map<string, IndexGeneration[]>()
    for (const generation of await this.#catalog.all()) {
      const key = keyOf(generation.owner, generation.kind)
      const known = byOwner.get(key)
      if (known) known.push(generation)
      else byOwner.set(key, [generation])
    }
    this.#byOwner = byOwner
    this.#byIndex = new Map([...byOwner.values()].flat().map(generation => [generation.index, generation]))
    this.#readAtMs = this.#clock.monotonicMs()
  }
}

function unread(cause: unknown): GatewayError {
  return new GatewayError('store_unavailable', 'the catalog of indices cannot be read', { cause })
}

/** The generation that an ingest id of this time belongs to: where it is gone, the next one that is there. */
export function pinnedAt(generations: readonly IndexGeneration[], atMs: number): IndexGeneration | null {
  const begun = generations.filter(({ fromMs }) => fromMs <= atMs)
  return begun.at(-1) ?? generations[0] ?? null
}

/** Whether a later generation takes the writes of this moment, as every gateway knows by then. */
export function isRetired(generation: IndexGeneration, generations: readonly IndexGeneration[], nowMs: number): boolean {
  return generations.some(({ number, fromMs }) => number > generation.number && fromMs + REFRESH_MS <= nowMs)
}
