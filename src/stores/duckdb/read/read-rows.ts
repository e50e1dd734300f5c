import type { Order, Position } from '../../../domain/search.js'
import type { Segment } from '../snapshot.js'
import { CandidateSegments } from './candidate-segments.js'
import { fillKeys, KEY_COLUMNS } from './late-rows.js'
import { Params } from './params.js'
import { compareRows, orderSql, beyondSql } from './record-order.js'
import { columnsSql, hotSql, overlapping, segmentsSql, type Scope } from './source.js'
import { runStatement, type ResultRow } from './statement.js'
import type { Filter } from '../../../domain/filter.js'
import { compileFilter } from './compile-filter.js'
import { freeClasses } from './free-classes.js'
import type { TableFields } from './field-target.js'

/** Which rows to read, and which of their columns (the ordering ones are always there). */
interface RowQuery {
  readonly fields: TableFields
  readonly filter: Filter
  readonly order: Order
  readonly after?: Position
  readonly limit: number
  readonly columns: readonly string[]
  /** The columns are few and short: they are read at once instead of keys first. */
  readonly isNarrow?: boolean
}

/** Conditions in SQL for the rows of the page; their values go into `params`. */
function pageConditions({ filter, fields, after, order }: RowQuery, params: Params): string[] {
  const conditions = [compileFilter(filter, fields, params)]
  if (after) conditions.push(beyondSql(after, order, params))
  return conditions
}

/** Rows at the end of a hot table that are looked at: some vectors of the engine. */
const LOOKED_AT = 8_192
/** Longer pages are hardly found among those. */
const LONGEST_PAGE = 1_024

/**
 * The time of the last row of a page of newest rows, if the page is among the latest rows: no row before it is needed. Rows
 * arrive with rising times, in which case an engine that keeps the newest it has seen discards all it
 * keeps again and again: of 100,000 rows a page took 24 ms, and takes 6. Null when they hold no such page.
 */
async function nearTime(scope: Scope, query: RowQuery, table: string): Promise<bigint | null> {
  if (query.order === 'asc' || query.limit > LONGEST_PAGE) return null
  const params = new Params()
  const rows = hotSql(table, '*', scope, params)
  const conditions = pageConditions(query, params)
  const sql = `SELECT ts FROM (${rows} AND rowid > (SELECT max(rowid) - ${LOOKED_AT} FROM ${table})) WHERE ${conditions.join(' AND ')}
    ORDER BY ts DESC LIMIT 1 OFFSET ${params.add(query.limit - 1)}`
  const [last] = await runStatement(scope, sql, params)
  return last === undefined ? null : (last['ts'] as bigint)
}

// Files are opened one by one at first, since a list is mostly full after one; a rare needle soon reads many at once.
const MAX_FILES_AT_ONCE = 16

/** The first `limit` rows in order: hot tables first, then segments from the near end until none can contain a better row. */
export async function readRows(scope: Scope, query: RowQuery): Promise<readonly ResultRow[]> {
  let rows: readonly ResultRow[] = []
  const candidates = new CandidateSegments(scope, query.filter)
  for (const table of scope.snapshot.hotTables) {
    const isNear = rows.length < query.limit && !candidates.haveIds
    const nearNs = isNear ? await nearTime(scope, query, table) : null
    rows = merge(rows, await readPart(scope, query, rows, { table, nearNs }), query)
  }
  const segments = nearestFirst(overlapping(scope), query.order)
  for (let at = 0, count = 1; at < segments.length; at += count, count = Math.min(count * 2, MAX_FILES_AT_ONCE)) {
    if (isBeyondReach(rows, segments[at]!, query)) break
    const files = await candidates.among(segments.slice(at, at + count))
    if (files.length > 0) rows = merge(rows, await readPart(scope, query, rows, { files }), query)
  }
  return fillKeys(scope, rows, query.columns)
}

type Part = HotPart | { readonly files: readonly Segment[] }

interface HotPart {
  readonly table: string
  /** A time before which no row is needed, if known. */
  readonly nearNs: bigint | null
}

async function readPart(scope: Scope, query: RowQuery, found: readonly ResultRow[], part: Part): Promise<readonly ResultRow[]> {
  const params = new Params()
  const columns = 'files' in part && isFiltered(query) ? KEY_COLUMNS : query.columns
  const last = found.length >= query.limit ? found.at(-1) : undefined
  const near = last && `ts ${query.order === 'asc' ? '<=' : '>='} ${params.add(last['ts'] as bigint)}`
  const selects = (await sourcesOf(scope, query, part, columns, params)).map(({ source, conditions }) => {
    const all = near === undefined ? conditions : [...conditions, near]
    return `SELECT ${columns.join(', ')} FROM (${source}) WHERE ${all.join(' AND ')}`
  })
  if (selects.length === 0) return []
  const rows = selects.length === 1 ? selects[0]! : `SELECT * FROM (${selects.join(' UNION ALL ')})`
  return runStatement(scope, `${rows} ORDER BY ${orderSql(query.order)} LIMIT ${params.add(query.limit)}`, params)
}

interface RowSource {
  readonly source: string
  readonly conditions: readonly string[]
}

/** What a part is read from: its table, or its segments by the free columns that they have. */
async function sourcesOf(
  scope: Scope,
  query: RowQuery,
  part: Part,
  columns: readonly string[],
  params: Params
): Promise<readonly RowSource[]> {
  // Conditions may need any column; the engine reads those that are used.
  const all = columnsSql(scope)
  if ('table' in part) {
    const source = hotSql(part.table, all, scope, params)
    const conditions = pageConditions(query, params)
    if (part.nearNs !== null) conditions.push(`ts >= ${params.add(part.nearNs)}`)
    return [{ source, conditions }]
  }
  const every = columns === KEY_COLUMNS ? `${all}, filename, file_row_number` : all
  const sources: RowSource[] = []
  for (const { segments, fields, columns: free } of await freeClasses(scope, query.fields, query, part.files)) {
    const source = segmentsSql(scope, segments, every, params, free)
    if (source !== null) sources.push({ source, conditions: pageConditions({ ...query, fields }, params) })
  }
  return sources
}

/** Most conditions are tried behind the scan, which would decode every column of every row: keys come first then. */
function isFiltered({ filter, isNarrow }: RowQuery): boolean {
  return !isNarrow && (filter.kind !== 'and' || filter.of.length > 0)
}

function merge(a: readonly ResultRow[], b: readonly ResultRow[], { order, limit }: RowQuery): readonly ResultRow[] {
  if (b.length === 0) return a
  const direction = order === 'asc' ? 1 : -1
  return [...a, ...b].sort((left, right) => direction * compareRows(left, right)).slice(0, limit)
}

function nearestFirst(segments: readonly Segment[], order: Order): readonly Segment[] {
  const distance = (a: Segment, b: Segment) => (order === 'asc' ? a.minNs < b.minNs : a.maxNs > b.maxNs)
  return [...segments].sort((a, b) => (distance(a, b) ? -1 : distance(b, a) ? 1 : 0))
}

function isBeyondReach(rows: readonly ResultRow[], next: Segment, { order, limit }: RowQuery): boolean {
  const last = rows.length >= limit ? rows.at(-1) : undefined
  if (!last) return false
  const ts = last['ts'] as bigint
  return order === 'asc' ? next.minNs > ts : next.maxNs < ts
}
