import type { Filter } from '../../../domain/filter.js'
import { nextUp } from '../../../domain/next-up.js'
import type { DistributionRequest, DistributionResult } from '../../../domain/search.js'
import { zeros } from '../../../domain/zeros.js'
import type { TableFields } from './field-target.js'
import { matchingParts } from './matching-rows.js'
import { numberSql, type NumberValue, numberValue } from './number-value.js'
import { Params } from './params.js'
import { isRaw, RAW_STRINGS, rawValuesSql } from './raw-values.js'
import type { Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** A distribution with its number. */
interface NumberedRequest extends DistributionRequest {
  readonly at: number
}

/** The number of the interval that `value` is in, found by halving. */
function intervalSql(value: string, limits: readonly string[], from = 0, to = limits.length): string {
  if (from === to) return String(from)
  const middle = (from + to) >> 1
  const [below, above] = [intervalSql(value, limits, from, middle), intervalSql(value, limits, middle + 1, to)]
  return `CASE WHEN ${value} < ${limits[middle]!} THEN ${below} ELSE ${above} END`
}

/** Rows of `facet, list, n` by the intervals of the numbers in `list`. */
function perIntervalSql({ at, bounds }: NumberedRequest, params: Params, rows: string): string {
  const limits = bounds.map((_, i) => `${params.addList(bounds)}[${i + 1}]`)
  const intervals = `list_transform(list_filter(list, lambda x: x IS NOT NULL), lambda x: ${intervalSql('x', limits)})`
  return `SELECT ${at} AS facet, bin, sum(n) AS n FROM (SELECT n, unnest(list_distinct(${intervals})) AS bin FROM (${rows})) GROUP BY bin`
}

/** The largest double below a bound: intervals of the engine's `histogram` include their upper end, ours do not. */
function lastBelow(bound: number): number {
  return -nextUp(-bound)
}

/** Rows of `facet, bin, n` of numbers of which rows have one at most, by one aggregate each (docs/adr/0093). */
function singleNumbersSql(
  numbers: readonly { readonly request: NumberedRequest; readonly value: NumberValue }[],
  params: Params,
  select: (columns: string) => string
): string {
  const values = numbers.map(({ value }, i) => `${value.sql} AS v${i}`)
  const ends = numbers.map(({ request }) => `CAST(${params.addList(request.bounds.map(lastBelow))} AS DOUBLE[])`)
  const counts = numbers.map((_, i) => `map_values(histogram(v${i}, ${ends[i]!}))`)
  const facets = numbers.map(({ request }) => request.at)
  const counted = `SELECT unnest([${facets.join(', ')}]) AS facet, unnest([${counts.join(', ')}]) AS counts FROM (${select(values.join(', '))})`
  return `SELECT facet, unnest(range(len(counts))) AS bin, unnest(counts) AS n FROM (${counted})`
}

/** Rows of `facet, bin, n` of numbers that are in columns. */
function columnNumbersSql(
  requests: readonly NumberedRequest[],
  fields: TableFields,
  params: Params,
  select: (columns: string) => string
): readonly string[] {
  const read = requests.map(request => ({ request, value: numberValue(request.field, fields, params) }))
  const lists = read
    .filter(({ value }) => value.isList)
    .map(({ request, value }) => perIntervalSql(request, params, select(`${value.sql} AS list, 1 AS n`)))
  const single = read.filter(({ value }) => !value.isList)
  return single.length === 0 ? lists : [...lists, singleNumbersSql(single, params, select)]
}

/** Counts of rows by intervals, in the order of the requests. */
export async function countDistributions(
  scope: Scope,
  fields: TableFields,
  filter: Filter,
  requests: readonly DistributionRequest[]
): Promise<readonly DistributionResult[]> {
  if (requests.length === 0) return []
  const params = new Params()
  const numbered = requests.map((request, at): NumberedRequest => ({ ...request, at }))
  const parts = await matchingParts(scope, { fields, filter, groups: requests.map(({ field }) => field) }, params)
  const raws: string[] = []
  const counted = parts.flatMap(({ fields: own, select }) => {
    const raw = numbered.filter(({ field }) => isRaw(field, own))
    const apart = numbered.filter(request => !raw.includes(request))
    const sql = columnNumbersSql(apart, own, params, select)
    if (raw.length === 0) return sql
    const name = `raw${raws.length}`
    raws.push(`${name} AS MATERIALIZED (${rawValuesSql(raw, { fields: own, time: 'NULL' }, params, select)})`)
    const list = `list_transform(${RAW_STRINGS}, lambda s: ${numberSql('s')})`
    const ofRaw = (at: number) => `SELECT ${list} AS list, n FROM ${name} WHERE facet = ${at}`
    return [...sql, ...raw.map(request => perIntervalSql(request, params, ofRaw(request.at)))]
  })
  const tables = raws.length > 0 ? `WITH ${raws.join(', ')} ` : ''
  const sql = `${tables}SELECT facet, bin, sum(n) AS n FROM (${counted.join(' UNION ALL ')}) GROUP BY facet, bin`
  const results = requests.map(({ field, bounds }) => ({ field, counts: zeros(bounds.length + 1) }))
  for (const row of await runStatement(scope, sql, params))
    results[Number(row['facet'])]!.counts[Number(row['bin'])] = toCount(row['n'])
  return results
}
