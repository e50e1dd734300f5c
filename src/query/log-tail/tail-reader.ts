import type { Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { Position } from '../../domain/search.js'
import { ulidTimeMs } from '../../domain/ulid.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { rowBytes } from '../json-bytes.js'
import { type ArrivalPage, type ArrivalRange, Arrivals } from './arrivals.js'
import { LeftSpans } from './left-spans.js'
import {
  BACKLOG_COUNT_EVERY_MS,
  COUNT_EVERY_MS,
  LATE_GRAIN_MS,
  LATE_MS,
  MAX_DELIVERY_BYTES,
  OVERLAP_MS,
  TAIL_BOUNDS,
  type TailBounds
} from './limits.js'
import { SeenRecords } from './seen-records.js'
import type { TailState } from './tail-cursor.js'

/** New records, oldest event first, and how many others the tail left out. */
export interface TailRead {
  readonly rows: readonly StoredLog[]
  readonly dropped: number
}

/** A walk over what arrived from the mark to its start. */
interface Pass {
  readonly startedMs: number
  /** It began at the mark, not at the position of a cursor. */
  readonly isWhole: boolean
  after: Position | null
  /** Records of it, read also by an earlier socket. */
  read: number
  /** Those of them that no later pass reads again. */
  settled: number
  /** It could not remember all its records: none of them may be read again. */
  isOverfull: boolean
}

/** What a tail follows, and where it goes on. */
interface TailGiven {
  readonly ns: Namespace
  readonly filter: Filter
  readonly maxRows: number
  readonly resumed: TailState | null
  readonly bounds?: TailBounds
}

/**
 * Finds the records of one filter in the order of their arrival, by searches of the store alone, so that records of all
 * gateways come. Event times play no part: a pass reads all records that arrived since `OVERLAP_MS` before the last pass
 * began, and skips by id what was delivered. What became searchable later than that is found by counting.
 *
 * Times of arrival are in three parts. From the mark on, the next pass reads. Before it, back to the end of what is left,
 * the tail knows by id what it delivered, and can go back. Of what is left it knows the number.
 */
export class TailReader {
  readonly #arrivals: Arrivals
  readonly #clock: Clock
  readonly #maxRows: number
  readonly #bounds: TailBounds
  readonly #seen: SeenRecords
  readonly #left: LeftSpans
  #markMs: number
  #pass: Pass | null
  /** Nothing that arrived later was delivered. */
  #reachedMs: number
  /** An earlier socket delivered records that are not in `#seen`, up to `#reachedMs`: a pass has to find them first. */
  #isResuming: boolean
  #lateCountedMs: number
  #backlogCountedMs: number
  #dropped = 0

  constructor(deps: { readonly store: Pick<LogStore, 'search'>; readonly clock: Clock }, given: TailGiven) {
    const { maxRows, resumed, bounds = TAIL_BOUNDS } = given
    this.#arrivals = new Arrivals(deps, given)
    this.#clock = deps.clock
    this.#maxRows = maxRows
    this.#bounds = bounds
    this.#markMs = resumed?.markMs ?? deps.clock.nowMs()
    this.#reachedMs = resumed?.atMs ?? this.#markMs
    this.#isResuming = resumed !== null
    this.#pass = resumed?.pass ? { ...resumed.pass, isWhole: false, isOverfull: false } : null
    this.#seen = new SeenRecords(resumed?.digests)
    this.#left = new LeftSpans(resumed?.counted ?? [], this.#markMs, bounds.spans)
    this.#lateCountedMs = deps.clock.monotonicMs()
    this.#backlogCountedMs = this.#lateCountedMs
  }

  /** Where the tail is now. */
  get state(): TailState {
    const [pass, after] = [this.#pass, this.#pass?.after]
    const fromMs = pass && after ? pass.startedMs - OVERLAP_MS : this.#markMs
    return {
      markMs: this.#markMs,
      pass: pass && after ? { startedMs: pass.startedMs, after, read: pass.read, settled: pass.settled } : null,
      digests: this.#seen.digestsSince(fromMs, this.#bounds.digests),
      atMs: this.#reachedMs,
      counted: this.#left.and(this.#markMs, this.#known({ toMs: this.#markMs }))
    }
  }

  /** One page of new records. Rejects with errors of the store; nothing is lost by that, and the next call repeats the read. */
  async read(signal: AbortSignal): Promise<TailRead> {
    await this.#countLeft(signal)
    await (this.#pass ? this.#dropBacklog(signal) : this.#findLate(signal))
    const pass = (this.#pass ??= this.#newPass())
    const known = this.#seen.count(this.#markMs) + this.#seen.unmatched - pass.read
    const limit = this.#maxRows + Math.max(0, known)
    const range = { fromMs: this.#markMs, toMs: pass.startedMs + 1 }
    const page = await this.#arrivals.page(range, { limit, after: pass.after }, signal)
    // Nothing below may fail: what is taken counts as delivered.
    const rows = this.#take(pass, page)
    const dropped = this.#dropped
    this.#dropped = 0
    return { rows, dropped }
  }

  #newPass(): Pass {
    const startedMs = this.#isResuming ? this.#reachedMs : this.#clock.nowMs()
    this.#reachedMs = Math.max(this.#reachedMs, startedMs)
    return { startedMs, isWhole: true, after: null, read: 0, settled: 0, isOverfull: false }
  }

  /** The new ones among the rows, up to the bounds of a delivery. */
  #take(pass: Pass, { rows, hasMore }: ArrivalPage): readonly StoredLog[] {
    const fresh: StoredLog[] = []
    let [read, bytes] = [0, 0]
    for (const row of rows) {
      if (fresh.length >= this.#maxRows || (bytes > MAX_DELIVERY_BYTES && fresh.length > 0)) break
      read++
      if (ulidTimeMs(row.id) < pass.startedMs - OVERLAP_MS) pass.settled++
      if (!this.#isNew(pass, row)) continue
      bytes += rowBytes(row.message, row.fields, row.tags)
      fresh.push(row)
    }
    pass.read += read
    const last = rows[read - 1]
    if (last) pass.after = { timestampNs: last.timestampNs, id: last.id }
    if (read === rows.length && !hasMore) this.#endPass(pass)
    return fresh
  }

  /** Remembers the record. Within a pass none comes twice, so that one over the bound of memory is new unless it is known. */
  #isNew(pass: Pass, { id }: StoredLog): boolean {
    // A tail that does not resume drops its backlog instead.
    if (this.#isResuming && this.#seen.size >= this.#bounds.seen) pass.isOverfull = true
    return pass.isOverfull ? !this.#seen.has(id) : this.#seen.add(id)
  }

  #endPass(pass: Pass): void {
    this.#pass = null
    const nextMs = Math.max(this.#markMs, pass.isOverfull ? pass.startedMs + 1 : pass.startedMs - OVERLAP_MS)
    // The pass has read again what earlier sockets delivered, so that it knows how many records that are.
    if (pass.isOverfull || !pass.isWhole) this.#leave(nextMs, pass.isOverfull ? pass.read : pass.settled)
    this.#markMs = nextMs
    if (!pass.isWhole) return
    this.#seen.forgetDigests()
    this.#isResuming = false
    if (this.#seen.size > this.#bounds.seen) this.#leaveEarliest()
  }

  /** How many records were delivered that arrived from the end of what is left, or from `fromMs`, to before `toMs`. */
  #known({ fromMs = this.#left.endMs, toMs }: { readonly fromMs?: number; readonly toMs: number }): number {
    return this.#seen.count(fromMs, toMs)
  }

  #leave(toMs: number, count: number): void {
    this.#left.leave(toMs, count)
    this.#seen.forgetBefore(this.#left.endMs)
  }

  /** Leaves half of the records that were delivered, as far as no pass reads them again. */
  #leaveEarliest(): void {
    const toMs = Math.min(this.#markMs, this.#seen.latestFrom(this.#bounds.seen / 2))
    this.#leave(toMs, this.#known({ toMs }))
  }

  /** Goes back for records that became searchable after the passes over their time, up to `LATE_MS` after their arrival. */
  async #findLate(signal: AbortSignal): Promise<void> {
    const startMs = this.#clock.monotonicMs()
    if (this.#left.endMs >= this.#markMs || startMs - this.#lateCountedMs < COUNT_EVERY_MS) return
    // Also when the counts fail: a page comes before they are tried again.
    this.#lateCountedMs = startMs
    const oldMs = Math.min(this.#markMs, this.#clock.nowMs() - LATE_MS)
    this.#leave(oldMs, this.#known({ toMs: oldMs }))
    this.#markMs = await this.#lateFrom(signal)
  }

  /** A time before the arrival of the earliest records that were not delivered; the mark without such a record. */
  async #lateFrom(signal: AbortSignal): Promise<number> {
    let [fromMs, toMs] = [this.#left.endMs, this.#markMs]
    if (fromMs >= toMs || !(await this.#isMissing({ fromMs, toMs }, signal))) return toMs
    while (toMs - fromMs > LATE_GRAIN_MS) {
      const middleMs = Math.floor((fromMs + toMs) / 2)
      if (await this.#isMissing({ fromMs, toMs: middleMs }, signal)) toMs = middleMs
      else fromMs = middleMs
    }
    return fromMs
  }

  async #isMissing(range: ArrivalRange, signal: AbortSignal): Promise<boolean> {
    return (await this.#arrivals.count(range, signal)) > this.#known(range)
  }

  /**
   * Drops the backlog when it exceeds its limit. Not while records of an earlier socket are read again: which of those were
   * delivered is not known, and they would count as dropped.
   */
  async #dropBacklog(signal: AbortSignal): Promise<void> {
    if (this.#isResuming) return
    if (this.#isFull) this.#leaveEarliest()
    const cutMs = this.#clock.nowMs() - OVERLAP_MS
    const isDue = this.#clock.monotonicMs() - this.#backlogCountedMs >= BACKLOG_COUNT_EVERY_MS
    if (cutMs <= this.#markMs || !(this.#isFull || isDue)) return
    // From the end of what is left on: what became searchable late, before the mark, is not found any more, either.
    const counted = await this.#arrivals.count({ fromMs: this.#left.endMs, toMs: cutMs }, signal)
    this.#backlogCountedMs = this.#clock.monotonicMs()
    const delivered = this.#known({ toMs: cutMs })
    if (counted - delivered <= this.#bounds.backlog && !this.#isFull) return
    this.#dropped += Math.max(0, counted - delivered)
    this.#pass = null
    this.#markMs = cutMs
    this.#leave(cutMs, Math.max(counted, delivered))
  }

  get #isFull(): boolean {
    return this.#seen.size > this.#bounds.seen
  }

  /** Counts as dropped what became searchable in a span that was left after it was left. */
  async #countLeft(signal: AbortSignal): Promise<void> {
    const span = this.#left.due(this.#clock.nowMs())
    if (!span) return
    const searchable = await this.#arrivals.count(span, signal)
    this.#left.forgetFirst()
    this.#dropped += Math.max(0, searchable - span.count)
  }
}
