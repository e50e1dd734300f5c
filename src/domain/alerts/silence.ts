import type { NamespaceId, UserId } from '../ids.js'

/** Alerts that match do not notify between two times. */
export interface Silence {
  readonly id: string
  readonly namespaceId: NamespaceId
  /** In the text form of Alertmanager: `severity="critical"`. */
  readonly matchers: readonly string[]
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly comment: string
  readonly createdBy: UserId
  readonly updatedAtMs: number
}

/** Named times at which routes do not notify. */
export interface MuteTime {
  readonly namespaceId: NamespaceId
  /** Unique in the namespace. */
  readonly name: string
  /** JSON of the intervals as they were written. */
  readonly intervals: string
}

/** A stored routing document. */
export interface RoutingDocument {
  readonly namespaceId: NamespaceId
  /** From 1; grows by 1 with each change. */
  readonly version: number
  /** JSON. */
  readonly document: string
  readonly updatedBy: UserId
  readonly updatedAtMs: number
}
