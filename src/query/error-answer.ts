import type { StoredApmError } from '../domain/apm-error.js'
import type { Total } from '../domain/search.js'
import type { AnswerFacts, ConnectionPage, Page, WindowBounds } from './answer.js'
import type { ErrorConditions } from './conditions.js'
import type { HistogramAnswer } from './log-query.js'

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
