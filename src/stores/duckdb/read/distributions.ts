import type { Filter } from '../../../domain/filter.js'
import type { DistributionRequest, DistributionResult } from '../../../domain/search.js'
import { zeros } from '../../../domain/zeros.js'
import type { TableFields } from './field-target.js'
import { matchingParts } from './matching-rows.js'
import { numberValue } from './number-value.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** The number of the interval that `value` is in, found by halving: 16 intervals of a million numbers take 54 ms, by sums 221. */
function intervalSql(value: string, bounds: readonly string[], from = 0, to = bounds.length): string {
  if (from === to) return String(from)
  const middle = (from + to) >> 1
  const [below, above] = [intervalSql(value, bounds, from, middle), intervalSql(value, bounds, middle + 1, to)]
  return `CASE WHEN ${value} < ${bounds[middle]!} THEN ${below} ELSE ${above} END`
}

async function countIntervals(
  scope: Scope,
  fields: TableFields,
  filter: Filter,
  { field, bounds }: DistributionRequest
): Promise<DistributionResult> {
  const params = new Params()
  const limits = bounds.map(bound => `CAST(${params.add(bound)} AS DOUBLE)`)
  const parts = await matchingParts(scope, { fields, filter, groups: [field] }, params)
  const counted = parts.map(({ fields: own, select }) => {
    const { sql, isList } = numberValue(field, own, params)
    const rows = select(`${sql} AS v`)
    if (!isList) return `SELECT ${intervalSql('v', limits)} AS bin, count(*) AS n FROM (${rows}) WHERE v IS NOT NULL GROUP BY bin`
    const each = `list_distinct(list_transform(list_filter(v, lambda x: x IS NOT NULL), lambda x: ${intervalSql('x', limits)}))`
    return `SELECT bin, count(*) AS n FROM (SELECT unnest(${each}) AS bin FROM (${rows})) GROUP BY bin`
  })
  const counts = zeros(bounds.length + 1)
  const rows = await runStatement(scope, `SELECT bin, sum(n) AS n FROM (${counted.join(' UNION ALL ')}) GROUP BY bin`, params)
  for (const row of rows) counts[Number(row['bin'])] = toCount(row['n'])
  return { field, counts }
}

/** Counts of rows by intervals, in the order of the requests. */
export async function countDistributions(
  scope: Scope,
  fields: TableFields,
  filter: Filter,
  requests: readonly DistributionRequest[]
): Promise<readonly DistributionResult[]> {
  const results: DistributionResult[] = []
  // A reader runs one statement at a time.
  for (const request of requests) results.push(await countIntervals(scope, fields, filter, request))
  return results
}
