import type { FacetRequest, FacetResult, FacetValue } from '../../../domain/search.js'
import type { FacetCells, FacetPart } from './facet-cells.js'
import type { TableFields } from './field-target.js'
import { fieldValue, valueListSql } from './field-value.js'
import { matchingSql } from './matching-rows.js'
import type { NarrowedByIds } from './narrowed-by-ids.js'
import { pageFacet, type WholePage } from './page-facets.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { runStatement, toCount, type ResultRow } from './statement.js'
import { textCondition } from './text-condition.js'
import { isListed, valueCountsSql } from './value-counts.js'

/** What facets are counted of. */
export interface FacetSource {
  readonly narrowing: NarrowedByIds
  readonly fields: TableFields
  /** All matching rows, if they are on the page. */
  readonly whole: WholePage | null
  readonly cells: FacetCells
}

/** Facets in the requested order; those that share a filter and have one value per row come from one pass. */
export async function countFacets(
  { narrowing, fields, whole, cells }: FacetSource,
  requests: readonly FacetRequest[]
): Promise<readonly FacetResult[]> {
  const results = new Map<FacetRequest, FacetResult>()
  for (const request of whole ? requests : []) {
    const facet = pageFacet(whole!, fields, request)
    if (facet) results.set(request, facet)
  }
  const others = requests.filter(request => !results.has(request))
  for (const group of passes(fields, others)) {
    const scope = await narrowing.scopeOf(group[0]!.filter)
    for (const part of await cells.partsOf(scope, fields, group))
      for (const [i, result] of (await countPart(scope, fields, part)).entries()) results.set(part.requests[i]!, result)
  }
  return requests.map(request => results.get(request)!)
}

function passes(fields: TableFields, requests: readonly FacetRequest[]): readonly (readonly FacetRequest[])[] {
  const groups = new Map<string, FacetRequest[]>()
  for (const request of requests) {
    const key = `${isListed(request, fields)} ${JSON.stringify(request.filter)}`
    const group = groups.get(key)
    if (group) group.push(request)
    else groups.set(key, [request])
  }
  return [...groups.values()]
}

/** Facets of a part; `scope` has all of its rows. */
async function countPart(scope: Scope, fields: TableFields, part: FacetPart): Promise<readonly FacetResult[]> {
  const { requests, remaining, counts } = part
  const params = new Params()
  const counted = withCounts(await valueCountsSql(remaining, fields, requests, params), counts, params)
  const rows = await runStatement(scope, rankedSql(counted, requests, params), params)
  const results = requests.map((request, i) =>
    toFacet(
      request,
      rows.filter(row => row['facet'] === i)
    )
  )
  return Promise.all(results.map(async result => (result.manyValued ? recount(scope, fields, result) : result.facet)))
}

/** SQL as that of `valueCountsSql`, with the counts of each facet added. */
function withCounts(remaining: string, counts: FacetPart['counts'], params: Params): string {
  const rows = counts.flatMap((values, facet) => values.map(count => ({ facet, ...count })))
  if (rows.length === 0) return remaining
  const unnested = (values: readonly (string | number | bigint)[]) => `unnest(${params.addColumn(values)})`
  const last = rows.some(({ lastNs }) => lastNs !== null) ? unnested(rows.map(({ lastNs }) => lastNs ?? 0n)) : 'NULL'
  const bound = `SELECT CAST(facet AS INTEGER) AS facet, nullif(value, '') AS value, CAST(n AS BIGINT) AS n,
      CAST(firsts AS BIGINT) AS firsts, CAST(last AS BIGINT) AS last
    FROM (SELECT ${unnested(rows.map(({ facet }) => facet))} AS facet, ${unnested(rows.map(({ value }) => value))} AS value,
      ${unnested(rows.map(count => count.rows))} AS n, ${unnested(rows.map(({ firsts }) => firsts))} AS firsts, ${last} AS last)`
  return `SELECT facet, value, sum(n) AS n, sum(firsts) AS firsts, max(last) AS last
    FROM (${remaining} UNION ALL ${bound}) GROUP BY facet, value`
}

/** The best values of each facet, and the sum of the facet's other rows. */
function rankedSql(counted: string, requests: readonly FacetRequest[], params: Params): string {
  const perFacet = (what: (request: FacetRequest) => string, otherwise: string) =>
    `CASE facet ${requests.map((request, i) => `WHEN ${i} THEN ${what(request)}`).join(' ')} ELSE ${otherwise} END`
  const listed = perFacet(request => listedSql(request, params), 'FALSE')
  const limit = perFacet(request => params.add(request.limit), '0')
  return `WITH counted AS MATERIALIZED (${counted}),
    sums AS (SELECT facet, count(*) FILTER (${listed}) AS different, sum(n) FILTER (value IS NOT NULL) AS occurrences,
      sum(firsts) FILTER (value IS NOT NULL) AS valued, sum(n) FILTER (value IS NULL) AS missing
      FROM counted GROUP BY facet),
    ranked AS (SELECT *, row_number() OVER (PARTITION BY facet ORDER BY n DESC, value) AS rank
      FROM counted WHERE ${listed})
    SELECT sums.*, value, n, last FROM sums
    LEFT JOIN (SELECT * FROM ranked WHERE rank <= ${limit}) AS top ON top.facet = sums.facet
    ORDER BY sums.facet, rank`
}

/** Whether the facet lists a value. */
function listedSql({ field, prefix, contains }: FacetRequest, params: Params): string {
  const value = { sql: 'value', foldColumn: null, comparesNumbers: false }
  return [
    'value IS NOT NULL',
    ...(prefix ? [textCondition(value, { kind: 'prefix', field, value: prefix }, params)] : []),
    ...(contains ? [textCondition(value, { kind: 'contains', field, value: contains }, params)] : [])
  ].join(' AND ')
}

interface Facet {
  readonly request: FacetRequest
  readonly facet: FacetResult
  readonly manyValued: boolean
}

function toFacet(request: FacetRequest, rows: readonly ResultRow[]): Facet {
  const values: FacetValue[] = rows
    .filter(row => row['value'] !== null)
    .map(row => ({
      value: row['value'] as string,
      count: toCount(row['n']),
      ...(request.lastSeen && { lastSeenNs: row['last'] as bigint })
    }))
  const valued = toCount(rows[0]?.['valued'])
  const listed = values.reduce((sum, { count }) => sum + count, 0)
  const facet: FacetResult = {
    field: request.field,
    values,
    distinct: { value: toCount(rows[0]?.['different']), relation: 'eq' },
    other: valued - listed,
    missing: toCount(rows[0]?.['missing'])
  }
  return { request, facet, manyValued: toCount(rows[0]?.['occurrences']) !== valued }
}

/** Rows none of whose many values is listed: sums of counts do not show them, since a row counts once per value. */
async function recount(scope: Scope, fields: TableFields, { request, facet }: Facet): Promise<FacetResult> {
  const params = new Params()
  const { field, filter } = request
  const list = (own: TableFields) => `${valueListSql(fieldValue(field, own, params))} AS list`
  const source = await matchingSql(scope, { fields, filter, groups: [field] }, params, list)
  const listed = params.addList(facet.values.map(({ value }) => value))
  const sql = `SELECT count(*) AS n FROM ${source} WHERE len(list) > 0 AND NOT list_has_any(list, ${listed})`
  const [row] = await runStatement(scope, sql, params)
  return { ...facet, other: toCount(row?.['n']) }
}
