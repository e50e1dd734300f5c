import type { DuckDBConnection } from '@duckdb/node-api'
import { NUMBER_PATTERN } from '../../../domain/number-text.js'
import { type FreeMember, JSON_COLUMNS, type JsonColumn } from '../free-columns.js'
import { mayBeNumberSql } from '../number-sql.js'
import { literal, queryRows } from '../process/sql.js'
import { jsonPointer } from '../read/field-target.js'

/** Names of members that are counted of each segment; with more its list is not complete. */
export const MAX_COUNTED_NAMES = 512

/** A member by its column and name. */
export type MemberName = Pick<FreeMember, 'of' | 'name'>

/** What all values of a member of some rows have in common. Without values: what no value contradicts. */
export interface MemberFacts {
  readonly isInteger: boolean
  readonly isNumber: boolean
  readonly hasNumbers: boolean
  readonly hasLists: boolean
  /** Characters of a value on average. */
  readonly length: number
}

/** Facts of a member without values. */
export const NO_FACTS: MemberFacts = { isInteger: true, isNumber: true, hasNumbers: false, hasLists: false, length: 0 }

/** Whole numbers beyond have more than 15 digits. */
const MAX_INTEGER = 999_999_999_999_999

/** SQL: the string is a whole number (FALSE for NULL), in the one way in which a column of whole numbers gives it back. */
export function isIntegerSql(text: string): string {
  const whole = `TRY_CAST(${text} AS BIGINT)`
  const isWhole = `coalesce(${whole} BETWEEN -${MAX_INTEGER} AND ${MAX_INTEGER} AND CAST(${whole} AS VARCHAR) = ${text}, FALSE)`
  return `CASE WHEN ${mayBeNumberSql(text)} THEN ${isWhole} ELSE FALSE END`
}

/** SQL: the string is a number (FALSE for NULL), as conditions on free fields have it. */
export function isNumberSql(text: string): string {
  const isFinite = `coalesce(isfinite(TRY_CAST(${text} AS DOUBLE)), FALSE)`
  return `CASE WHEN ${mayBeNumberSql(text)} AND regexp_full_match(${text}, '${NUMBER_PATTERN}') THEN ${isFinite} ELSE FALSE END`
}

function pointerSql(name: string): string {
  return literal(jsonPointer(name))
}

/** SQL: the member is a list. The look at the string spares parsing the JSON again. */
export function isListSql({ of, name }: MemberName, text: string): string {
  return `(starts_with(${text}, '[') AND json_type(${of}, ${pointerSql(name)}) = 'ARRAY')`
}

/** A source of SELECT with the strings of members: of each column of JSON all are taken out at once, since parsing costs most. */
export class MemberStrings {
  readonly #names: Readonly<Record<JsonColumn, readonly string[]>>

  constructor(members: readonly MemberName[]) {
    const namesOf = (column: JsonColumn) => members.filter(({ of }) => of === column).map(({ name }) => name)
    this.#names = { fields_json: namesOf('fields_json'), tags_json: namesOf('tags_json') }
  }

  /** SQL of the rows of `source` with lists of strings. */
  sourceSql(source: string): string {
    const lists = JSON_COLUMNS.filter(column => this.#names[column].length > 0).map(
      column => `, json_extract_string(${column}, [${this.#names[column].map(pointerSql).join(', ')}]) AS ${listName(column)}`
    )
    return `(SELECT *${lists.join('')} FROM (${source}))`
  }

  /** SQL of the string of a member; NULL for null, and where it is missing. */
  stringSql({ of, name }: MemberName): string {
    return `${listName(of)}[${this.#names[of].indexOf(name) + 1}]`
  }
}

function listName(column: JsonColumn): string {
  return `free_strings_${column}`
}

/** Counts the rows of each member, most frequent first, ties by name. `isComplete` is false where there are more names. */
export async function countMembers(
  connection: DuckDBConnection,
  source: string
): Promise<{ readonly members: readonly FreeMember[]; readonly isComplete: boolean }> {
  const members: FreeMember[] = []
  let isComplete = true
  for (const of of JSON_COLUMNS) {
    const sql = `SELECT name, count(*) AS rows FROM (SELECT unnest(json_keys(${of})) AS name FROM (${source}))
      GROUP BY name ORDER BY rows DESC, name LIMIT ${MAX_COUNTED_NAMES + 1}`
    const rows = await queryRows<{ name: string; rows: bigint }>(connection, sql)
    members.push(...rows.slice(0, MAX_COUNTED_NAMES).map(({ name, rows: count }) => ({ of, name, rows: Number(count) })))
    isComplete &&= rows.length <= MAX_COUNTED_NAMES
  }
  return { members, isComplete }
}

/** What the values of members have in common, in the order of the members. */
export async function readFacts(
  connection: DuckDBConnection,
  source: string,
  members: readonly MemberName[]
): Promise<readonly MemberFacts[]> {
  if (members.length === 0) return []
  const strings = new MemberStrings(members)
  const columns = members.flatMap((member, i) => {
    const text = strings.stringSql(member)
    return [
      `coalesce(bool_and(${isIntegerSql(text)}) FILTER (${text} IS NOT NULL), TRUE) AS integer${i}`,
      `coalesce(bool_and(${isNumberSql(text)}) FILTER (${text} IS NOT NULL), TRUE) AS number${i}`,
      `coalesce(bool_or(${isNumberSql(text)}), FALSE) AS numbers${i}`,
      `coalesce(bool_or(${isListSql(member, text)}), FALSE) AS lists${i}`,
      `coalesce(avg(length(${text})), 0) AS length${i}`
    ]
  })
  const sql = `SELECT ${columns.join(', ')} FROM ${strings.sourceSql(source)}`
  const [row] = await queryRows<Record<string, boolean | number>>(connection, sql)
  return members.map((_, i) => ({
    isInteger: row![`integer${i}`] as boolean,
    isNumber: row![`number${i}`] as boolean,
    hasNumbers: row![`numbers${i}`] as boolean,
    hasLists: row![`lists${i}`] as boolean,
    length: row![`length${i}`] as number
  }))
}
