import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { LogRecord } from '../../domain/records/log.js'
import type { Clock } from '../../ports/clock.js'
import type { PatternCatalog } from '../../ports/pattern-catalog.js'
import type { Timers } from '../../ports/timers.js'
import { BoundedMap } from '../../threads/bounded-map.js'
import type { FairScheduler } from '../fair-scheduler.js'
import { TimedSlices } from '../timed-slices.js'
import { MAX_PATTERNS, MAX_PATTERNS_IN_MEMORY } from './limits.js'
import { PatternMiner } from './pattern-miner.js'

const NS_PER_MS = 1_000_000n
/** How long logs wait for the catalogue, in milliseconds. */
export const CATALOG_WAIT_MS = 1_000
/** How long a namespace does not use its catalogue after a failure, in milliseconds. */
export const PAUSE_MS = 5_000
/** Namespaces whose pause is known. */
const MAX_PAUSES = 10_000

export interface PatternKeeperDeps {
  readonly catalog: PatternCatalog
  readonly scheduler: FairScheduler
  readonly clock: Clock
  readonly timers: Timers
  /** Chooses the keys of messages. */
  readonly seed: number
  readonly onError: (error: unknown, what: string) => void
}

/** Made when it is needed: its stack costs more than the patterns of a small batch. */
function tooLate(): GatewayError {
  return new GatewayError('store_unavailable', `the catalogue of patterns took more than ${CATALOG_WAIT_MS} ms`)
}

/** What the pattern of a log depends on, and the pattern. */
export type MinedLog = Pick<LogRecord, 'message' | 'timestampNs' | 'patternId'>

/** The miner of a namespace in memory. */
interface Mine {
  readonly miner: PatternMiner
  /** Event times of the logs with which the templates began that are not drained yet. */
  readonly firstSeenMs: number[]
  /** Resolves when everything that was drained is in the catalogue. */
  written: Promise<void>
  isWriting: number
}

/** What the miner of a namespace takes. */
interface Size {
  readonly patterns: number
  /** In templates. */
  readonly weight: number
}

/** What the keepers of patterns did since the start. */
export interface PatternCounts {
  /** Templates in memory. */
  patterns: number
  /** Logs beyond the limit of their namespace. */
  overflowed: number
  /** Logs stored without a pattern, because the catalogue failed or did not respond in time. */
  unassigned: number
}

/**
 * Gives logs the id of their pattern before they are stored. A new template is in the catalogue before the first log with
 * its id is: no stored id lacks its template. While the catalogue fails or does not respond, logs are stored without an id.
 */
export class PatternKeeper {
  readonly #deps: PatternKeeperDeps
  /** By namespace; the one that was used longest ago is first. */
  readonly #mines = new Map<NamespaceId, Promise<Mine>>()
  readonly #sizes = new Map<NamespaceId, Size>()
  readonly #pausedUntilMs = new BoundedMap<NamespaceId, number>(MAX_PAUSES)
  #patterns = 0
  #weight = 0
  #overflowed = 0
  #unassigned = 0

  constructor(deps: PatternKeeperDeps) {
    this.#deps = deps
  }

