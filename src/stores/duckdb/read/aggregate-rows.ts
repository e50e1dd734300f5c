import type { AggregateRequest } from '../../../domain/aggregate.js'
import type { MeasuredColumns, ReadColumn } from './aggregate-columns.js'
import { readColumn } from './aggregate-columns.js'
import type { TableFields } from './field-target.js'
import { eachValueSql, fieldValue, type FieldValue } from './field-value.js'
import { matchingParts } from './matching-rows.js'
import type { Params } from './params.js'
import type { Scope } from './source.js'

/** A table of `bucket, n, c0, ...` and `k0, ...`: a row per record and group, and one with `n = 0` for each further number of a record. */
export interface AggregateRows {
  readonly sql: string
  /** Whether there may be rows with `n = 0`. */
  readonly isExpanded: boolean
}

/** What rows are needed of a request. */
export interface AggregateSource {
  readonly fields: TableFields
  readonly request: AggregateRequest
  readonly columns: MeasuredColumns
  /** Name of a table of `k0, ...` with groups whose records are left out. The others come once each, without their groups. */
  readonly without?: string
}

interface PartColumns {
  readonly keys: readonly FieldValue[]
  readonly values: readonly ReadColumn[]
}

const keyName = ({ isList }: FieldValue, i: number): string => `${isList ? 'l' : 'k'}${i}`
const valueName = ({ isList }: ReadColumn, i: number): string => `${isList ? 'm' : 'c'}${i}`

/** Buckets of the grid, -1 outside of it. */
function bucketSql({ grid }: AggregateRequest, params: Params): string {
  if (!grid) return '0'
  const [start, end] = [params.add(grid.startNs), params.add(grid.startNs + grid.stepNs * BigInt(grid.count))]
  return `CASE WHEN ts >= ${start} AND ts < ${end} THEN CAST((ts - ${start}) // ${params.add(grid.stepNs)} AS INTEGER) ELSE -1 END`
}

/** Condition on rows of `k0, l1, ...`: that none of their groups is in the table. */
function isApartSql(keys: readonly FieldValue[], table: string): string {
  const same = keys.map((key, i) => {
    const name = keyName(key, i)
    const own = `${table}.k${i}`
    if (!key.isList) return `own.${name} IS NOT DISTINCT FROM ${own}`
    return `(list_contains(own.${name}, ${own}) OR (${own} IS NULL AND len(own.${name}) = 0))`
  })
  return `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${same.join(' AND ')})`
}

/** A struct per row and further number: the first has the row's columns and the first number of each list. */
function expandedSql(values: readonly ReadColumn[]): string {
  const struct = (n: number, at: (value: ReadColumn, i: number) => string) =>
    `struct_pack(n := ${n}, ${values.map((value, i) => `c${i} := CAST(${at(value, i)} AS ${value.type})`).join(', ')})`
  const first = struct(1, (value, i) => (value.isList ? `m${i}[1]` : `c${i}`))
  const further = values.flatMap(({ isList }, at) => {
    if (!isList) return []
    return [`list_transform(m${at}[2:], lambda x: ${struct(0, (_, i) => (i === at ? 'x' : 'NULL'))})`]
  })
  const isShort = values.flatMap(({ isList }, i) => (isList ? [`len(m${i}) <= 1`] : [])).join(' AND ')
  return `unnest(CASE WHEN ${isShort} THEN [${first}] ELSE list_concat([${first}], ${further.join(', ')}) END)`
}

/** Groups of one record: beyond it the values of several fields multiply. */
export const MAX_GROUPS_OF_RECORD = 1_000
/** What the engine's error about such a record begins with. */
export const MANY_GROUPS = 'groups of one record: '

function withEachGroup(rows: string, keys: readonly FieldValue[]): string {
  const lists = keys.flatMap(({ isList }, i) => (isList ? [`greatest(len(l${i}), 1)`] : []))
  const groups = lists.join(' * ')
  const isBounded = `CASE WHEN ${groups} > ${MAX_GROUPS_OF_RECORD} THEN error(concat('${MANY_GROUPS}', ${groups})) ELSE TRUE END`
  const bounded = lists.length > 1 ? `SELECT * FROM (${rows}) WHERE ${isBounded}` : rows
  return keys.reduce(
    (sql, key, i) => (key.isList ? `SELECT * EXCLUDE (l${i}), ${eachValueSql(`l${i}`)} AS k${i} FROM (${sql})` : sql),
    bounded
  )
}

function partSql(select: (columns: string) => string, bucket: string, { keys, values }: PartColumns, without?: string): string {
  const columns = [
    `${bucket} AS bucket`,
    ...keys.map((key, i) => `${key.sql} AS ${keyName(key, i)}`),
    ...values.map((value, i) => `${value.sql} AS ${valueName(value, i)}`)
  ]
  const rows = select(columns.join(', '))
  const kept = without === undefined ? rows : `SELECT * FROM (${rows}) AS own WHERE ${isApartSql(keys, without)}`
  const names = ['bucket', ...keys.map(keyName)].join(', ')
  const isExpanded = values.some(({ isList }) => isList)
  const apart = isExpanded ? `SELECT ${names}, ${expandedSql(values)} AS r FROM (${kept})` : kept
  const ofRow = values.map((_, i) => (isExpanded ? `r.c${i} AS c${i}` : `c${i}`))
  const keyed = without === undefined ? keys.map((_, i) => `k${i}`) : []
  const grouped = without === undefined ? withEachGroup(apart, keys) : apart
  return `SELECT ${['bucket', isExpanded ? 'r.n AS n' : '1 AS n', ...keyed, ...ofRow].join(', ')} FROM (${grouped})`
}

/** The rows of a request in a scope. */
export async function aggregateRows(scope: Scope, source: AggregateSource, params: Params): Promise<AggregateRows> {
  const { fields, request, columns, without } = source
  const { filter, groupBy } = request
  const read = [...groupBy, ...columns.list.map(({ field }) => field)]
  const bucket = bucketSql(request, params)
  let isExpanded = false
  const parts = (await matchingParts(scope, { fields, filter, groups: read }, params)).map(({ fields: own, select }) => {
    const keys = groupBy.map(field => fieldValue(field, own, params))
    const values = columns.list.map(column => readColumn(column, own, params))
    isExpanded ||= values.some(({ isList }) => isList)
    return partSql(select, bucket, { keys, values }, without)
  })
  return { sql: `(${parts.join(' UNION ALL ')})`, isExpanded }
}
