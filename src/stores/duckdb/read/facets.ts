import type { FacetRequest, FacetResult, FacetValue } from '../../../domain/search.js'
import { compileFilter } from './compile-filter.js'
import type { TableFields } from './field-target.js'
import { eachValueSql, fieldValue, type FieldValue } from './field-value.js'
import { candidateScope } from './candidate-segments.js'
import type { NarrowedByIds } from './narrowed-by-ids.js'
import { Params } from './params.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

interface Candidate {
  readonly request: FacetRequest
  readonly value: FieldValue
}

/** Facets in the requested order; those that share a filter and have one value per row come from one pass. */
export async function countFacets(
  narrowing: NarrowedByIds,
  fields: TableFields,
  requests: readonly FacetRequest[]
): Promise<readonly FacetResult[]> {
  const results = new Map<FacetRequest, FacetResult>()
  for (const group of passes(fields, requests)) {
    for (const [i, result] of (await countPass(await narrowing.scopeOf(group[0]!.filter), fields, group)).entries())
      results.set(group[i]!, result)
  }
  return requests.map(request => results.get(request)!)
}

function passes(fields: TableFields, requests: readonly FacetRequest[]): readonly (readonly FacetRequest[])[] {
  const groups = new Map<unknown, FacetRequest[]>()
  for (const request of requests) {
    const isList = fieldValue(request.field, fields, new Params()).isList
    const key = isList ? request : JSON.stringify(request.filter)
    const group = groups.get(key)
    if (group) group.push(request)
    else groups.set(key, [request])
  }
  return [...groups.values()]
}

async function countPass(scope: Scope, fields: TableFields, requests: readonly FacetRequest[]): Promise<readonly FacetResult[]> {
  const params = new Params()
  const candidates = requests.map(request => ({ request, value: fieldValue(request.field, fields, params) }))
  const source = allRowsSql(await candidateScope(scope, requests[0]!.filter), params)
  const where = compileFilter(requests[0]!.filter, fields, params)
  const first = candidates[0]!
  const counted = first.value.isList ? listCounts(first.value, source, where) : columnCounts(candidates, source, where)
  const rows = await runStatement(scope, rankedSql(counted, requests, params), params)
  const results = requests.map((request, i) =>
    toFacet(
      request,
      rows.filter(row => row['facet'] === i)
    )
  )
  return Promise.all(results.map(async result => (result.manyValued ? recount(scope, fields, result) : result.facet)))
}

/** `facet, value, n, firsts, last`: `firsts` counts each row once, under one of its values. */
function columnCounts(candidates: readonly Candidate[], source: string, where: string): string {
  const names = candidates.map((_, i) => `v${i}`)
  const inner = candidates.map(({ value }, i) => `${value.column ?? value.sql} AS v${i}`)
  // grouping_id has one bit per column, set where the row is not grouped by it; the first column's bit is the highest.
  const bits = (i: number) => 2 ** names.length - 1 - 2 ** (names.length - 1 - i)
  const pick = (what: (i: number) => string) =>
    `CASE grouping_id(${names.join(', ')}) ${names.map((_, i) => `WHEN ${bits(i)} THEN ${what(i)}`).join(' ')} END`
  return `SELECT ${pick(String)} AS facet, nullif(${pick(i => names[i]!)}, '') AS value, count(*) AS n, n AS firsts, max(ts) AS last
    FROM (SELECT ts, ${inner.join(', ')} FROM ${source} WHERE ${where})
    GROUP BY GROUPING SETS (${names.map(name => `(${name})`).join(', ')})`
}

function listCounts(value: FieldValue, source: string, where: string): string {
  return `SELECT 0 AS facet, value, count(*) AS n, count(*) FILTER (value IS NULL OR value = first) AS firsts, max(ts) AS last
    FROM (SELECT ts, list[1] AS first, ${eachValueSql('list')} AS value
      FROM (SELECT ts, ${value.sql} AS list FROM ${source} WHERE ${where}))
    GROUP BY value`
}

/** The best values of each facet, and the sum of the facet's other rows. */
function rankedSql(counted: string, requests: readonly FacetRequest[], params: Params): string {
  const perFacet = (what: (request: FacetRequest) => string, otherwise: string) =>
    `CASE facet ${requests.map((request, i) => `WHEN ${i} THEN ${what(request)}`).join(' ')} ELSE ${otherwise} END`
  const listed = perFacet(({ prefix }) => (prefix ? `starts_with(value, ${params.add(prefix)})` : 'value IS NOT NULL'), 'FALSE')
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
  const list = fieldValue(request.field, fields, params).sql
  const listed = params.addList(facet.values.map(({ value }) => value))
  const sql = `SELECT count(*) AS n FROM (SELECT ${list} AS list FROM ${allRowsSql(scope, params)}
    WHERE ${compileFilter(request.filter, fields, params)}) WHERE len(list) > 0 AND NOT list_has_any(list, ${listed})`
  const [row] = await runStatement(scope, sql, params)
  return { ...facet, other: toCount(row?.['n']) }
}
