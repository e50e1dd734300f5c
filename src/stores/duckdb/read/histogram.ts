import type { Filter } from '../../../domain/filter.js'
import type { HistogramRequest, HistogramSeries } from '../../../domain/search.js'
import { zeros } from '../../../domain/zeros.js'
import type { TableFields } from './field-target.js'
import { eachValueSql, fieldValue } from './field-value.js'
import { matchingSql } from './matching-rows.js'
import { Params } from './params.js'
import { clampRange, type Scope } from './source.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

/** More values of `by` than these are left out, the rarest first, and the result is marked so. */
export const MAX_HISTOGRAM_SERIES = 1_000

/** A histogram, and whether values were left out. */
export interface Histogram {
  readonly series: readonly HistogramSeries[]
  readonly isCut: boolean
}

/** What of a scope is on a grid. */
export function gridScope(scope: Scope, grid: Omit<HistogramRequest, 'by'>): Scope {
  const { startNs, endNs } = scope.range
  const gridEnd = grid.startNs + grid.stepNs * BigInt(grid.count)
  const range = { startNs: startNs > grid.startNs ? startNs : grid.startNs, endNs: endNs < gridEnd ? endNs : gridEnd }
  return { ...scope, range: clampRange(range) }
}

function keySql(fields: TableFields, grid: HistogramRequest, params: Params): string {
  if (!grid.by) return 'CAST(NULL AS VARCHAR)'
  const value = fieldValue(grid.by, fields, params)
  return value.isList ? eachValueSql(value.sql) : value.sql
}

/** Counts per bucket and value; rows without the field count under null, many-valued rows once per value. */
export async function countBuckets(
  scope: Scope,
  fields: TableFields,
  filter: Filter,
  grid: HistogramRequest
): Promise<Histogram> {
  const params = new Params()
  const bucket = `CAST((ts - ${params.add(grid.startNs)}) // ${params.add(grid.stepNs)} AS INTEGER)`
  const rows = { fields, filter, ...(grid.by && { groups: [grid.by] }) }
  const columns = (own: TableFields) => `${bucket} AS bucket, ${keySql(own, grid, params)} AS key`
  const source = await matchingSql(gridScope(scope, grid), rows, params, columns)
  const counted = `SELECT bucket, key, count(*) AS n FROM ${source} GROUP BY bucket, key`
  const sql = `WITH counted AS MATERIALIZED (${counted}),
    kept AS (SELECT key, sum(n) AS total FROM counted GROUP BY key
      ORDER BY total DESC, key ASC NULLS LAST LIMIT ${params.add(MAX_HISTOGRAM_SERIES + 1)})
    SELECT counted.* FROM counted JOIN kept ON counted.key IS NOT DISTINCT FROM kept.key
    ORDER BY kept.total DESC, key ASC NULLS LAST`
  return toHistogram(await runStatement(scope, sql, params), grid)
}

function toHistogram(rows: readonly ResultRow[], grid: HistogramRequest): Histogram {
  const series = new Map<string | null, number[]>()
  if (!grid.by) series.set(null, zeros(grid.count))
  for (const row of rows) {
    const key = row['key'] as string | null
    let counts = series.get(key)
    if (!counts) series.set(key, (counts = zeros(grid.count)))
    counts[row['bucket'] as number] = toCount(row['n'])
  }
  const all = [...series].map(([key, counts]) => ({ key, counts }))
  return { series: all.slice(0, MAX_HISTOGRAM_SERIES), isCut: all.length > MAX_HISTOGRAM_SERIES }
}
