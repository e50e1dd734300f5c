import type { NamespaceId, UserId } from '../ids.js'
import type { Label } from '../metric-point.js'

/** How urgent a burn-rate alert of an SLO is. Source: Google SRE Workbook, chapter 5. */
export const SLO_ALERTS = ['page', 'ticket'] as const
export type SloAlert = (typeof SLO_ALERTS)[number]

/** Lengths of the rolling window of an SLO, milliseconds. */
export const SLO_WINDOWS_MS: readonly number[] = [7, 28, 30].map(days => days * 86_400_000)

/** What an SLO counts as events, and which of them are bad. */
export type SloIndicator =
  | {
      /** PromQL that counts events. Exactly one of `good` and `bad` is set. */
      readonly kind: 'ratio'
      readonly good: string | null
      readonly bad: string | null
      readonly total: string
    }
  | {
      /** Server and consumer spans of the service; those with an error are bad. */
      readonly kind: 'availability'
      /** Null for all operations. */
      readonly operation: string | null
    }
  | {
      /** Spans of an operation of the service; those that take longer are bad. */
      readonly kind: 'latency'
      readonly operation: string
      /** An upper bound of a bucket of `span_duration_seconds`. */
      readonly thresholdMs: number
    }

/** What a user writes of a service level objective. */
export interface SloContent {
  /** Unique in the namespace. */
  readonly name: string
  readonly service: string
  readonly description: string | null
  /** Percent of events that are to be good. */
  readonly objective: number
  /** One of `SLO_WINDOWS_MS`. */
  readonly windowMs: number
  readonly indicator: SloIndicator
  /** Burn-rate alerts that are evaluated. */
  readonly alerts: readonly SloAlert[]
  /** Events in the long window of an alert below which it does not fire. */
  readonly minEvents: number
  /** Labels of all alerts; labels of one kind of alert override them. Sorted by name. */
  readonly labels: readonly Label[]
  readonly pageLabels: readonly Label[]
  readonly ticketLabels: readonly Label[]
  /** Templates, as in alert rules. */
  readonly annotations: readonly Label[]
  readonly runbookUrl: string | null
  readonly enabled: boolean
}

/** Versions of an SLO that are kept, the present one included. */
export const KEPT_SLO_VERSIONS = 100

/** A stored SLO. */
export interface Slo extends SloContent {
  readonly id: string
  readonly namespaceId: NamespaceId
  /** The group of the rules that the SLO produces. It belongs to the SLO alone. */
  readonly groupId: string
  /** From 1; grows by 1 with each change. */
  readonly version: number
  /** The version since which events are counted by the present indicator: earlier counts are not comparable. */
  readonly revision: number
  /** When that version was stored, Unix milliseconds. */
  readonly revisionSinceMs: number
  readonly updatedBy: UserId
  readonly updatedAtMs: number
}
