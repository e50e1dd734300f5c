import type { SpanGrid, SpanGridCounts, SpanStatsRequest } from '../../../ports/trace-store.js'

/** A query on a grid. */
export type GridRequest = Pick<SpanStatsRequest, 'boundsNs'> & { readonly grid: SpanGrid }

/** Whether more than spans and errors is counted per bucket of time. */
export function isFine({ sums, buckets }: SpanGrid): boolean {
  return sums === true || buckets === true
}

/** Bounds of duration that count per bucket of time. */
export function fineBounds({ grid, boundsNs = [] }: Pick<SpanStatsRequest, 'grid' | 'boundsNs'>): readonly bigint[] {
  return grid?.buckets === true ? boundsNs : []
}

/** What was requested of counts per bucket of time; `atMost`: spans at most as long as each of the bounds. */
export function gridCounts(
  { grid, boundsNs }: GridRequest,
  counted: Required<Omit<SpanGridCounts, 'buckets'>> & { readonly atMost: readonly (readonly number[])[] }
): SpanGridCounts {
  const { spans, errors, durationsNs, atMost } = counted
  const buckets = [...atMost, spans].map((counts, i) => counts.map((count, at) => count - (atMost[i - 1]?.[at] ?? 0)))
  return {
    ...{ spans, errors },
    ...(grid.sums === true && { durationsNs }),
    ...(grid.buckets === true && boundsNs && { buckets })
  }
}
