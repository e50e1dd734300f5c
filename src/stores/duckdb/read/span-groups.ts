import { GatewayError } from '../../../domain/errors.js'
import type { SpanStatsRequest } from '../../../ports/trace-store.js'
import { fieldValue } from './field-value.js'
import type { Params } from './params.js'
import type { ResultRow } from './statement.js'
import { SPANS } from './stored-span.js'

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

/** SQL of each field that spans are grouped by; `k0`, `k1`, ... are their names. */
export function groupKeys({ groupBy }: SpanStatsRequest, params: Params): readonly string[] {
  return groupBy.map(field => {
    const { sql, isList } = fieldValue(field, SPANS.fields, params)
    if (isList) throw new GatewayError('query_unsupported', `spans cannot be grouped by ${field.name}`, { field: field.name })
    return sql
  })
}

/** The group of a row, in the order of the keys. */
export function groupOf(row: ResultRow, keys: readonly unknown[]): readonly (string | null)[] {
  return keys.map((_, i) => row[`k${i}`] as string | null)
}
