import type { StoredApmError } from '../domain/apm-error.js'
import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { Total } from '../domain/search.js'
import type { Clock } from '../ports/clock.js'
import type { EventStore } from '../ports/event-store.js'
import type { AnswerFacts, ConnectionPage, Page, WindowBounds } from './answer.js'
import type { ErrorConditions } from './conditions.js'
import type { CursorCodec } from './cursor.js'
import type { HistogramAnswer } from './log-query.js'
import type { QuerySettings } from './settings.js'

/** Errors of one fingerprint within the window. */
export interface ErrorGroupSummary {
  readonly fingerprint: string
  readonly service: string
  readonly type: string
  /** Of the newest error of the group. */
  readonly message: string
  readonly count: number
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
  readonly sampleId: string
}

export interface ErrorGroupsQuery extends WindowBounds {
  readonly conditions: ErrorConditions
  readonly limit?: number | undefined
}

export interface ErrorGroupsAnswer extends AnswerFacts {
  /** Most recently seen first. */
  readonly groups: readonly ErrorGroupSummary[]
  readonly hasMore: boolean
  readonly limit: number
}

export interface ErrorEventsQuery extends WindowBounds {
  readonly conditions: ErrorConditions
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly total?: boolean | undefined
  readonly histogram?: { readonly buckets?: number | undefined } | undefined
}

export interface ErrorEventsAnswer extends AnswerFacts {
  readonly rows: readonly StoredApmError[]
  readonly page: Page
  readonly connection: ConnectionPage
  cursorOf(row: StoredApmError): string
  readonly total: Total | null
  readonly histogram: HistogramAnswer | null
}

export interface ErrorReportDeps {
  readonly events: EventStore
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

/** APM errors: `GET /api/v1/apm/errors` and `exceptions` of GraphQL. The default window is 24 h. */
export class ErrorReport {
  readonly #deps: ErrorReportDeps

  constructor(deps: ErrorReportDeps) {
    this.#deps = deps
  }

  /** Groups by fingerprint. */
  async groups(_ns: Namespace, _query: ErrorGroupsQuery, _signal: AbortSignal): Promise<ErrorGroupsAnswer> {
    void this.#deps
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** Single errors, newest first; name a fingerprint for those of one group. */
  async events(_ns: Namespace, _query: ErrorEventsQuery, _signal: AbortSignal): Promise<ErrorEventsAnswer> {
    throw new GatewayError('not_implemented', 'not yet')
  }
}
