import type { Random } from '../../bench/generate/random.js'
import { allOf } from '../../src/domain/filter.js'
import { GatewayError } from '../../src/domain/errors.js'
import { recordId } from '../../src/domain/ids.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchRequest, SearchResult } from '../../src/domain/search.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { LATE_MS, type TailBounds } from '../../src/query/log-tail/limits.js'
import { TailCursors } from '../../src/query/log-tail/tail-cursor.js'
import { TailReader } from '../../src/query/log-tail/tail-reader.js'
import type { Clock } from '../../src/ports/clock.js'
import { EMPTY_LOG } from './empty-log.js'
import { LogRows, TAIL_NAMESPACE } from './log-rows.js'
import { ManualTime } from './manual-time.js'

/** What the model does to a tail; each chance is one in so many, 0 for never. */
export interface TailTroubles {
  /** Of a search to fail, before or after the store has read. */
  readonly failure: number
  /** Of a delivery to be lost with its socket. */
  readonly loss: number
  /** Of a pause of the client, up to 20 s. */
  readonly pause: number
  /** Of a burst of records. */
  readonly burst: number
  /** Of a batch to become searchable late, up to a few seconds before `LATE_MS` after its arrival. */
  readonly late: number
}

const MAX_ROWS = 20
const USUAL_DELAY_MS = 3_000
const LATEST_MS = LATE_MS - 5_000
const STEP_MS = 1_500
const PAUSE_MS = 20_000
/** How far clocks of gateways are from the right time. */
const SKEWS_MS: readonly number[] = [0, -900, 700]

/**
 * A tail of a store in which records become searchable at random times and in random order, and whose client loses
 * deliveries and resumes. The client knows each record by its id and adds up what was dropped, as the console does.
 */
export class TailModel {
  readonly #time = new ManualTime()
  readonly #cursors = new TailCursors('x'.repeat(32))
  readonly #random: Random
  readonly #bounds: TailBounds
  #troubles: TailTroubles
  /** Of each gateway. */
  readonly #newIds = SKEWS_MS.map((skewMs, gateway) =>
    createUlidSource(
      () => this.#time.nowMs() + skewMs,
      size => new Uint8Array(size).fill(gateway)
    )
  )
  readonly #store = new LogRows()
  readonly #delivered = new Set<string>()
  #ofSocket = new Set<string>()
  #waiting: { readonly atMs: number; readonly rows: readonly StoredLog[] }[] = []
  #reader: TailReader
  #cursor: string | null = null
  sent = 0
  dropped = 0
  /** Records that came twice over one socket. */
  repeated = 0
  longestCursor = 0
  mostRows = 0

  constructor(random: Random, bounds: TailBounds, troubles: TailTroubles) {
    this.#random = random
    this.#bounds = bounds
    this.#troubles = troubles
    this.#reader = this.#open()
    // No record that arrives from now on was given an earlier time than the start of the tail.
    this.#time.pass(2 * STEP_MS)
  }

  get delivered(): number {
    return this.#delivered.size
  }

  /** Records arrive and the tail reads, once. */
  async step(): Promise<void> {
    const { pause, burst } = this.#troubles
    this.#arrive(this.#happens(burst) ? 3 * this.#bounds.backlog : 10)
    this.#time.pass(this.#random.below(this.#happens(pause) ? PAUSE_MS : STEP_MS))
    await this.#read()
  }

  /** No records arrive and nothing fails any more, until the tail has counted everything. */
  async end(): Promise<void> {
    this.#troubles = { failure: 0, loss: 0, pause: 0, burst: 0, late: 0 }
    for (let endMs = this.#time.nowMs() + 3 * LATE_MS; this.#time.nowMs() < endMs;) {
      this.#time.pass(3_000)
      await this.#read()
    }
  }

  #happens(oneIn: number): boolean {
    return oneIn > 0 && this.#random.below(oneIn) === 0
  }

  #arrive(most: number): void {
    for (let batches = this.#random.below(4); batches > 0; batches--) {
      const id = this.#random.pick(this.#newIds)()
      const rows = Array.from({ length: this.#random.below(most) }, (_, index) => ({
        ...EMPTY_LOG,
        id: recordId(id, index),
        ingestedAtMs: this.#time.nowMs(),
        timestampNs: BigInt(this.#random.below(1_000))
      }))
      const delayMs = this.#random.below(this.#happens(this.#troubles.late) ? LATEST_MS : USUAL_DELAY_MS)
      this.#waiting.push({ atMs: this.#time.nowMs() + delayMs, rows })
      this.sent += rows.length
    }
  }

  async #read(): Promise<void> {
    this.#index()
    const read = await this.#reader.read(new AbortController().signal).catch(() => null)
    if (!read) return
    // A client without a cursor cannot resume.
    if (this.#cursor !== null && this.#happens(this.#troubles.loss)) {
      this.#reader = this.#open()
      return
    }
    for (const { id } of read.rows) {
      if (this.#ofSocket.has(id)) this.repeated++
      this.#ofSocket.add(id)
      this.#delivered.add(id)
    }
    this.dropped += read.dropped
    this.#cursor = this.#cursors.encode(TAIL_NAMESPACE.id, allOf([]), this.#reader.state)
    this.longestCursor = Math.max(this.longestCursor, this.#cursor.length)
  }

  #index(): void {
    const nowMs = this.#time.nowMs()
    for (const { atMs, rows } of this.#waiting) if (atMs <= nowMs) this.#store.all.push(...rows)
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > nowMs)
  }

  #open(): TailReader {
    this.#ofSocket = new Set()
    const filter = allOf([])
    const resumed = this.#cursor === null ? null : this.#cursors.decode(TAIL_NAMESPACE.id, filter, this.#cursor)
    const given = { ns: TAIL_NAMESPACE, filter, maxRows: MAX_ROWS, resumed, bounds: this.#bounds }
    const skewMs = this.#random.pick(SKEWS_MS)
    const clock: Clock = {
      nowMs: () => this.#time.nowMs() + skewMs,
      nowNs: () => this.#time.nowNs() + BigInt(skewMs) * 1_000_000n,
      monotonicMs: () => this.#time.monotonicMs()
    }
    return new TailReader({ store: { search: (_, request) => this.#search(request) }, clock }, given)
  }

  async #search(request: SearchRequest): Promise<SearchResult<StoredLog>> {
    const found = await this.#store.search(TAIL_NAMESPACE.id, request)
    if (this.#happens(this.#troubles.failure)) throw new GatewayError('store_unavailable', 'the store does not respond')
    this.mostRows = Math.max(this.mostRows, found.rows?.length ?? 0)
    return found
  }
}
