import type { StoredApmError } from '../domain/apm-error.js'
import type { ErrorGroupState } from '../domain/error-group.js'
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
  readonly state: ErrorGroupState
  /** When and by whom it was decided; null for a group about which nothing was. */
  readonly decidedAtMs: number | null
  readonly decidedBy: string | null
}

/** A value of a tag in the errors of a group, most errors first. */
export interface ErrorGroupFact {
  readonly value: string
  readonly count: number
  readonly lastSeenNs: bigint
}

export interface ErrorGroupAnswer extends AnswerFacts {
  readonly group: ErrorGroupSummary
  readonly releases: readonly ErrorGroupFact[]
  readonly hosts: readonly ErrorGroupFact[]
  readonly histogram: HistogramAnswer | null
  /** The newest error. */
  readonly sample: StoredApmError | null
  /** The newest that names a trace: by it the trace and its logs are found. */
  readonly traced: StoredApmError | null
}

export interface ErrorGroupsQuery extends WindowBounds {
  readonly conditions: ErrorConditions
  /** Any of these; absent: all. */
  readonly states?: readonly ErrorGroupState[] | undefined
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
