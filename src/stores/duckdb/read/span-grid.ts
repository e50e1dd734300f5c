import { zeros } from '../../../domain/zeros.js'
import type { DuckDBMapValue } from '@duckdb/node-api'
import type { SpanGrid, SpanGridCounts } from '../../../ports/trace-store.js'
import { bucketSql, cellsSql, eachCell, measuredSql } from './grid-cells.js'
import { gridScope } from './histogram.js'
import type { Params } from './params.js'
import { groupOrderSql } from './row-groups.js'
import type { Scope } from './source.js'
import { fineBounds, gridCounts, type GridRequest, isFine } from './span-grid-counts.js'
import { type ResultRow, toCount } from './statement.js'

/** SQL of what `gridOfRow` reads: spans and errors per bucket, counted on the way of the other aggregates. */
export function gridColumnsSql(scope: Scope, grid: SpanGrid, params: Params): readonly string[] {
  const { startNs, endNs } = gridScope(scope, grid).range
  const bucket = bucketSql(grid, params)
  const isIn = `ts >= ${params.add(startNs)} AND ts < ${params.add(endNs)}`
  return [
    `histogram(${bucket}) FILTER (${isIn}) AS grid_spans`,
    `histogram(${bucket}) FILTER (${isIn} AND status = 'error') AS grid_errors`
  ]
}

/** A statement that gives one row per group, and what it took its rows from. */
export interface GroupedSpans {
  readonly sql: string
  readonly spans: string
  /** Columns of the groups. */
  readonly names: readonly string[]
}

/** SQL of the same rows with `grid_durations`: durations per bucket of time, of those groups only. Spans are read once more. */
export function withDurationsSql(
  { sql, spans, names }: GroupedSpans,
  scope: Scope,
  request: GridRequest,
  params: Params
): string {
  const { grid } = request
  const { range } = gridScope(scope, grid)
  const counts = fineBounds(request).map(bound => `count(*) FILTER (duration_ns <= ${params.add(bound)})`)
  const measures = ['sum(duration_ns)', ...counts]
  const isSame = (other: string): string =>
    names.length === 0 ? 'TRUE' : names.map(name => `main.${name} IS NOT DISTINCT FROM ${other}.${name}`).join(' AND ')
  const order = groupOrderSql(
    'main.spans',
    names.map(name => `main.${name}`)
  )
  return `WITH main AS MATERIALIZED (${sql}),
    measured AS (${measuredSql({ rows: spans, names, grid, range, measures }, params)}),
    fine AS (SELECT ${[...names, `${cellsSql(measures)} AS grid_durations`].join(', ')}
      FROM measured SEMI JOIN main ON ${isSame('measured')} ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : ''})
    SELECT main.*, fine.grid_durations FROM main LEFT JOIN fine ON ${isSame('fine')} ORDER BY ${order}`
}

function countsOf(row: ResultRow, column: string, { count }: SpanGrid): readonly number[] {
  const counts = zeros(count)
  // Null where no span is on the grid.
  const map = row[column] as DuckDBMapValue | null
  for (const { key, value } of map?.entries ?? []) counts[toCount(key)] = toCount(value)
  return counts
}

/** Counts per bucket. */
export function gridOfRow(row: ResultRow, request: GridRequest): SpanGridCounts {
  const { grid } = request
  const counts = { spans: countsOf(row, 'grid_spans', grid), errors: countsOf(row, 'grid_errors', grid) }
  if (!isFine(grid)) return counts
  const durationsNs = Array.from({ length: grid.count }, () => 0n)
  const atMost = fineBounds(request).map(() => zeros(grid.count))
  eachCell(row['grid_durations'] ?? null, 1 + atMost.length, (bucket, [took, ...spans]) => {
    durationsNs[bucket] = BigInt(took!)
    spans.forEach((count, i) => (atMost[i]![bucket] = Number(count)))
  })
  return gridCounts(request, { ...counts, durationsNs, atMost })
}
