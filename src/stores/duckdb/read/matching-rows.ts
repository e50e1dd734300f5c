import type { Field, Filter } from '../../../domain/filter.js'
import { candidateScope } from './candidate-segments.js'
import { compileFilter } from './compile-filter.js'
import type { TableFields } from './field-target.js'
import { freeClasses } from './free-classes.js'
import type { Params } from './params.js'
import { columnsSql, emptySql, hotSql, overlapping, type Scope, segmentsSql } from './source.js'

/** Which rows a statement reads. */
export interface MatchedRows {
  readonly fields: TableFields
  readonly filter: Filter
  /** Free fields that `SELECT` reads, in addition to those of the filter. */
  readonly groups?: readonly Field[]
}

/** Rows of the scope that are read in one way. */
interface MatchingPart {
  /** The fields of its columns. */
  readonly fields: TableFields
  /** SQL of the rows that match with a list of SELECT, which may use any column of the kind. */
  readonly select: (columns: string) => string
}

/**
 * The rows of the scope that match a filter, in at least one part: segments with free columns are read by them, all other
 * rows by their JSON.
 */
export async function matchingParts(scope: Scope, rows: MatchedRows, params: Params): Promise<readonly MatchingPart[]> {
  const { fields, filter } = rows
  const part = (source: string, own: TableFields): MatchingPart => {
    const where = compileFilter(filter, own, params)
    return { fields: own, select: columns => `SELECT ${columns} FROM ${source} WHERE ${where}` }
  }
  const columns = columnsSql(scope)
  const parts: MatchingPart[] = []
  for (const each of await freeClasses(scope, fields, rows, overlapping(await candidateScope(scope, filter)))) {
    const source = segmentsSql(scope, each.segments, columns, params, each.columns)
    if (source !== null) parts.push(part(`(${source})`, each.fields))
  }
  for (const table of scope.snapshot.hotTables) parts.push(part(`(${hotSql(table, columns, scope, params)})`, fields))
  return parts.length === 0 ? [part(emptySql(scope), fields)] : parts
}

/** As `matchingParts`, as one table: `select` returns the list of SELECT of a part. */
export async function matchingSql(
  scope: Scope,
  rows: MatchedRows,
  params: Params,
  select: (fields: TableFields) => string
): Promise<string> {
  const parts = await matchingParts(scope, rows, params)
  return `(${parts.map(part => part.select(select(part.fields))).join(' UNION ALL ')})`
}
