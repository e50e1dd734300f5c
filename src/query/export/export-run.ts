import type { Filter } from '../../domain/filter.js'
import type { Namespace, RetainedSignal } from '../../domain/namespace.js'
import type { Order, Position, SearchResult } from '../../domain/search.js'
import type { ResolvedWindow, TimeRange } from '../../domain/time-range.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { ReadWindow } from '../read-window.js'
import { timedPages } from '../timed-pages.js'

/** A page of a search. */
type FoundRows<Row> = Pick<SearchResult<Row>, 'rows' | 'hasMore' | 'complete' | 'warnings'>

/** The rows of one signal. */
export interface ExportedRecords<Row extends Position, Conditions> {
  readonly signal: RetainedSignal
  readonly filterOf: (conditions: Conditions) => Filter
  readonly search: (...requested: Parameters<LogStore['search']>) => Promise<FoundRows<Row>>
  /** About how many bytes a row takes as JSON. */
  readonly bytesOf: (row: Row) => number
  /** What is known to be missing from such a search before it begins. */
  readonly missing: (ns: Namespace, search: { readonly filter: Filter; readonly range: TimeRange }) => Promise<readonly Warning[]>
}

/** Bounds of an export. */
export interface ExportLimits {
  readonly maxRows: number
  /** Milliseconds after which no further page is read. */
  readonly maxMs: number
  /** Milliseconds that a single page may take. */
  readonly pageMs: number
}

/** Which rows an export reads. */
interface RunRequest {
  readonly ns: Namespace
  readonly filter: Filter
  readonly window: ReadWindow
  readonly order: Order
  readonly limit: number
}

/** What an export has given out, and whether that is all that matches. */
export interface ExportFacts {
  readonly rows: number
  readonly window: ResolvedWindow
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** Rows of the first page, and of any. A page of a search store comes whole, however large its rows are. */
const FIRST_PAGE_ROWS = 200
const MAX_PAGE_ROWS = 2_000
const PAGE_BYTES = 4 * 1024 * 1024

/** Rows of a page that has about `PAGE_BYTES` if its rows are like these. */
function pageRowsAfter(rows: number, bytes: number): number {
  return Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor((rows * PAGE_BYTES) / Math.max(bytes, 1))))
}

/** One export. Each page is a search of its own, so that a slow reader holds nothing in a store. */
export class ExportRun<Row extends Position> {
  readonly #records: Pick<ExportedRecords<Row, never>, 'search' | 'bytesOf' | 'missing'>
  readonly #request: RunRequest
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #limits: ExportLimits
  readonly #warnings: Warning[]
  #rows = 0

  constructor(
    records: Pick<ExportedRecords<Row, never>, 'search' | 'bytesOf' | 'missing'>,
    request: RunRequest,
    deps: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly limits: ExportLimits }
  ) {
    this.#records = records
    this.#request = request
    this.#clock = deps.clock
    this.#limits = deps.limits
    this.#warnings = [...request.window.warnings]
  }

  /** What the pages that were read so far amount to. */
  get facts(): ExportFacts {
    const warnings = distinctWarnings(this.#warnings)
    return { rows: this.#rows, window: this.#request.window.requested, complete: warnings.length === 0, warnings }
  }

  /** The pages, in order; none is read before it is requested. To be called once. */
  pages(signal: AbortSignal): AsyncIterable<readonly Row[]> {
    return timedPages(inner => this.#pages(inner), signal, this.#limits.pageMs)
  }

  async *#pages(signal: AbortSignal): AsyncGenerator<readonly Row[], void> {
    const { ns, filter, window, order, limit } = this.#request
    const { range } = window
    const endsMs = this.#clock.monotonicMs() + this.#limits.maxMs
    this.#warnings.push(...(await this.#records.missing(ns, { filter, range })))
    let after: Position | null = null
    let pageRows = FIRST_PAGE_ROWS
    for (;;) {
      const page = { limit: Math.min(pageRows, limit - this.#rows), order, maxBytes: PAGE_BYTES, ...(after && { after }) }
      const { rows = [], hasMore, complete, warnings } = await this.#records.search(ns.id, { range, filter, rows: page }, signal)
      if (!complete) this.#warnings.push(...warnings)
      this.#rows += rows.length
      const last = rows.at(-1)
      if (!last) return
      yield rows
      if (hasMore !== true) return
      const bound = this.#boundReached(endsMs)
      if (bound !== null) {
        this.#warnings.push(bound)
        return
      }
      after = { timestampNs: last.timestampNs, id: last.id }
      pageRows = pageRowsAfter(rows.length, this.#bytesOf(rows))
    }
  }

  #bytesOf(rows: readonly Row[]): number {
    return rows.reduce((sum, row) => sum + this.#records.bytesOf(row), 0)
  }

  #boundReached(endsMs: number): string | null {
    const { limit } = this.#request
    if (this.#rows >= limit) return `the limit of ${limit} rows was reached; use a shorter window or a higher limit`
    if (this.#clock.monotonicMs() < endsMs) return null
    return `the time limit of ${this.#limits.maxMs / 1000} s was reached; use a shorter window`
  }
}
