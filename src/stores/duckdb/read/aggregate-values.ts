import type { AggregateRequest, AggregateValues, Measure } from '../../../domain/aggregate.js'
import { isCount } from '../../../domain/aggregate.js'
import type { Filter } from '../../../domain/filter.js'
import type { AggregateSource } from './aggregate-rows.js'
import type { Scope } from './source.js'
import type { ResultRow } from './statement.js'

type Values = AggregateValues['values']

/** `prefix0`, `prefix1`, ... */
export function named(prefix: string, length: number): readonly string[] {
  return Array.from({ length }, (_, i) => `${prefix}${i}`)
}

/** SQL of the measures as columns `v0`, `v1`, ... */
export function valuesSql({ columns }: AggregateSource, isExpanded: boolean): string {
  return columns
    .sql(isExpanded)
    .map((sql, i) => `CAST(${sql} AS DOUBLE) AS v${i}`)
    .join(', ')
}

/** The measures of a row of `valuesSql`. */
export function valuesOf(row: ResultRow, { measures }: AggregateRequest): Values {
  return measures.map((_, i) => row[`v${i}`] as number | null)
}

/** Values where no row is. */
export function nothing({ measures }: AggregateRequest): Values {
  return measures.map(measure => (isCount(measure) ? 0 : null))
}

/** Values of each bucket, by measure. */
export function seriesOf(request: AggregateRequest, rows: readonly ResultRow[]): NonNullable<AggregateValues['series']> {
  const { grid } = request
  const empty = nothing(request)
  const series = empty.map(value => Array.from({ length: grid!.count }, () => value))
  for (const row of rows) {
    const bucket = row['bucket'] as number
    if (bucket >= 0) valuesOf(row, request).forEach((value, i) => (series[i]![bucket] = value))
  }
  return series
}

/** A request for measures of all rows together. */
export function ungroupedRequest(
  { range }: Pick<Scope, 'range'>,
  filter: Filter,
  measures: readonly Measure[]
): AggregateRequest {
  const rankBy = { measure: 0, order: 'desc' } as const
  return { range, filter, measures, groupBy: [], rankBy, limit: 1, other: false, exact: true }
}
