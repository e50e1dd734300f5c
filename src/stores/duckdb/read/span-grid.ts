import type { DuckDBMapValue } from '@duckdb/node-api'
import type { SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { gridScope } from './histogram.js'
import type { Params } from './params.js'
import type { Scope } from './source.js'
import { type ResultRow, toCount } from './statement.js'

type Grid = NonNullable<SpanStatsRequest['grid']>

/** SQL of what `gridOfRow` reads: spans and errors per bucket, counted on the way of the other aggregates. */
export function gridColumnsSql(scope: Scope, grid: Grid, params: Params): readonly string[] {
  const { startNs, endNs } = gridScope(scope, grid).range
  const bucket = `(ts - ${params.add(grid.startNs)}) // ${params.add(grid.stepNs)}`
  const isIn = `ts >= ${params.add(startNs)} AND ts < ${params.add(endNs)}`
  return [
    `histogram(${bucket}) FILTER (${isIn}) AS grid_spans`,
    `histogram(${bucket}) FILTER (${isIn} AND status = 'error') AS grid_errors`
  ]
}

function countsOf(row: ResultRow, column: string, { count }: Grid): readonly number[] {
  const counts = Array.from({ length: count }, () => 0)
  // Null where no span lies on the grid.
  const map = row[column] as DuckDBMapValue | null
  for (const { key, value } of map?.entries ?? []) counts[toCount(key)] = toCount(value)
  return counts
}

/** Counts per bucket. */
export function gridOfRow(row: ResultRow, grid: Grid): NonNullable<SpanStatsRow['grid']> {
  return { spans: countsOf(row, 'grid_spans', grid), errors: countsOf(row, 'grid_errors', grid) }
}
