import type { TraceFilterInput } from '../schema/trace.args.js'
import type {
  DurationHeatmapType,
  DurationHistogramType,
  OperationComparisonType,
  OperationTotalsType,
  ServiceSpanCountType,
  TracePointsType,
  TraceSummaryType
} from '../schema/trace.type.js'
import type { ServiceSpans, TraceSummary } from '../src/domain/span.js'
import type { OperationComparison, OperationTotals } from '../src/query/traces/compare-traces.js'
import type { TraceConditionsInput } from '../src/query/traces/trace-conditions.js'
import type { DurationHeatmap } from '../src/query/traces/duration-heatmap.js'
import type { DurationHistogram, TracePoints } from '../src/query/traces/trace-query.js'
import { toConditions, toGrid } from './to-shared.js'

const NS_PER_MS = 1e6

/** A length of time as GraphQL shows it. */
export function toMs(ns: bigint | number): number {
  return Number(ns) / NS_PER_MS
}

/** The text of a length of time, exact to the nanosecond. */
function toDurationText(ms: number | null | undefined): string | undefined {
  return ms == null ? undefined : `${BigInt(Math.round(ms * NS_PER_MS))}ns`
}

/** Conditions of the use case out of a filter's input. */
export function toTraceConditions(filter: TraceFilterInput | null | undefined): TraceConditionsInput {
  if (!filter) return {}
  return {
    query: filter.query ?? undefined,
    filters: toConditions(filter.where),
    service: filter.services ?? undefined,
    operation: filter.operations ?? undefined,
    kind: filter.kinds ?? undefined,
    status: filter.statuses ?? undefined,
    minDuration: toDurationText(filter.minDuration),
    maxDuration: toDurationText(filter.maxDuration),
    rootOnly: filter.rootOnly ?? undefined,
    hasError: filter.hasError ?? undefined,
    scope: filter.scope ?? undefined
  }
}

/** Spans of a service in a trace as GraphQL has them. */
export function toServiceCount({ service, spans, errors }: ServiceSpans): ServiceSpanCountType {
  return { service: service ?? '', spans, errors }
}

/** A trace in a list as clients see it, with the summary it came from. */
export class SummarySource implements TraceSummaryType {
  readonly summary: TraceSummary

  constructor(summary: TraceSummary) {
    this.summary = summary
  }

  get traceId(): string {
    return this.summary.traceId
  }
  get startTime(): bigint {
    return this.summary.startNs
  }
  get durationMs(): number {
    return toMs(this.summary.durationNs)
  }
  get rootService(): string | null {
    return this.summary.rootService
  }
  get rootOperation(): string | null {
    return this.summary.rootOperation
  }
  get services(): readonly ServiceSpanCountType[] {
    return this.summary.services.map(toServiceCount)
  }
  get spanCount(): number {
    return this.summary.spanCount
  }
  get errorCount(): number {
    return this.summary.errorSpanCount
  }
  get status(): 'unset' | 'error' {
    return this.summary.errorSpanCount > 0 ? 'error' : 'unset'
  }
  get hasMissingSpans(): boolean {
    return this.summary.hasMissingSpans
  }
}

/** Counts by duration as GraphQL has them. */
export function toDurationHistogram({ boundsNs, counts, p50Ns, p90Ns, p99Ns }: DurationHistogram): DurationHistogramType {
  const orNull = (ns: number | null) => (ns === null ? null : toMs(ns))
  return { boundsMs: boundsNs.map(toMs), counts, p50Ms: orNull(p50Ns), p90Ms: orNull(p90Ns), p99Ms: orNull(p99Ns) }
}

/** Counts by time and duration as GraphQL has them. */
export function toDurationHeatmap({ grid, boundsNs, counts }: DurationHeatmap): DurationHeatmapType {
  return { grid: toGrid(grid), boundsMs: boundsNs.map(toMs), counts }
}

/** Traces as points of a chart. */
export function toTracePoints({ traces, omitted }: TracePoints): TracePointsType {
  return {
    traceIds: traces.map(({ traceId }) => traceId),
    starts: traces.map(({ startNs }) => startNs),
    durationsMs: traces.map(({ durationNs }) => toMs(durationNs)),
    errors: traces.map(({ errorSpanCount }) => errorSpanCount > 0),
    omitted
  }
}

function toTotals(totals: OperationTotals | null): OperationTotalsType | null {
  if (!totals) return null
  const { spans, errors, totalNs, meanNs, selfTimeNs } = totals
  return { spans, errors, totalMs: toMs(totalNs), meanMs: toMs(meanNs), selfTimeMs: toMs(selfTimeNs) }
}

/** The comparison of two traces as GraphQL has it. */
export function toComparison(compared: OperationComparison): OperationComparisonType {
  const { service, operation, kind, change, base, other, selfTimeDeltaNs } = compared
  return {
    ...{ service: service ?? '', operation, kind, change },
    ...{ base: toTotals(base), other: toTotals(other), selfTimeDeltaMs: toMs(selfTimeDeltaNs) }
  }
}
