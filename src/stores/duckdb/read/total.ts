import type { Filter } from '../../../domain/filter.js'
import type { Total } from '../../../domain/search.js'
import { compileFilter } from './compile-filter.js'
import type { TableFields } from './field-target.js'
import { candidateScope } from './candidate-segments.js'
import { Params } from './params.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** Number of rows of the scope that match. */
export async function countRows(scope: Scope, fields: TableFields, filter: Filter): Promise<Total> {
  const params = new Params()
  const near = await candidateScope(scope, filter)
  const sql = `SELECT count(*) AS n FROM ${allRowsSql(near, params)} WHERE ${compileFilter(filter, fields, params)}`
  const [row] = await runStatement(scope, sql, params)
  return { value: toCount(row?.['n']), relation: 'eq' }
}
