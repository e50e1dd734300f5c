import type { Field } from '../../../domain/filter.js'
import { SPREAD_PERCENTILES, type SpreadPercentiles, type SpreadRequest, type SpreadResult } from '../../../domain/search.js'
import { Pace } from '../../../threads/pace.js'
import { MeasuredColumns } from './aggregate-columns.js'
import { aggregateRows } from './aggregate-rows.js'
import { ungroupedRequest } from './aggregate-values.js'
import type { TableFields } from './field-target.js'
import { groupingSets } from './grouping-sets.js'
import { BIN_ERROR, binSql, isBoundedBin, middleOf } from './number-bins.js'
import { Params } from './params.js'
import { between, type BinnedRank, ranksOf } from './ranks.js'
import type { Scope } from './source.js'
import { type ResultRow, runStatement, toCount } from './statement.js'

/** Bins that are taken out of a result without yielding to the event loop: some milliseconds. */
const BINS_AT_ONCE = 20_000

/** The numbers of a field in some rows. */
export interface NumberCounts {
  /** `Infinity` without numbers. */
  readonly min: number
  /** `-Infinity` without numbers. */
  readonly max: number
  /** How many there are, by bin. */
  readonly bins: ReadonlyMap<number, number>
}

/** Adds up the numbers of several parts of rows. */
export class NumberSum implements NumberCounts {
  readonly bins = new Map<number, number>()
  min = Infinity
  max = -Infinity

  addBin(bin: number, count: number): void {
    this.bins.set(bin, (this.bins.get(bin) ?? 0) + count)
  }

  extend(min: number, max: number): void {
    this.min = Math.min(this.min, min)
    this.max = Math.max(this.max, max)
  }
}

/** Counts the numbers of different fields by bins, in the order of the requests, which share a filter: two passes over the rows. */
export async function countNumbers(
  scope: Scope,
  fields: TableFields,
  requests: readonly SpreadRequest[]
): Promise<readonly NumberSum[]> {
  const measures = requests.map(({ field }) => ({ kind: 'numbers', field }) as const)
  const request = ungroupedRequest(scope, requests[0]!.filter, measures)
  const columns = new MeasuredColumns(request)
  const params = new Params()
  const { sql } = await aggregateRows(scope, { fields, request, columns }, params)
  const numbers = columns.list.map((_, i) => `c${i}`)
  const sums = numbers.map(() => new NumberSum())
  const [extremes] = await runStatement(scope, extremesSql(sql, numbers), params)
  for (const [i, sum] of sums.entries()) {
    const min = extremes?.[`min${i}`] as number | null
    if (min !== null) sum.extend(min, extremes![`max${i}`] as number)
  }
  await addBins(sums, await runStatement(scope, binsSql(sql, numbers), params), scope.signal)
  return requests.map(({ field }) => sums[columns.indexOf({ field, as: 'number' })]!)
}

function extremesSql(rows: string, numbers: readonly string[]): string {
  return `SELECT ${numbers.map((name, i) => `min(${name}) AS min${i}, max(${name}) AS max${i}`).join(', ')} FROM ${rows}`
}

/** SQL of `at, bin, n`: how many numbers each column has in each bin; `bin` is NULL for rows without one. */
function binsSql(rows: string, numbers: readonly string[]): string {
  const bins = numbers.map((name, i) => `CASE WHEN ${name} IS NOT NULL THEN ${binSql(name)} END AS b${i}`)
  const { pick, groupBy } = groupingSets(numbers.map((_, i) => `b${i}`))
  return `SELECT ${pick(String)} AS at, ${pick(i => `b${i}`)} AS bin, count(*) AS n FROM (SELECT ${bins.join(', ')} FROM ${rows}) ${groupBy}`
}

async function addBins(sums: readonly NumberSum[], rows: readonly ResultRow[], signal: AbortSignal): Promise<void> {
  const pace = new Pace(BINS_AT_ONCE, signal)
  for (const { at, bin, n } of rows) {
    if (bin !== null) sums[at as number]!.addBin(bin as number, toCount(n))
    if (pace.isDue()) await pace.rest()
  }
}

/** Whether a percentile is within `BIN_ERROR` of the true one. Between numbers of different signs the true one may be 0. */
function isBounded({ low, high }: BinnedRank): boolean {
  return isBoundedBin(low) && isBoundedBin(high) && (low >= 0 || high <= 0)
}

/** The spread of numbers that were counted by bins. Extremes are exact; percentiles are estimates. */
export function estimatedSpread(field: Field, { min, max, bins }: NumberCounts): SpreadResult {
  const ranks = ranksOf(bins, SPREAD_PERCENTILES)
  if (ranks === null) {
    const nothing = { min: null, max: null, areExtremesExact: true, relativeError: 0 }
    return { field, numbers: 0, ...nothing, percentiles: [null, null, null, null, null] }
  }
  const percentiles = ranks.map(({ low, high, share }) =>
    Math.min(Math.max(between(middleOf(low), middleOf(high), share), min), max)
  )
  return {
    field,
    numbers: [...bins.values()].reduce((sum, count) => sum + count, 0),
    min,
    max,
    areExtremesExact: true,
    percentiles: percentiles as unknown as SpreadPercentiles,
    relativeError: ranks.every(isBounded) ? BIN_ERROR : null
  }
}
