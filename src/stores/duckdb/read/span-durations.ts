import type { SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import type { Params } from './params.js'
import { type ResultRow, toCount } from './statement.js'

type Bounded = Pick<SpanStatsRequest, 'boundsNs' | 'errorBuckets'>

/** Spans, and failed ones, at most as long as each of the requested bounds. */
export interface AtMost {
  readonly atMost: readonly number[]
  readonly failedAtMost: readonly number[]
}

/** SQL of exact percentiles of durations as a list; NULL when none is requested. */
export function percentilesSql(percentiles: readonly number[]): string {
  // Numbers by type, so nothing of a caller's text comes into the statement.
  return percentiles.length === 0 ? 'NULL' : `quantile_cont(duration_ns, [${percentiles.map(Number).join(', ')}])`
}

/** What `percentilesSql` gave. */
export function percentilesOf(row: ResultRow, percentiles: readonly number[]): readonly (number | null)[] {
  const list = row['percentiles'] as { readonly items: readonly number[] } | null
  return percentiles.map((_, i) => list?.items[i] ?? null)
}

/** Names of the columns that `atMostOf` reads. */
export function atMostNames({ boundsNs = [], errorBuckets }: Bounded): readonly string[] {
  return [...boundsNs.map((_, i) => `b${i}`), ...(errorBuckets === true ? boundsNs.map((_, i) => `f${i}`) : [])]
}

/** SQL of these columns, over spans. */
export function atMostSql({ boundsNs = [], errorBuckets }: Bounded, params: Params): readonly string[] {
  const isWithin = boundsNs.map(bound => `duration_ns <= ${params.add(bound)}`)
  const failed = errorBuckets === true ? isWithin.map((sql, i) => `count(*) FILTER (${sql} AND status = 'error') AS f${i}`) : []
  return [...isWithin.map((sql, i) => `count(*) FILTER (${sql}) AS b${i}`), ...failed]
}

/** What they gave. */
export function atMostOf(row: ResultRow, { boundsNs = [], errorBuckets }: Bounded): AtMost {
  return {
    atMost: boundsNs.map((_, i) => toCount(row[`b${i}`])),
    failedAtMost: errorBuckets === true ? boundsNs.map((_, i) => toCount(row[`f${i}`])) : []
  }
}

/** What was requested of spans by bounds of duration. */
export function bucketsOfRow(
  { boundsNs, errorBuckets }: Bounded,
  { spans, errors, atMost, failedAtMost }: AtMost & { readonly spans: number; readonly errors: number }
): Pick<SpanStatsRow, 'buckets' | 'errorBuckets'> {
  if (!boundsNs) return {}
  return {
    buckets: bucketsOf(atMost, spans),
    ...(errorBuckets === true && { errorBuckets: bucketsOf(failedAtMost, errors) })
  }
}

/** Spans between the bounds of duration, out of those at most as long as each of them. */
function bucketsOf(atMost: readonly number[], spans: number): readonly number[] {
  return [...atMost, spans].map((count, i) => count - (atMost[i - 1] ?? 0))
}
