import type { FacetRequest, FacetResult, FacetValue } from '../../../domain/search.js'
import type { TableFields } from './field-target.js'
import { eachValueSql, type FieldValue, fieldValue, valueListSql } from './field-value.js'
import { groupingSets, inSets } from './grouping-sets.js'
import { type MatchedRows, matchingParts, matchingSql } from './matching-rows.js'
import type { NarrowedByIds } from './narrowed-by-ids.js'
import { pageFacet, type WholePage } from './page-facets.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { isRaw, RAW_STRINGS, rawValuesSql } from './raw-values.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

/** Facets in the requested order; those that share a filter and have one value per row come from one pass. */
export async function countFacets(
  narrowing: NarrowedByIds,
  fields: TableFields,
  requests: readonly FacetRequest[],
  whole: WholePage | null
): Promise<readonly FacetResult[]> {
  const results = new Map<FacetRequest, FacetResult>()
  for (const request of whole ? requests : []) {
    const facet = pageFacet(whole!, fields, request)
    if (facet) results.set(request, facet)
  }
  const others = requests.filter(request => !results.has(request))
  for (const group of passes(fields, others)) {
    for (const [i, result] of (await countPass(await narrowing.scopeOf(group[0]!.filter), fields, group)).entries())
      results.set(group[i]!, result)
  }
  return requests.map(request => results.get(request)!)
}

function passes(fields: TableFields, requests: readonly FacetRequest[]): readonly (readonly FacetRequest[])[] {
  const groups = new Map<string, FacetRequest[]>()
  for (const request of requests) {
    const isList = fieldValue(request.field, fields, new Params()).isList
    const key = `${isList} ${JSON.stringify(request.filter)}`
    const group = groups.get(key)
    if (group) group.push(request)
    else groups.set(key, [request])
  }
  return [...groups.values()]
}

async function countPass(scope: Scope, fields: TableFields, requests: readonly FacetRequest[]): Promise<readonly FacetResult[]> {
  const params = new Params()
  const [first] = requests
  const matched = { fields, filter: first!.filter, groups: requests.map(({ field }) => field) }
  const { isList } = fieldValue(first!.field, fields, new Params())
  const counted = isList
    ? await listCounts(scope, matched, requests, params)
    : await columnCounts(scope, matched, requests, params)
  const rows = await runStatement(scope, rankedSql(counted, requests, params), params)
  const results = requests.map((request, i) =>
    toFacet(
      request,
      rows.filter(row => row['facet'] === i)
    )
  )
  return Promise.all(results.map(async result => (result.manyValued ? recount(scope, fields, result) : result.facet)))
}

/** The time of a row, where it was requested: to read it costs more than most values. */
function timeSql(requests: readonly FacetRequest[]): string {
  return requests.some(({ lastSeen }) => lastSeen === true) ? 'ts' : 'CAST(NULL AS BIGINT)'
}

/** `facet, value, n, firsts, last`: `firsts` counts each row once, under one of its values. */
async function columnCounts(
  scope: Scope,
  matched: MatchedRows,
  requests: readonly FacetRequest[],
  params: Params
): Promise<string> {
  const names = requests.map((_, i) => `v${i}`)
  const time = timeSql(requests)
  const columns = (fields: TableFields) => {
    const values = requests.map(({ field }) => fieldValue(field, fields, params))
    return [`${time} AS time`, ...values.map(({ column, sql }, i) => `${column ?? sql} AS v${i}`)].join(', ')
  }
  const source = await matchingSql(scope, matched, params, columns)
  const { pick, groupBy } = groupingSets(names)
  return `SELECT ${pick(String)} AS facet, nullif(${pick(i => names[i]!)}, '') AS value, count(*) AS n, n AS firsts, max(time) AS last
    FROM ${source} ${groupBy}`
}

/** The same of fields of which rows may have several values; the strings of rows with one at most are made by value. */
async function listCounts(
  scope: Scope,
  matched: MatchedRows,
  requests: readonly FacetRequest[],
  params: Params
): Promise<string> {
  const numbered = requests.map(({ field }, at) => ({ field, at }))
  const time = timeSql(requests)
  const counted = (await matchingParts(scope, matched, params)).flatMap(({ fields, select }) => {
    const raw = numbered.filter(({ field }) => isRaw(field, fields))
    const read = numbered
      .filter(({ field }) => !isRaw(field, fields))
      .map(({ field, at }) => ({ at, value: fieldValue(field, fields, params) }))
    const lists = read
      .filter(({ value }) => value.isList)
      .map(({ at, value }) => perValueSql(select(`${at} AS facet, ${value.sql} AS list, 1 AS n, ${time} AS last`)))
    const single = inSets(read.filter(({ value }) => !value.isList)).map(part => singleValuesSql(part, time, select))
    const apart = [...lists, ...single]
    if (raw.length === 0) return apart
    const list = `list_distinct(list_filter(${RAW_STRINGS}, lambda v: v <> ''))`
    const rows = rawValuesSql(raw, { fields, time }, params, select)
    return [...apart, perValueSql(`SELECT facet, ${list} AS list, n, last FROM (${rows})`)]
  })
  return `SELECT facet, value, sum(n) AS n, sum(firsts) AS firsts, max(last) AS last
    FROM (${counted.join(' UNION ALL ')}) GROUP BY facet, value`
}

/** Rows of `facet, value, n, firsts, last` of columns with one value per row, whose strings are made by value. */
function singleValuesSql(
  columns: readonly { readonly at: number; readonly value: FieldValue }[],
  time: string,
  select: (columns: string) => string
): string {
  const { pick, groupBy } = groupingSets(columns.map((_, i) => `v${i}`))
  const values = columns.map(({ value: { sql, column = sql } }, i) => `${column} AS v${i}`)
  return `SELECT ${pick(i => String(columns[i]!.at))} AS facet, nullif(${pick(i => `CAST(v${i} AS VARCHAR)`)}, '') AS value,
    count(*) AS n, n AS firsts, max(time) AS last FROM (${select([`${time} AS time`, ...values].join(', '))}) ${groupBy}`
}

/** Rows of `facet, list, n, last`, by value. */
function perValueSql(rows: string): string {
  return `SELECT facet, value, sum(n) AS n, coalesce(sum(n) FILTER (value IS NULL OR value = first), 0) AS firsts, max(last) AS last
    FROM (SELECT facet, n, last, list[1] AS first, ${eachValueSql('list')} AS value FROM (${rows})) GROUP BY facet, value`
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
  const { field, filter } = request
  const list = (own: TableFields) => `${valueListSql(fieldValue(field, own, params))} AS list`
  const source = await matchingSql(scope, { fields, filter, groups: [field] }, params, list)
  const listed = params.addList(facet.values.map(({ value }) => value))
  const sql = `SELECT count(*) AS n FROM ${source} WHERE len(list) > 0 AND NOT list_has_any(list, ${listed})`
  const [row] = await runStatement(scope, sql, params)
  return { ...facet, other: toCount(row?.['n']) }
}
