import type { TimeRange } from '../../domain/time-range.js'
import type { SpanStatsRow } from '../../ports/trace-store.js'
import type { Change, Red } from './service-result.js'

/** The percentiles that are requested from the store, in the order in which `redOf` reads them. */
export const RED_PERCENTILES = [0.5, 0.9, 0.95, 0.99] as const

const MS_NS = 1e6
const S_NS = 1e9

function msOf(ns: number | null | undefined): number | null {
  return ns === null || ns === undefined ? null : ns / MS_NS
}

/** Requests, errors and durations out of counts and `RED_PERCENTILES`. */
export function redOf(
  {
    calls,
    errors,
    percentilesNs
  }: { readonly calls: number; readonly errors: number; readonly percentilesNs: readonly (number | null)[] },
  range: TimeRange
): Red {
  const seconds = Number(range.endNs - range.startNs) / S_NS
  const [p50Ms, p90Ms, p95Ms, p99Ms] = [0, 1, 2, 3].map(i => msOf(percentilesNs[i])) as [
    number | null,
    number | null,
    number | null,
    number | null
  ]
  return {
    calls,
    ratePerSecond: seconds > 0 ? calls / seconds : 0,
    errors,
    errorRate: calls > 0 ? errors / calls : 0,
    ...{ p50Ms, p90Ms, p95Ms, p99Ms }
  }
}

/** Those of a row of the store, or of nothing. */
export function redOfRow(row: SpanStatsRow | undefined, range: TimeRange): Red {
  return redOf({ calls: row?.spans ?? 0, errors: row?.errors ?? 0, percentilesNs: row?.percentilesNs ?? [] }, range)
}

function ratio(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : now / before
}

/** How RED figures differ from those of the preceding window. */
export function changeOf(now: Red, before: Red): Change {
  return {
    calls: ratio(now.calls, before.calls),
    errorRate: now.calls === 0 || before.calls === 0 ? null : now.errorRate - before.errorRate,
    p95: ratio(now.p95Ms, before.p95Ms)
  }
}

/**
 * Apdex (Apdex Technical Specification 1.1): buckets are `[0, T]`, `(T, 4T]` and beyond, of all calls and of those that
 * failed; failed ones count as frustrated. Null without calls.
 */
export function apdexOf(calls: readonly number[] | undefined, failed: readonly number[] | undefined): number | null {
  const all = calls?.reduce((sum, count) => sum + count, 0) ?? 0
  if (all === 0) return null
  const satisfied = (calls?.[0] ?? 0) - (failed?.[0] ?? 0)
  const tolerating = (calls?.[1] ?? 0) - (failed?.[1] ?? 0)
  return (satisfied + tolerating / 2) / all
}
