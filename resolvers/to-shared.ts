import type { ValueOf, FilterOp, Signal } from '../schema/enums.js'
import type { FacetsArgs } from '../schema/log.args.js'
import type { NumberRangeType } from '../schema/facet-choice.type.js'
import type { FieldFilterInput, TimeRangeInput } from '../schema/shared.input.js'
import type { CountType, FacetType, GridType, HistogramType, QueryStatsType, TimeWindowType } from '../schema/shared.type.js'
import type { TimeRange } from '../src/domain/time-range.js'
import type { ResultFacts, Grid, WindowBounds } from '../src/query/result.js'
import { cutsOf } from '../src/query/cuts.js'
import type { ConditionOp, FieldCondition } from '../src/query/conditions.js'
import type { FacetCounts, FacetQuery, FieldSpread, HistogramCounts } from '../src/query/log-query.js'
import { warningSentence } from '../src/domain/warning.js'

const NS_PER_MS = 1_000_000n

/** `to: "now"` is left to the use case, whose own "now" includes what was written in this nanosecond. */
export function toBounds(range: TimeRangeInput): WindowBounds {
  return { start: range.from, end: range.to == null || range.to === 'now' ? undefined : range.to }
}

/** The resolved window as GraphQL has it. */
export function toWindow(window: TimeRange): TimeWindowType {
  return { from: window.startNs, to: window.endNs }
}

/** Source of `QueryStats`: the facts of a response, and its signal. */
export interface StatsSource extends QueryStatsType {
  readonly signal: ValueOf<typeof Signal>
}

/** Cost of a query as GraphQL has it. */
export function toStats(
  facts: Omit<ResultFacts, 'window'> & { readonly window?: TimeRange },
  signal: ValueOf<typeof Signal>
): StatsSource {
  const cuts = cutsOf(facts).map(cut => ({ ...cut, signal, window: cut.window && toWindow(cut.window) }))
  return { tookMs: facts.tookMs, complete: facts.complete, warnings: facts.warnings.map(warningSentence), cuts, signal }
}

/** `relation` is `eq` for a count to the end. */
export function toCountType(total: { readonly value: number; readonly relation: 'eq' | 'gte' }): CountType {
  return { value: total.value, exact: total.relation === 'eq' }
}

/** The grid of a series as GraphQL has it. */
export function toGrid(grid: Grid): GridType {
  const stepMs = Number(grid.stepNs / NS_PER_MS)
  return { start: grid.startNs, step: stepMs, stepMs, length: grid.length }
}

/** Counts over time as GraphQL has them. */
export function toHistogram(histogram: HistogramCounts): HistogramType {
  return { grid: toGrid(histogram.grid), series: histogram.series }
}

/** What `facets` of a list requests. */
export function toFacetQueries({ fields, contains, limit, excludeSelf }: FacetsArgs): readonly FacetQuery[] {
  const rest = { contains: contains ?? undefined, limit: limit ?? undefined, excludeSelf: excludeSelf ?? undefined }
  return fields.map(field => ({ field, ...rest }))
}

/** A facet as GraphQL has it. */
export function toFacet(facet: FacetCounts): FacetType {
  return {
    field: facet.field,
    type: facet.type,
    distinct: toCountType(facet.distinct),
    buckets: facet.values,
    other: facet.other,
    missing: facet.missing
  }
}

function toOp(op: ValueOf<typeof FilterOp>): ConditionOp {
  return op === 'neq' ? 'ne' : op
}

/** The numbers of a field as GraphQL has them. */
export function toNumberRange({ percentiles, ...spread }: FieldSpread): NumberRangeType {
  const [p25, p50, p75, p95, p99] = percentiles
  return { ...spread, p25, p50, p75, p95, p99 }
}

/** Conditions as the use cases take them; values are checked there. */
export function toConditions(where: readonly FieldFilterInput[] | null | undefined): FieldCondition[] | undefined {
  return where?.map(({ field, op, value, values }) => ({ field, op: toOp(op), value: values ?? value ?? undefined }))
}
