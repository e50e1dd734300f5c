import type { NamespaceId, UserId } from './ids.js'
import type { MetricFacts } from './metric-facts.js'

/** What a saved measure computes of the records of each step. */
export const SAVED_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max', 'histogram'] as const
/** One of `SAVED_FUNCTIONS`. */
export type SavedFunction = (typeof SAVED_FUNCTIONS)[number]

/** A measure over fields of logs or spans that becomes series of metrics under its name. */
export interface SavedMeasureContent {
  /** Name of the metric; unique in the namespace. */
  readonly name: string
  /** Help of the metric; empty without one. */
  readonly description: string
  readonly signal: 'logs' | 'spans'
  /** Search language of the signal; empty for all records. */
  readonly query: string
  readonly fn: SavedFunction
  /** Null for the number of records. */
  readonly field: string | null
  /** At most three fields, which become labels. */
  readonly groupBy: readonly string[]
  /** Length of a step, milliseconds. Steps begin at multiples of it since 1970. */
  readonly stepMs: number
  /** Upper bounds of the buckets of a histogram, ascending; empty otherwise. */
  readonly bounds: readonly number[]
}

/** A range of past steps that is computed on request. Unix milliseconds, multiples of the step. */
export interface Backfill {
  readonly fromMs: number
  /** What is before it is done. */
  readonly nextMs: number
  readonly untilMs: number
}

/**
 * How far a measure is computed. Steps before `countedMs` have samples; those before `checkedMs` and `settledMs` were computed
 * again for records that came late. Unix milliseconds, multiples of the step.
 */
export interface MeasureProgress {
  readonly countedMs: number
  readonly checkedMs: number
  readonly settledMs: number
  /** The latest requested; null when none was. */
  readonly backfill: Backfill | null
  /** Why the next steps could not be computed yet; null when they could. */
  readonly error: string | null
  /** The latest step whose samples lack something, and what; null when none did. */
  readonly incomplete: { readonly atMs: number; readonly detail: string } | null
}

/** A stored measure. */
export interface SavedMeasure extends SavedMeasureContent, MeasureProgress {
  readonly id: string
  readonly namespaceId: NamespaceId
  /** Grows with each write. */
  readonly version: number
  /** When its next step is to be computed, Unix milliseconds. */
  readonly dueMs: number
  readonly createdBy: UserId
  readonly createdAtMs: number
}

/** No measure is due later than so long from now, unless a clock ran ahead: steps have at most an hour. */
export const LATEST_DUE_MS = 7_200_000

/** Whether a measure is to be computed now. */
export function isDue({ dueMs }: Pick<SavedMeasure, 'dueMs'>, nowMs: number): boolean {
  return dueMs <= nowMs || dueMs > nowMs + LATEST_DUE_MS
}

/** Names of the metrics that a measure writes. */
export function metricNames({ name, fn }: Pick<SavedMeasureContent, 'name' | 'fn'>): readonly string[] {
  if (fn === 'avg') return [`${name}_sum`, `${name}_count`]
  return fn === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}

/** What is stated about the metrics of a measure: a sample is the value of its step, not of a counter. */
export function metricFacts(measure: Pick<SavedMeasureContent, 'name' | 'fn' | 'description'>): readonly MetricFacts[] {
  return metricNames(measure).map(name => ({ name, kind: 'gauge', help: measure.description, unit: '' }))
}