  get counts(): PatternCounts {
    return { patterns: this.#patterns, overflowed: this.#overflowed, unassigned: this.#unassigned }
  }

  /** Memory of all namespaces, in templates. */
  get weight(): number {
    return this.#weight
  }

  /** Sets `patternId` of logs that are about to be stored. Never fails. */
  async assign(ns: NamespaceId, logs: readonly MinedLog[]): Promise<void> {
    if (this.#isPaused(ns)) return this.#leaveOut(logs)
    try {
      await this.#find(ns, logs)
    } catch (error) {
      this.#leaveOut(logs)
      this.#deps.onError(error, 'log patterns')
    }
  }

  /** Sets `patternId` of logs that are stored already; null where a message has none. `store_unavailable` while the catalogue fails. */
  async find(ns: NamespaceId, logs: readonly MinedLog[]): Promise<void> {
    if (this.#isPaused(ns))
      throw new GatewayError('store_unavailable', `the catalogue of patterns failed; retry in ${PAUSE_MS} ms`)
    await this.#find(ns, logs)
  }

  #isPaused(ns: NamespaceId): boolean {
    return (this.#pausedUntilMs.peek(ns) ?? -Infinity) > this.#deps.clock.monotonicMs()
  }

  async #find(ns: NamespaceId, logs: readonly MinedLog[]): Promise<void> {
    const reading = this.#mineOf(ns)
    try {
      const mine = await this.#inTime(reading)
      await this.#mine(ns, mine, logs)
      // Another request may have read the catalogue again, or the namespace may have left memory.
      if (this.#mines.get(ns) === reading) this.#setSize(ns, { patterns: mine.miner.size, weight: mine.miner.weight })
      this.#evict(ns)
      if (mine.isWriting > 0) await this.#inTime(mine.written)
    } catch (error) {
      if (this.#mines.get(ns) === reading) this.#forget(ns)
      this.#pausedUntilMs.set(ns, this.#deps.clock.monotonicMs() + PAUSE_MS)
      throw error
    }
  }

  #leaveOut(logs: readonly MinedLog[]): void {
    for (const log of logs) log.patternId = null
    this.#unassigned += logs.length
  }

  /** A catalogue that does not respond must not delay logs beyond the timeouts of their senders. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    let cancel = (): void => undefined
    const late = new Promise<never>((_, reject) => {
      cancel = this.#deps.timers.after(CATALOG_WAIT_MS, () => reject(tooLate()))
    })
    return Promise.race([work, late]).finally(cancel)
  }

  async #mine(ns: NamespaceId, mine: Mine, logs: readonly MinedLog[]): Promise<void> {
    const { miner } = mine
    const slices = new TimedSlices(this.#deps.scheduler, this.#deps.clock)
    const before = miner.overflowed
    for (const log of logs) {
      if (slices.isOver()) await slices.next()
      log.patternId = miner.idOf(log.message)
      while (mine.firstSeenMs.length < miner.addedCount) mine.firstSeenMs.push(Number(log.timestampNs / NS_PER_MS))
    }
    this.#overflowed += miner.overflowed - before
    if (miner.hasChanges) this.#write(ns, mine)
  }

  #write(ns: NamespaceId, mine: Mine): void {
    const { added, merges } = mine.miner.drain()
    const times = mine.firstSeenMs.splice(0)
    const nowMs = this.#deps.clock.nowMs()
    // Those that a restored miner merged have no log of their own.
    const patterns = added.map(({ id, tokens, kinds }, i) => ({ id, tokens, kinds, firstSeenMs: times[i] ?? nowMs }))
    mine.isWriting++
    const written = mine.written.then(() => this.#deps.catalog.add(ns, patterns, merges))
    mine.written = written
    void written.then(
      () => mine.isWriting--,
      // Whoever assigns waits for it, and has the failure.
      () => undefined
    )
  }

  #mineOf(ns: NamespaceId): Promise<Mine> {
    const known = this.#mines.get(ns)
    const mine = known ?? this.#load(ns)
    if (known !== undefined) this.#mines.delete(ns)
    this.#mines.set(ns, mine)
    return mine
  }

  async #load(ns: NamespaceId): Promise<Mine> {
    const { patterns, merges } = await this.#deps.catalog.all(ns)
    const miner = new PatternMiner({ limit: MAX_PATTERNS, seed: this.#deps.seed })
    miner.restore(patterns, merges)
    return { miner, firstSeenMs: [], written: Promise.resolve(), isWriting: 0 }
  }

  #setSize(ns: NamespaceId, size: Size): void {
    const before = this.#sizes.get(ns)
    this.#patterns += size.patterns - (before?.patterns ?? 0)
    this.#weight += size.weight - (before?.weight ?? 0)
    this.#sizes.set(ns, size)
  }

  #forget(ns: NamespaceId): void {
    this.#mines.delete(ns)
    this.#setSize(ns, { patterns: 0, weight: 0 })
    this.#sizes.delete(ns)
  }

  /** Forgets the templates of namespaces that were used longest ago; they are read again from the catalogue. */
  #evict(inUse: NamespaceId): void {
    for (const ns of this.#mines.keys()) {
      if (this.#weight <= MAX_PATTERNS_IN_MEMORY) return
      if (ns !== inUse) this.#forget(ns)
    }
  }
}
