import type { Filter } from '../../../domain/filter.js'
import type { TableFields } from './field-target.js'
import { matchingSql } from './matching-rows.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { runStatement, toCount } from './statement.js'

/** Number of rows of the scope that match. */
export async function countRows(scope: Scope, fields: TableFields, filter: Filter): Promise<number> {
  const params = new Params()
  const sql = `SELECT count(*) AS n FROM ${await matchingSql(scope, { fields, filter }, params, () => '1')}`
  const [row] = await runStatement(scope, sql, params)
  return toCount(row?.['n'])
}
