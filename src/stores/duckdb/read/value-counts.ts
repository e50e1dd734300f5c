import { groupedBy } from '../../../domain/grouped-by.js'
import type { FacetRequest } from '../../../domain/search.js'
import type { TableFields } from './field-target.js'
import { eachValueSql, type FieldValue, fieldValue } from './field-value.js'
import { groupingSets, inSets } from './grouping-sets.js'
import { type MatchedRows, matchingParts, matchingSql } from './matching-rows.js'
import { Params } from './params.js'
import { isRaw, RAW_STRINGS, rawValuesSql } from './raw-values.js'
import type { Scope } from './source.js'
import { type ResultRow, runStatement, toCount } from './statement.js'

/** The rows with one value of a field. */
export interface ValueCount {
  /** Empty for rows without the field. */
  readonly value: string
  readonly rows: number
  /** Those of them that are not counted under another value: a row with several values is counted once. */
  readonly firsts: number
  /** Null unless it was requested. */
  readonly lastNs: bigint | null
}

/** What a facet counts in some rows. */
export interface FacetCell {
  /** Null for a field of more values, or of longer ones, than are kept. */
  readonly counts: readonly ValueCount[] | null
}

/** Values of a cell, and bytes of these. */
const MAX_VALUES = 500
const MAX_TEXT_BYTES = 32 * 1024

/** Whether rows may have several values of the field of a facet. */
export function isListed({ field }: FacetRequest, fields: TableFields): boolean {
  return fieldValue(field, fields, new Params()).isList
}

/**
 * SQL of `facet, value, n, firsts, last`: how many rows have which value of each facet, by its number. The facets share a
 * filter, and `isListed` is the same for all. `firsts` counts each row once, under one of its values; a value may come twice.
 */
export async function valueCountsSql(
  scope: Scope,
  fields: TableFields,
  requests: readonly FacetRequest[],
  params: Params
): Promise<string> {
  const [first] = requests
  const matched = { fields, filter: first!.filter, groups: requests.map(({ field }) => field) }
  const count = isListed(first!, fields) ? listCounts : columnCounts
  return count(scope, matched, requests, params)
}

/** The time of a row, where it was requested: to read it costs more than most values. */
function timeSql(requests: readonly FacetRequest[]): string {
  return requests.some(({ lastSeen }) => lastSeen === true) ? 'ts' : 'CAST(NULL AS BIGINT)'
}

/** Of fields of which each row has one value at most. */
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

/** Of fields of which rows may have several values; the strings of rows with one at most are made by value. */
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

/** Counts facets that share a filter, in the order of the requests. */
export async function countFacetCells(
  scope: Scope,
  fields: TableFields,
  requests: readonly FacetRequest[]
): Promise<readonly FacetCell[]> {
  const params = new Params()
  const sql = `WITH counted AS MATERIALIZED (${await valueCountsSql(scope, fields, requests, params)}),
    facets AS (SELECT facet, count(*) <= ${MAX_VALUES} AND coalesce(sum(strlen(value)), 0) <= ${MAX_TEXT_BYTES} AS is_kept
      FROM counted GROUP BY facet)
    SELECT facets.facet, is_kept, coalesce(value, '') AS value, n, firsts, last
    FROM facets LEFT JOIN counted ON counted.facet = facets.facet AND is_kept`
  const rows = groupedBy(await runStatement(scope, sql, params), row => row['facet'] as number)
  return requests.map((_, i) => {
    const own = rows.get(i) ?? []
    return { counts: own[0]?.['is_kept'] === false ? null : own.map(toValueCount) }
  })
}

function toValueCount(row: ResultRow): ValueCount {
  return {
    value: row['value'] as string,
    rows: toCount(row['n']),
    firsts: toCount(row['firsts']),
    lastNs: row['last'] as bigint | null
  }
}
