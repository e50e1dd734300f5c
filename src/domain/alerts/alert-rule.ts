import type { NamespaceId, UserId } from '../ids.js'
import type { Label } from '../metric-point.js'

/** How urgent an alert is. */
export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number]

/** How a value is compared with a threshold. `outside` and `inside` compare with the range from `value` to `upper`. */
export const THRESHOLD_OPS = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq', 'outside', 'inside'] as const
export type ThresholdOp = (typeof THRESHOLD_OPS)[number]

/** Which values of a condition are alerts. PromQL may compare by itself and has no threshold then. */
export interface Threshold {
  readonly op: ThresholdOp
  readonly value: number
  /** Upper bound of `outside` and `inside`; null for all others. */
  readonly upper: number | null
}

/** Aggregate of a condition on records (logs or spans); all but `count` need a field. */
export const RECORD_AGGREGATES = ['count', 'distinct', 'sum', 'avg', 'min', 'max', 'p50', 'p75', 'p90', 'p95', 'p99'] as const
export type RecordAggregate = (typeof RECORD_AGGREGATES)[number]

/** Aggregate of a condition on requests of services. Rates are per second, `error_rate` is 0 to 1, percentiles are milliseconds. */
export const TRACE_AGGREGATES = ['rate', 'error_rate', 'p50', 'p90', 'p95', 'p99'] as const
export type TraceAggregate = (typeof TRACE_AGGREGATES)[number]

/** A measure of logs or spans in the range that ends at the evaluation time. */
export interface RecordCondition<Kind extends 'logs' | 'spans' = 'logs' | 'spans'> {
  readonly kind: Kind
  /** In the search language of these records; empty matches all of them. */
  readonly query: string
  /** At most three fields. */
  readonly groupBy: readonly string[]
  readonly agg: RecordAggregate
  /** Null with `count`. Durations of spans are in nanoseconds. */
  readonly field: string | null
  /** Length of the range. */
  readonly windowMs: number
}

/** What a rule evaluates at each of its times. Each kind results in an instant vector. */
export type AlertCondition =
  | { readonly kind: 'promql'; readonly expr: string }
  | RecordCondition<'logs'>
  | RecordCondition<'spans'>
  | {
      /** Requests of services: their spans of kind server and consumer, or without a parent. */
      readonly kind: 'traces'
      readonly service: string | null
      readonly operation: string | null
      readonly agg: TraceAggregate
      readonly windowMs: number
    }
  | {
      /** Events of services in the range that ends at the evaluation time, by service, version and environment. */
      readonly kind: 'event'
      /** As in `ServiceEvent`. */
      readonly type: string
      /** Null for any. */
      readonly service: string | null
      readonly environment: string | null
      readonly windowMs: number
    }
  | {
      /** A source that sent nothing for `forMs` is an element of the vector: a named one, or one that sent within the hour before. */
      readonly kind: 'absence'
      readonly of: AbsenceSource
      readonly forMs: number
    }

/** What is missed. `query` is a series selector of PromQL, or a search for logs; null is any host or service. */
export type AbsenceSource =
  | { readonly kind: 'host'; readonly host: string | null }
  | { readonly kind: 'service'; readonly service: string | null }
  | { readonly kind: 'metric'; readonly query: string }
  | { readonly kind: 'logs'; readonly query: string }

/** State of a rule whose condition has no data at all. `ok` resolves, `keep` changes nothing. */
export const NO_DATA_POLICIES = ['nodata', 'ok', 'keep', 'firing'] as const
export type NoDataPolicy = (typeof NO_DATA_POLICIES)[number]

/** State of a rule whose evaluation failed. */
export const ON_ERROR_POLICIES = ['error', 'keep', 'firing'] as const
export type OnErrorPolicy = (typeof ON_ERROR_POLICIES)[number]

/** Rules that are evaluated together, in their order. Source: Prometheus, recording rules, `<rule_group>`. */
export interface AlertGroup {
  readonly id: string
  readonly namespaceId: NamespaceId
  /** Unique in the namespace. */
  readonly name: string
  /** Whole seconds, at least 10 s. */
  readonly intervalMs: number
  /** Instances of one rule, beyond which its evaluation fails; null for the limit of the service. */
  readonly limit: number | null
  /** How far before the evaluation time data is read; null for 0 with PromQL and 15 s with logs and spans. */
  readonly queryOffsetMs: number | null
}

/** What a user writes of a rule. Source: Prometheus, alerting rules, `<rule>`; with members of this service in addition. */
export interface AlertRuleContent {
  /** `record` writes the vector as samples of the metric `name`. */
  readonly kind: 'alert' | 'record'
  readonly name: string
  readonly condition: AlertCondition
  readonly threshold: Threshold | null
  readonly forMs: number
  readonly keepFiringForMs: number
  /** Fires when at least n of the last m evaluations had the element, then `forMs` is 0; null for every one of `forMs`. */
  readonly forNOfM: readonly [number, number] | null
  readonly noData: NoDataPolicy
  readonly onError: OnErrorPolicy
  /** Sorted by name; values are templates. */
  readonly labels: readonly Label[]
  readonly annotations: readonly Label[]
  /** The label `severity` of alerts, unless `labels` sets it; null adds no label, as in Prometheus. */
  readonly severity: AlertSeverity | null
  readonly enabled: boolean
  readonly runbookUrl: string | null
}

/** Versions of a rule that are kept, the present one included. */
export const KEPT_RULE_VERSIONS = 100

/** A stored rule. */
export interface AlertRule extends AlertRuleContent {
  readonly id: string
  readonly namespaceId: NamespaceId
  readonly groupId: string
  /** Place in its group, from 0. */
  readonly position: number
  /** From 1; grows by 1 with each change. */
  readonly version: number
  readonly updatedBy: UserId
  readonly updatedAtMs: number
}
