import { GatewayError } from '../domain/errors.js'
import type { RecordId } from '../domain/ids.js'
import type { StoredLog } from '../domain/log-record.js'
import type { Namespace } from '../domain/namespace.js'
import type { HistogramSeries, Order, Total } from '../domain/search.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { AnswerFacts, ConnectionPage, Grid, Page, WindowBounds } from './answer.js'
import type { LogConditions } from './conditions.js'
import type { CursorCodec } from './cursor.js'
import type { QuerySettings } from './settings.js'

/** Counts over time; `by` makes one series per value of a field. */
export interface HistogramQuery {
  readonly buckets?: number | undefined
  readonly by?: string | undefined
}

/** Counts per value of a field; its own conditions are taken out of the filter unless `excludeSelf` is false. */
export interface FacetQuery {
  readonly field: string
  readonly limit?: number | undefined
  readonly prefix?: string | undefined
  readonly excludeSelf?: boolean | undefined
}

/** One question about logs. Parts that are not asked for are not computed. */
export interface LogQuery extends WindowBounds {
  readonly conditions: LogConditions
  /** False: no rows at all (counts only). Default true. */
  readonly rows?: boolean | undefined
  /** Default: that of the cursor, else `desc`. */
  readonly order?: Order | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** `backward`: the page that ends before the cursor (or at the end of the list), rows still in `order`. */
  readonly direction?: 'forward' | 'backward' | undefined
  readonly total?: boolean | undefined
  readonly histograms?: readonly HistogramQuery[] | undefined
  readonly facets?: readonly FacetQuery[] | undefined
}

export interface HistogramAnswer {
  readonly grid: Grid
  readonly series: readonly HistogramSeries[]
}

export interface FacetAnswer {
  /** As it was asked for. */
  readonly field: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly distinct: Total
  readonly values: readonly {
    readonly value: string
    readonly count: number
    readonly lastSeenNs: bigint
    /** The request's own filter already selects the value. */
    readonly selected: boolean
  }[]
  /** Rows in values that are not listed; exact. */
  readonly other: number
  /** Rows without the field; exact. */
  readonly missing: number
}

/** Answer to a `LogQuery`; `histograms` and `facets` stand in the order of the question. */
export interface LogAnswer extends AnswerFacts {
  readonly rows: readonly StoredLog[]
  readonly page: Page
  readonly connection: ConnectionPage
  /** The cursor of a row of this answer. */
  cursorOf(row: StoredLog): string
  readonly total: Total | null
  readonly histograms: readonly HistogramAnswer[]
  readonly facets: readonly FacetAnswer[]
}

/** Everything that matches, page after page; `facts` holds before the first page. */
export interface LogStream {
  readonly facts: Omit<AnswerFacts, 'tookMs'>
  readonly pages: AsyncIterable<readonly StoredLog[]>
}

export interface LogSearchDeps {
  readonly logs: LogStore
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

/** Searches logs: the use case under endpoint 5 and under the field `logs` of GraphQL. Retention holds at reading. */
export class LogSearch {
  readonly #deps: LogSearchDeps

  constructor(deps: LogSearchDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`. */
  async search(_ns: Namespace, _query: LogQuery, _signal: AbortSignal): Promise<LogAnswer> {
    void this.#deps
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** As `search`, for all rows; each page must come within the time limit. `limit` and `cursor` are not used. */
  stream(_ns: Namespace, _query: LogQuery, _signal: AbortSignal): LogStream {
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** Null for an unknown id, one of another namespace and one past the retention. */
  async get(_ns: Namespace, _id: string): Promise<StoredLog | null> {
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** The lines before and after a log from the same service and host, oldest first, the log itself left out. */
  async surrounding(
    _ns: Namespace,
    _log: StoredLog & { readonly id: RecordId },
    _count: { readonly before: number; readonly after: number },
    _signal: AbortSignal
  ): Promise<readonly StoredLog[]> {
    throw new GatewayError('not_implemented', 'not yet')
  }
}
