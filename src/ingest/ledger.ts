import type { NamespaceId } from '../domain/ids.js'
import type { JobMonitor } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { UsageDelta, UsageLedger } from '../ports/usage-ledger.js'
import type { ReplayedRecords } from '../ports/record-spool.js'

const FLUSH_MS = 1000
const DAY_MS = 86_400_000

/** What one request adds: `received = stored + rejected + deduplicated + dropped`. */
export type UsageCounts = Pick<UsageDelta, 'stored' | 'rejected' | 'deduplicated' | 'dropped' | 'bytes'>

type UsageEntry = { -readonly [K in keyof UsageDelta]: UsageDelta[K] }

/**
 * Counts what every namespace sent, per day and signal, in memory, and adds it to the control store each second.
 * Counts that could not be written stay and go with the next flush.
 */
export class Ledger {
  readonly #usage: UsageLedger
  readonly #clock: Clock
  readonly #job: JobMonitor
  readonly #onCount: Ledger['count']
  // Bounded by the namespaces, signals and days (at most two) that wrote since the last flush that succeeded.
  #entries = new Map<string, UsageEntry>()
  #timer: NodeJS.Timeout | undefined
  #today = { number: Number.NaN, text: '' }
  #flushing: Promise<void> = Promise.resolve()

  /** `onCount` is called with each request. */
  constructor(usage: UsageLedger, clock: Clock, job: JobMonitor, onCount: Ledger['count'] = () => undefined) {
    this.#usage = usage
    this.#clock = clock
    this.#job = job
    this.#onCount = onCount
  }

  /** Counts one request. */
  count(namespaceId: NamespaceId, signal: UsageDelta['signal'], counts: UsageCounts): void {
    this.#onCount(namespaceId, signal, counts)
    this.#add({ namespaceId, day: this.#day(), signal, ...counts })
  }

  #day(): string {
    const number = Math.floor(this.#clock.nowMs() / DAY_MS)
    if (number !== this.#today.number) this.#today = { number, text: new Date(number * DAY_MS).toISOString().slice(0, 10) }
    return this.#today.text
  }

  /** Counts records that had waited in the spool, on the day of their arrival; the bytes of their requests were counted then. */
  countReplayed(outcome: ReplayedRecords): void {
    this.#add({ ...outcome, deduplicated: 0, dropped: 0, bytes: 0 })
  }

  /** Begins to flush each second. */
  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Writes what has been counted; one flush at a time. Never rejects. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  /** Stops the timer and flushes once more. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.flush()
  }

  async #write(): Promise<void> {
    if (this.#entries.size === 0) return
    const taken = this.#entries
    this.#entries = new Map()
    try {
      await this.#usage.add([...taken.values()])
      this.#job.succeeded()
    } catch (error) {
      for (const entry of taken.values()) this.#add(entry)
      this.#job.failed(error)
    }
  }

  #add(delta: UsageDelta): void {
    const key = `${delta.namespaceId} ${delta.day} ${delta.signal}`
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      this.#entries.set(key, { ...delta })
      return
    }
    entry.stored += delta.stored
    entry.rejected += delta.rejected
    entry.deduplicated += delta.deduplicated
    entry.dropped += delta.dropped
    entry.bytes += delta.bytes
  }
}
