import type { AggregateRequest, AggregateRow } from '../../../domain/aggregate.js'
import { groupedBy } from '../../../domain/grouped-by.js'
import { aggregateRows, type AggregateSource } from './aggregate-rows.js'
import { named, seriesOf, valuesOf, valuesSql } from './aggregate-values.js'
import { fieldValue } from './field-value.js'
import { gridScope } from './histogram.js'
import { Params } from './params.js'
import { allRowsSql, overlapping, type Scope } from './source.js'
import { type ResultRow, runStatement, toCount } from './statement.js'

/** One pass over the rows makes the series of all groups, listed or not: as many as there are rows, at worst. */
const MAX_ROWS_OF_ONE_PASS = 250_000

/** The groups of a result. */
export interface RankedGroups {
  readonly rows: readonly AggregateRow[]
  /** Groups in all. */
  readonly total: number
}

/** Columns of the values that rows are grouped by. */
function keyNames({ groupBy }: AggregateRequest): readonly string[] {
  return named('k', groupBy.length)
}

/** The values that a row is grouped by. */
function keyOf(row: ResultRow, request: AggregateRequest): readonly (string | null)[] {
  return keyNames(request).map(name => row[name] as string | null)
}

/** The order of groups, as a list of `ORDER BY`. */
function orderSql(request: AggregateRequest): string {
  const { measure, order } = request.rankBy
  return [`v${measure} ${order} NULLS LAST`, ...keyNames(request).map(key => `${key} ASC NULLS LAST`)].join(', ')
}

/** The listed groups without their series. */
async function rankedGroups(scope: Scope, source: AggregateSource): Promise<RankedGroups> {
  const { request } = source
  const params = new Params()
  const keys = keyNames(request).join(', ')
  const rows = await aggregateRows(scope, source, params)
  const sql = `SELECT *, count(*) OVER () AS total
    FROM (SELECT ${keys}, ${valuesSql(source, rows.isExpanded)} FROM ${rows.sql} GROUP BY ${keys})
    ORDER BY ${orderSql(request)} LIMIT ${params.add(request.limit)}`
  const found = await runStatement(scope, sql, params)
  return {
    rows: found.map(row => ({ key: keyOf(row, request), values: valuesOf(row, request) })),
    total: toCount(found[0]?.['total'])
  }
}

/** SQL of whether two rows are of one group. */
function isSameGroupSql(request: AggregateRequest, a: string, b: string): string {
  return keyNames(request)
    .map(key => `${a}.${key} IS NOT DISTINCT FROM ${b}.${key}`)
    .join(' AND ')
}

/** The listed groups with their series, in one pass over the rows. */
async function rankedSeries(scope: Scope, source: AggregateSource): Promise<RankedGroups> {
  const { request } = source
  const params = new Params()
  const keys = keyNames(request).join(', ')
  const rows = await aggregateRows(scope, source, params)
  const sql = `WITH counted AS MATERIALIZED (
      SELECT grouping(bucket) AS whole, bucket, ${keys}, ${valuesSql(source, rows.isExpanded)}
      FROM ${rows.sql} GROUP BY GROUPING SETS ((${keys}), (${keys}, bucket))),
    top AS (SELECT ${keys}, row_number() OVER (ORDER BY ${orderSql(request)}) - 1 AS place, count(*) OVER () AS total
      FROM counted WHERE whole = 1 QUALIFY place < ${params.add(request.limit)})
    SELECT counted.*, place, total FROM counted JOIN top ON ${isSameGroupSql(request, 'counted', 'top')} ORDER BY place`
  const found = await runStatement(scope, sql, params)
  const isWhole = (row: ResultRow): boolean => toCount(row['whole']) === 1
  const groups = found.filter(isWhole).map(row => ({ key: keyOf(row, request), values: valuesOf(row, request) }))
  const buckets = found.filter(row => !isWhole(row))
  return { rows: withSeries(request, groups, buckets), total: toCount(found[0]?.['total']) }
}

/** A table `top` of the groups, with their number as `place`. */
export function topSql(groups: readonly AggregateRow[], params: Params): string {
  const names = ['place', ...named('k', groups[0]!.key.length)]
  const rows = groups.map(({ key }, place) => {
    const values = key.map(value => `CAST(${value === null ? 'NULL' : params.add(value)} AS VARCHAR)`)
    return `(${[place, ...values].join(', ')})`
  })
  return `WITH top(${names.join(', ')}) AS MATERIALIZED (VALUES ${rows.join(', ')}) `
}

/** The groups with their series, of rows of one `place` and bucket each. */
function withSeries(
  request: AggregateRequest,
  groups: readonly AggregateRow[],
  rows: readonly ResultRow[]
): readonly AggregateRow[] {
  const buckets = groupedBy(rows, row => toCount(row['place']))
  return groups.map((group, place) => ({ ...group, series: seriesOf(request, buckets.get(place) ?? []) }))
}

/** The groups with their series, in a second pass over the rows. */
async function seriesOfGroups(
  scope: Scope,
  source: AggregateSource,
  groups: readonly AggregateRow[]
): Promise<readonly AggregateRow[]> {
  const { request } = source
  const params = new Params()
  const top = topSql(groups, params)
  const rows = await aggregateRows(gridScope(scope, request.grid!), source, params)
  const sql = `${top}SELECT place, bucket, ${valuesSql(source, rows.isExpanded)}
    FROM ${rows.sql} AS own JOIN top ON ${isSameGroupSql(request, 'own', 'top')} GROUP BY place, bucket`
  return withSeries(request, groups, await runStatement(scope, sql, params))
}

/** Whether one pass is cheaper: over few rows, and where a row is in one group. */
async function isOnePassEnough(scope: Scope, { fields, request }: AggregateSource, maxRows: number): Promise<boolean> {
  if (request.groupBy.some(field => fieldValue(field, fields, new Params()).isList)) return false
  const sealed = overlapping(scope).reduce((sum, { rows }) => sum + rows, 0)
  if (sealed > maxRows) return false
  const params = new Params()
  const hot = allRowsSql({ ...scope, snapshot: { ...scope.snapshot, segments: [] } }, params)
  const [row] = await runStatement(scope, `SELECT count(*) AS n FROM ${hot}`, params)
  return sealed + toCount(row?.['n']) <= maxRows
}

/**
 * The listed groups, with their series where a grid is requested.
 * @param maxRows rows of the range, matching or not, up to which one pass makes both
 */
export async function listedGroups(scope: Scope, source: AggregateSource, maxRows = MAX_ROWS_OF_ONE_PASS): Promise<RankedGroups> {
  if (!source.request.grid) return rankedGroups(scope, source)
  if (await isOnePassEnough(scope, source, maxRows)) return rankedSeries(scope, source)
  const groups = await rankedGroups(scope, source)
  return groups.total === 0 ? groups : { ...groups, rows: await seriesOfGroups(scope, source, groups.rows) }
}
