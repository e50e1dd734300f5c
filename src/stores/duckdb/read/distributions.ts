import type { Filter } from '../../../domain/filter.js'
import type { DistributionRequest, DistributionResult } from '../../../domain/search.js'
import { zeros } from '../../../domain/zeros.js'
import type { TableFields } from './field-target.js'
import { matchingParts } from './matching-rows.js'
import { groupingSets, inSets } from './grouping-sets.js'
import { numberSql, type NumberValue, numberValue } from './number-value.js'
import { Params } from './params.js'
import { isRaw, RAW_STRINGS, rawValuesSql } from './raw-values.js'
import type { Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** A distribution with its number and its bounds as placeholders. */
interface NumberedRequest extends DistributionRequest {
  readonly at: number
  readonly limits: readonly string[]
}

/** The number of the interval that `value` is in, found by halving: 16 intervals of a million numbers take 54 ms, by sums 221. */
function intervalSql(value: string, limits: readonly string[], from = 0, to = limits.length): string {
  if (from === to) return String(from)
  const middle = (from + to) >> 1
  const [below, above] = [intervalSql(value, limits, from, middle), intervalSql(value, limits, middle + 1, to)]
  return `CASE WHEN ${value} < ${limits[middle]!} THEN ${below} ELSE ${above} END`
}

/** Rows of `facet, list, n` by the intervals of the numbers in `list`. */
function perIntervalSql({ at, limits }: NumberedRequest, rows: string): string {
  const intervals = `list_transform(list_filter(list, lambda x: x IS NOT NULL), lambda x: ${intervalSql('x', limits)})`
  return `SELECT ${at} AS facet, bin, sum(n) AS n FROM (SELECT n, unnest(list_distinct(${intervals})) AS bin FROM (${rows})) GROUP BY bin`
}

/** Rows of `facet, bin, n` of numbers of which rows have one at most. */
function singleNumbersSql(
  numbers: readonly { readonly request: NumberedRequest; readonly value: NumberValue }[],
  select: (columns: string) => string
): string {
  const { pick, groupBy } = groupingSets(numbers.map((_, i) => `b${i}`))
  const bins = numbers.map(
    ({ request }, i) => `CASE WHEN v${i} IS NOT NULL THEN ${intervalSql(`v${i}`, request.limits)} END AS b${i}`
  )
  const values = numbers.map(({ value }, i) => `${value.sql} AS v${i}`)
  return `SELECT * FROM (SELECT ${pick(i => String(numbers[i]!.request.at))} AS facet, ${pick(i => `b${i}`)} AS bin, count(*) AS n
    FROM (SELECT ${bins.join(', ')} FROM (${select(values.join(', '))})) ${groupBy}) WHERE bin IS NOT NULL`
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
    .map(({ request, value }) => perIntervalSql(request, select(`${value.sql} AS list, 1 AS n`)))
  return [...lists, ...inSets(read.filter(({ value }) => !value.isList)).map(part => singleNumbersSql(part, select))]
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
  const numbered = requests.map((request, at): NumberedRequest => {
    const limits = request.bounds.map(bound => `CAST(${params.add(bound)} AS DOUBLE)`)
    return { ...request, at, limits }
  })
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
    return [...sql, ...raw.map(request => perIntervalSql(request, ofRaw(request.at)))]
  })
  const tables = raws.length > 0 ? `WITH ${raws.join(', ')} ` : ''
  const sql = `${tables}SELECT facet, bin, sum(n) AS n FROM (${counted.join(' UNION ALL ')}) GROUP BY facet, bin`
  const results = requests.map(({ field, bounds }) => ({ field, counts: zeros(bounds.length + 1) }))
  for (const row of await runStatement(scope, sql, params))
    results[Number(row['facet'])]!.counts[Number(row['bin'])] = toCount(row['n'])
  return results
}
