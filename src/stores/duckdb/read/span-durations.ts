import type { ResultRow } from './statement.js'

/** SQL of exact percentiles of durations as a list; NULL when none is asked for. */
export function percentilesSql(percentiles: readonly number[]): string {
  // Numbers by type, so nothing of a caller's text comes into the statement.
  return percentiles.length === 0 ? 'NULL' : `quantile_cont(duration_ns, [${percentiles.map(Number).join(', ')}])`
}

/** What `percentilesSql` gave. */
export function percentilesOf(row: ResultRow, percentiles: readonly number[]): readonly (number | null)[] {
  const list = row['percentiles'] as { readonly items: readonly number[] } | null
  return percentiles.map((_, i) => list?.items[i] ?? null)
}

/** Spans between the bounds of duration, out of those at most as long as each of them. */
export function bucketsOf(atMost: readonly number[], spans: number): readonly number[] {
  return [...atMost, spans].map((count, i) => count - (atMost[i - 1] ?? 0))
}
