import type { HistogramRequest } from '../../../domain/search.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { DuckDBValue } from '@duckdb/node-api'
import type { Params } from './params.js'

type Grid = Omit<HistogramRequest, 'by'>

/** Rows to be measured per group and bucket of a grid. */
export interface MeasuredRows {
  /** SQL of a table with `ts`, the columns of the groups, and those that `measures` read. */
  readonly rows: string
  readonly names: readonly string[]
  readonly grid: Grid
  /** The part of the grid that rows are taken from. */
  readonly range: TimeRange
  /** Aggregates, never NULL. */
  readonly measures: readonly string[]
}

/** SQL of the bucket of a row. */
export function bucketSql({ startNs, stepNs }: Grid, params: Params): string {
  return `(ts - ${params.add(startNs)}) // ${params.add(stepNs)}`
}

/** SQL of a table with the measures of each group and bucket as `m0`, `m1`, ... */
export function measuredSql({ rows, names, grid, range, measures }: MeasuredRows, params: Params): string {
  const isIn = `ts >= ${params.add(range.startNs)} AND ts < ${params.add(range.endNs)}`
  const columns = [...names, `${bucketSql(grid, params)} AS bucket`, ...measures.map((sql, i) => `${sql} AS m${i}`)]
  return `SELECT ${columns.join(', ')} FROM (${rows}) WHERE ${isIn} GROUP BY ${[...names, 'bucket'].join(', ')}`
}

/** SQL of an aggregate of what `measuredSql` gave: all buckets of a group as one text, for a value each costs more. */
export function cellsSql(measures: readonly string[]): string {
  return `string_agg(concat_ws(' ', bucket, ${measures.map((_, i) => `m${i}`).join(', ')}), ' ')`
}

/** Reads what `cellsSql` gave, so many measures of each bucket as their digits; NULL has none. */
export function eachCell(
  cells: DuckDBValue,
  measures: number,
  visit: (bucket: number, strings: readonly string[]) => void
): void {
  const strings = cells === null ? [] : (cells as string).split(' ')
  for (let i = 0; i < strings.length; i += measures + 1) visit(Number(strings[i]), strings.slice(i + 1, i + 1 + measures))
}
