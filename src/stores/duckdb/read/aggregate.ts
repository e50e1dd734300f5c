import type { AggregateRequest, AggregateResult, AggregateRow, AggregateValues } from '../../../domain/aggregate.js'
import { isCount } from '../../../domain/aggregate.js'
import { MeasuredColumns, type PercentileFunction } from './aggregate-columns.js'
import { aggregateRows, type AggregateSource } from './aggregate-rows.js'
import type { TableFields } from './field-target.js'
import { gridScope } from './histogram.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { type ResultRow, runStatement, toCount } from './statement.js'

type Values = AggregateValues['values']

function named(prefix: string, length: number): readonly string[] {
  return Array.from({ length }, (_, i) => `${prefix}${i}`)
}

function valuesSql({ columns }: AggregateSource, isExpanded: boolean): string {
  return columns
    .sql(isExpanded)
    .map((sql, i) => `CAST(${sql} AS DOUBLE) AS v${i}`)
    .join(', ')
}

function valuesOf(row: ResultRow, { measures }: AggregateRequest): Values {
  return measures.map((_, i) => row[`v${i}`] as number | null)
}

/** Values where no row is. */
function nothing({ measures }: AggregateRequest): Values {
  return measures.map(measure => (isCount(measure) ? 0 : null))
}

/** Values of each bucket, by measure. */
function seriesOf(request: AggregateRequest, rows: readonly ResultRow[]): NonNullable<AggregateValues['series']> {
  const { grid } = request
  const empty = nothing(request)
  const series = empty.map(value => Array.from({ length: grid!.count }, () => value))
  for (const row of rows) {
    const bucket = row['bucket'] as number
    if (bucket >= 0) valuesOf(row, request).forEach((value, i) => (series[i]![bucket] = value))
  }
  return series
}

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

interface RankedGroups {
  readonly rows: readonly AggregateRow[]
  /** Groups in all. */
  readonly total: number
}

async function rankedGroups(scope: Scope, source: AggregateSource): Promise<RankedGroups> {
  const { request } = source
  const { groupBy, rankBy, limit } = request
  const params = new Params()
  const keys = named('k', groupBy.length)
  const rows = await aggregateRows(scope, source, params)
  const order = [`v${rankBy.measure} ${rankBy.order} NULLS LAST`, ...keys.map(key => `${key} ASC NULLS LAST`)]
  const sql = `SELECT *, count(*) OVER () AS total
    FROM (SELECT ${keys.join(', ')}, ${valuesSql(source, rows.isExpanded)} FROM ${rows.sql} GROUP BY ${keys.join(', ')})
    ORDER BY ${order.join(', ')} LIMIT ${params.add(limit)}`
  const found = await runStatement(scope, sql, params)
  return {
    rows: found.map(row => ({ key: keys.map(key => row[key] as string | null), values: valuesOf(row, request) })),
    total: toCount(found[0]?.['total'])
  }
}

/** A table `top` of the groups, with their number as `place`. */
function topSql(groups: readonly AggregateRow[], params: Params): string {
  const names = ['place', ...named('k', groups[0]!.key.length)]
  const rows = groups.map(({ key }, place) => {
    const values = key.map(value => `CAST(${value === null ? 'NULL' : params.add(value)} AS VARCHAR)`)
    return `(${[place, ...values].join(', ')})`
  })
  return `WITH top(${names.join(', ')}) AS MATERIALIZED (VALUES ${rows.join(', ')}) `
}

/** The same groups with their series. */
async function withSeries(
  scope: Scope,
  source: AggregateSource,
  groups: readonly AggregateRow[]
): Promise<readonly AggregateRow[]> {
  const { request } = source
  const params = new Params()
  const top = topSql(groups, params)
  const rows = await aggregateRows(gridScope(scope, request.grid!), source, params)
  const isSame = named('k', request.groupBy.length).map(key => `own.${key} IS NOT DISTINCT FROM top.${key}`)
  const sql = `${top}SELECT place, bucket, ${valuesSql(source, rows.isExpanded)}
    FROM ${rows.sql} AS own JOIN top ON ${isSame.join(' AND ')} GROUP BY place, bucket`
  const found = await runStatement(scope, sql, params)
  return groups.map((group, place) => ({
    ...group,
    series: seriesOf(
      request,
      found.filter(row => row['place'] === place)
    )
  }))
}

async function otherValues(scope: Scope, source: AggregateSource, groups: readonly AggregateRow[]): Promise<AggregateValues> {
  const params = new Params()
  const top = topSql(groups, params)
  return wholeValues(scope, { ...source, without: 'top' }, params, top)
}

/** Measures by groups and over time, exactly unless percentiles are estimated. */
export async function aggregateRecords(
  scope: Scope,
  fields: TableFields,
  request: AggregateRequest,
  percentiles: PercentileFunction = 'quantile_cont'
): Promise<AggregateResult> {
  const source: AggregateSource = { fields, request, columns: new MeasuredColumns(request, percentiles) }
  const exact = { relativeError: 0, complete: true, warnings: [] } as const
  if (request.groupBy.length === 0) {
    const row = { key: [], ...(await wholeValues(scope, source, new Params())) }
    return { rows: [row], other: null, groups: { value: 1, relation: 'eq' }, ...exact }
  }
  const { rows: groups, total } = await rankedGroups(scope, source)
  const rows = request.grid && groups.length > 0 ? await withSeries(scope, source, groups) : groups
  const other = request.other && total > groups.length ? await otherValues(scope, source, groups) : null
  return { rows, other, groups: { value: total, relation: 'eq' }, ...exact }
}
