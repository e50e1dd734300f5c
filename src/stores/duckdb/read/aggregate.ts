import type { AggregateRequest, AggregateResult, AggregateRow, AggregateValues } from '../../../domain/aggregate.js'
import { MeasuredColumns } from './aggregate-columns.js'
import { listedGroups, topSql } from './aggregate-groups.js'
import { aggregateRows, type AggregateSource } from './aggregate-rows.js'
import { nothing, seriesOf, valuesOf, valuesSql } from './aggregate-values.js'
import type { TableFields } from './field-target.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** The values over all rows of a source, and per bucket. */
async function wholeValues(scope: Scope, source: AggregateSource, params: Params, before = ''): Promise<AggregateValues> {
  const { request } = source
  const rows = await aggregateRows(scope, source, params)
  const [columns, grouped] = request.grid
    ? ['grouping(bucket) AS whole, bucket', ' GROUP BY GROUPING SETS ((), (bucket))']
    : ['1 AS whole', '']
  const sql = `${before}SELECT ${columns}, ${valuesSql(source, rows.isExpanded)} FROM ${rows.sql}${grouped}`
  const found = await runStatement(scope, sql, params)
  const whole = found.find(row => toCount(row['whole']) === 1)
  const inBuckets = found.filter(row => row !== whole)
  return {
    values: whole ? valuesOf(whole, request) : nothing(request),
    ...(request.grid && { series: seriesOf(request, inBuckets) })
  }
}

async function otherValues(scope: Scope, source: AggregateSource, groups: readonly AggregateRow[]): Promise<AggregateValues> {
  const params = new Params()
  const top = topSql(groups, params)
  return wholeValues(scope, { ...source, without: 'top' }, params, top)
}

/**
 * Measures by groups and over time, exactly.
 * @param maxRows as of `listedGroups`
 */
export async function aggregateRecords(
  scope: Scope,
  fields: TableFields,
  request: AggregateRequest,
  maxRows?: number
): Promise<AggregateResult> {
  const source: AggregateSource = { fields, request, columns: new MeasuredColumns(request) }
  const exact = { relativeError: 0, complete: true, warnings: [] } as const
  if (request.groupBy.length === 0) {
    const row = { key: [], ...(await wholeValues(scope, source, new Params())) }
    return { rows: [row], other: null, groups: { value: 1, relation: 'eq' }, ...exact }
  }
  const { rows, total } = await listedGroups(scope, source, maxRows)
  const other = request.other && total > rows.length ? await otherValues(scope, source, rows) : null
  return { rows, other, groups: { value: total, relation: 'eq' }, ...exact }
}
