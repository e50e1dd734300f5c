import { allOf, type Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { Position, SearchResult } from '../../domain/search.js'
import { firstUlidAt, ulidTimeMs } from '../../domain/ulid.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { rowBytes } from '../json-bytes.js'
import { wholeRetention } from '../read-window.js'
import {
  BACKLOG_COUNT_EVERY_MS,
  COUNT_EVERY_MS,
  LATE_MS,
  MAX_BACKLOG_ROWS,
  MAX_CURSOR_RECORDS,
  MAX_CURSOR_SPANS,
  MAX_DELIVERY_BYTES,
  MAX_READ_BYTES,
  MAX_SEEN,
  OVERLAP_MS
} from './limits.js'
import { digestOf, SeenRecords } from './seen-records.js'
import type { CountedSpan, TailState } from './tail-cursor.js'

/** New records, oldest event first, and how many others the tail left out. */
export interface TailRead {
  readonly rows: readonly StoredLog[]
  readonly dropped: number
}

interface Pass {
  /** When it began, or its bound when that is earlier. */
  readonly startedMs: number
  /** It reads what arrived before; null for no bound. */
  readonly toMs: number | null
  /** It began at the mark, not at the position of a cursor. */
  readonly isWhole: boolean
  after: Position | undefined
  /** Records of it, read also by an earlier socket, that no later pass reads again. */
  settled: number
}

/** What nothing reads again: before a dropped backlog, before what the tail remembers, or of an earlier socket. */
interface Cut extends CountedSpan {
  /** When it is counted again, by the monotonic clock. */
  readonly dueMs: number
}

/** How many of the rows of a pass no later pass reads again. */
function settledOf(rows: readonly StoredLog[], startedMs: number): number {
  return rows.filter(({ id }) => ulidTimeMs(id) < startedMs - OVERLAP_MS).length
}

/** The condition that a log arrived from `fromMs` to before `toMs`, Unix milliseconds. */
function arrived(fromMs: number, toMs?: number): Filter {
  const bounds = { gte: firstUlidAt(fromMs), ...(toMs === undefined ? {} : { lt: firstUlidAt(toMs) }) }
  return { kind: 'range', field: { in: 'known', name: 'ingest_id' }, ...bounds }
}

/**
 * Finds the records of one filter in the order of their arrival, by searches of the store alone, so that records of all
 * gateways come. Event times play no part: a pass reads all records that arrived since `OVERLAP_MS` before the last pass
 * began, and records it has delivered are skipped by id. What became searchable later than that is found by counting.
 */
export class TailReader {
  readonly #store: Pick<LogStore, 'search'>
  readonly #clock: Clock
  readonly #ns: Namespace
  readonly #filter: Filter
  readonly #maxRows: number
  readonly #seen: SeenRecords
  #markMs: number
  /** Records that arrived before are no longer counted. */
  #floorMs: number
  #pass: Pass | null
  #countedMs: number
  #dropped = 0
  readonly #cuts: Cut[]
  /** What an earlier socket delivered arrived before. Null once a pass has read everything that arrived before. */
  #resumedMs: number | null
  /** Of the pass that is continued: what an earlier socket read and no later pass reads again. */
  readonly #resumedSettled: number
  /** Records that an earlier socket delivered, which arrived from the floor to before `beforeMs`, and are not in `#seen`. */
  #earlier: { readonly count: number; readonly beforeMs: number } | null = null

  constructor(
    deps: { readonly store: Pick<LogStore, 'search'>; readonly clock: Clock },
    given: { readonly ns: Namespace; readonly filter: Filter; readonly maxRows: number; readonly resumed: TailState | null }
  ) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#ns = given.ns
    this.#filter = given.filter
    this.#maxRows = given.maxRows
    const { resumed } = given
    this.#markMs = resumed?.markMs ?? deps.clock.nowMs()
    this.#floorMs = this.#markMs
    this.#resumedMs = resumed === null ? null : resumed.atMs + 1
    this.#pass = resumed?.pass ? { ...resumed.pass, isWhole: false, toMs: this.#resumedMs } : null
    this.#resumedSettled = resumed?.pass?.settled ?? 0
    this.#seen = new SeenRecords(resumed?.digests)
    this.#countedMs = deps.clock.monotonicMs()
    this.#cuts = (resumed?.counted ?? []).map(span => this.#cutOf(span))
  }

  /** Where the tail is now. */
  get state(): TailState {
    const after = this.#pass?.after
    const pass = this.#pass && after ? { startedMs: this.#pass.startedMs, after, settled: this.#pass.settled } : null
    const fromMs = pass ? pass.startedMs - OVERLAP_MS : this.#markMs
    const digests = this.#seen.since(fromMs, MAX_CURSOR_RECORDS).map(digestOf)
    return { markMs: this.#markMs, pass, digests, atMs: this.#clock.nowMs(), counted: this.#counted() }
  }

  /** What a tail that resumes counts once more: it no longer knows which records were delivered, but how many. */
  #counted(): readonly CountedSpan[] {
    const [fromMs, toMs] = [this.#floorMs, this.#markMs]
    const delivered = fromMs < toMs ? [{ fromMs, toMs, count: this.#deliveredSinceFloor }] : []
    return [...this.#cuts, ...delivered].slice(-MAX_CURSOR_SPANS)
  }

  get #deliveredSinceFloor(): number {
    return this.#seen.count(this.#floorMs, this.#markMs) + (this.#earlier?.count ?? 0)
  }

  /** One page of new records. Rejects with errors of the store; nothing is lost by that, and the next call repeats the read. */
  async read(signal: AbortSignal): Promise<TailRead> {
    await this.#recountCut(signal)
    await (this.#pass ? this.#cutBacklog(signal) : this.#findLate(signal))
    const pass = (this.#pass ??= this.#newPass())
    const known = pass.after ? 0 : this.#seen.count(this.#markMs) + this.#seen.unmatched
    const rows = {
      limit: this.#maxRows + known,
      order: 'asc',
      maxBytes: MAX_READ_BYTES,
      ...(pass.after && { after: pass.after })
    } as const
    const found = await this.#search({ rows, from: this.#markMs, ...(pass.toMs !== null && { to: pass.toMs }) }, signal)
    // Nothing below may fail: what is taken counts as delivered.
    const { fresh, read } = this.#take(found.rows!)
    const last = found.rows![read - 1]
    pass.settled += settledOf(found.rows!.slice(0, read), pass.startedMs)
    if (read < found.rows!.length || found.hasMore === true) pass.after = last && { timestampNs: last.timestampNs, id: last.id }
    else this.#endPass(pass)
    const dropped = this.#dropped
    this.#dropped = 0
    return { rows: fresh, dropped }
  }

  #newPass(): Pass {
    const startedMs = Math.min(this.#clock.nowMs(), this.#resumedMs ?? Number.POSITIVE_INFINITY)
    return { startedMs, toMs: this.#resumedMs, isWhole: true, after: undefined, settled: 0 }
  }

  /** The new ones among the rows, up to the bounds of a delivery, and how many rows that takes. */
  #take(rows: readonly StoredLog[]): { readonly fresh: readonly StoredLog[]; readonly read: number } {
    const fresh: StoredLog[] = []
    let bytes = 0
    for (const [i, row] of rows.entries()) {
      if (fresh.length >= this.#maxRows || (bytes > MAX_DELIVERY_BYTES && fresh.length > 0)) return { fresh, read: i }
      if (!this.#seen.add(row.id)) continue
      bytes += rowBytes(row.message, row.fields, row.tags)
      fresh.push(row)
    }
    return { fresh, read: rows.length }
  }

  #cutOf(span: CountedSpan): Cut {
    return { ...span, dueMs: this.#clock.monotonicMs() + LATE_MS }
  }

  /** Leaves what arrived since the floor and before `toMs` to be counted once more: nothing reads it again. */
  #cut(toMs: number, count: number): void {
    const span = { fromMs: this.#floorMs, toMs, count }
    const last = this.#cuts.at(-1)
    const isFull = this.#cuts.length >= MAX_CURSOR_SPANS
    if (isFull && last?.toMs === span.fromMs) {
      this.#cuts[this.#cuts.length - 1] = this.#cutOf({ fromMs: last.fromMs, toMs, count: last.count + count })
    } else this.#cuts.push(this.#cutOf(span))
    this.#raiseFloor(toMs)
  }

  #endPass({ startedMs, isWhole }: Pass): void {
    this.#pass = null
    this.#markMs = Math.max(this.#markMs, startedMs - OVERLAP_MS)
    if (isWhole) {
      this.#seen.forgetDigests()
      this.#resumedMs = null
    } else this.#earlier = { count: this.#resumedSettled, beforeMs: this.#markMs }
    if (this.#seen.size > MAX_SEEN) this.#forgetEarliest()
    else this.#raiseFloor(startedMs - LATE_MS)
  }

  /** Forgets half of the records that were delivered. */
  #forgetEarliest(): void {
    const { count = 0, beforeMs = 0 } = this.#earlier ?? {}
    const toMs = Math.max(Math.min(this.#markMs, this.#seen.latestFrom(MAX_SEEN / 2)), beforeMs)
    if (toMs > this.#floorMs) this.#cut(toMs, this.#seen.count(this.#floorMs, toMs) + count)
  }

  #raiseFloor(toMs: number): void {
    if (toMs <= this.#floorMs) return
    // How many of the records in `#earlier` arrived before the new floor is not known: it goes past all of them.
    this.#floorMs = Math.max(toMs, this.#earlier?.beforeMs ?? 0)
    this.#earlier = null
    this.#seen.forgetBefore(this.#floorMs)
  }

  /** Goes back for records that became searchable after the passes over their time. */
  async #findLate(signal: AbortSignal): Promise<void> {
    if (this.#floorMs >= this.#markMs || !this.#isCountDue(COUNT_EVERY_MS)) return
    const searchable = await this.#count(this.#floorMs, this.#markMs, signal)
    if (searchable > this.#deliveredSinceFloor) this.#goBack()
  }

  #goBack(): void {
    this.#markMs = this.#floorMs
    this.#earlier = null
  }

  /**
   * Drops the backlog when it exceeds its limit. Not while records of an earlier socket are read again: which of those were
   * delivered is not known, and they would count as dropped.
   */
  async #cutBacklog(signal: AbortSignal): Promise<void> {
    const cutMs = this.#clock.nowMs() - OVERLAP_MS
    const isFull = this.#seen.size > MAX_SEEN
    if (cutMs <= this.#markMs || !(isFull || (this.#resumedMs === null && this.#isCountDue(BACKLOG_COUNT_EVERY_MS)))) return
    // From the floor on: what became searchable late, behind the mark, is not found any more, either.
    const counted = await this.#count(this.#floorMs, cutMs, signal)
    const backlog = counted - this.#deliveredSinceFloor - this.#seen.count(this.#markMs, cutMs)
    if (backlog <= MAX_BACKLOG_ROWS && !isFull) return
    this.#dropped += Math.max(0, backlog)
    this.#pass = null
    this.#markMs = cutMs
    this.#resumedMs = null
    this.#seen.forgetDigests()
    this.#cut(cutMs, counted)
  }

  /** Counts as dropped what became searchable after its backlog was dropped, or behind an earlier socket. */
  async #recountCut(signal: AbortSignal): Promise<void> {
    const [cut] = this.#cuts
    if (!cut || this.#clock.monotonicMs() < cut.dueMs) return
    const searchable = await this.#count(cut.fromMs, cut.toMs, signal)
    this.#cuts.shift()
    this.#dropped += Math.max(0, searchable - cut.count)
  }

  #isCountDue(everyMs: number): boolean {
    return this.#clock.monotonicMs() - this.#countedMs >= everyMs
  }

  async #count(from: number, to: number, signal: AbortSignal): Promise<number> {
    const { total } = await this.#search({ total: true, from, to }, signal)
    this.#countedMs = this.#clock.monotonicMs()
    return total?.value ?? 0
  }

  #search(
    { from, to, ...parts }: { from: number; to?: number; total?: true; rows?: { limit: number; order: 'asc'; after?: Position } },
    signal: AbortSignal
  ): Promise<SearchResult<StoredLog>> {
    const place = { namespace: this.#ns, signal: 'logs', nowNs: this.#clock.nowNs() } as const
    const { range } = wholeRetention(place)
    return this.#store.search(this.#ns.id, { range, filter: allOf([arrived(from, to), this.#filter]), ...parts }, signal)
  }
}
