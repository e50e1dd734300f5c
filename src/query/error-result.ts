import type { StoredApmError } from '../domain/records/error.js'
import type { ErrorGroupState } from '../domain/error-group.js'
import type { Total } from '../domain/search.js'
import type { ErrorGroup } from '../ports/event-store.js'
import type { ResultFacts, ConnectionPage, Page, WindowBounds } from './result.js'
import type { ErrorConditions } from './conditions.js'
import type { HistogramCounts } from './log-query.js'

/** Errors of one fingerprint within the window, and what users decided about them. */
export interface ErrorGroupSummary extends ErrorGroup {
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

/** A group with what its errors have in common. */
export interface ErrorGroupResult extends ResultFacts {
  readonly group: ErrorGroupSummary
  readonly releases: readonly ErrorGroupFact[]
  readonly hosts: readonly ErrorGroupFact[]
  readonly histogram: HistogramCounts | null
  /** The newest error. */
  readonly sample: StoredApmError | null
  /** The newest that names a trace: by it the trace and its logs are found. */
  readonly traced: StoredApmError | null
}

/** Which groups of errors are requested. */
export interface ErrorGroupsQuery extends WindowBounds {
  readonly conditions: ErrorConditions
  /** Any of these; absent: all. */
  readonly states?: readonly ErrorGroupState[] | undefined
  readonly limit?: number | undefined
}

/** Groups of errors, most frequent first. */
export interface ErrorGroupsResult extends ResultFacts {
  /** Most recently seen first. */
  readonly groups: readonly ErrorGroupSummary[]
  readonly hasMore: boolean
  readonly limit: number
}

/** Which errors are requested. */
export interface ErrorEventsQuery extends WindowBounds {
  readonly conditions: ErrorConditions
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly total?: boolean | undefined
  readonly histogram?: { readonly buckets?: number | undefined } | undefined
}

/** A page of errors. */
export interface ErrorEventsResult extends ResultFacts {
  readonly rows: readonly StoredApmError[]
  readonly page: Page
  readonly connection: ConnectionPage
  cursorOf(row: StoredApmError): string
  readonly total: Total | null
  readonly histogram: HistogramCounts | null
}
