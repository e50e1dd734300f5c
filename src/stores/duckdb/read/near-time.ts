import { Params } from './params.js'
import { pageConditions, type RowQuery } from './row-query.js'
import { hotSql, type Scope } from './source.js'
import { runStatement } from './statement.js'

/** Rows at the end of a hot table that are looked at: some vectors of the engine. */
const LOOKED_AT = 8_192
/** Longer pages are hardly found among those. */
const LONGEST_PAGE = 1_024

/**
 * The time of the last row of a page of newest rows, if the page were found among the rows that came last: none before it
 * is wanted. Rows come with rising times, in which case an engine that keeps the newest it has seen lets go of all it
 * keeps again and again: of 100,000 rows a page took 24 ms, and takes 6. Null when they hold no such page.
 */
export async function nearTime(scope: Scope, query: RowQuery, table: string): Promise<bigint | null> {
  if (query.order === 'asc' || query.limit > LONGEST_PAGE) return null
  const params = new Params()
  const rows = hotSql(table, '*', scope, params)
  const conditions = pageConditions(query, params)
  const sql = `SELECT ts FROM (${rows} AND rowid > (SELECT max(rowid) - ${LOOKED_AT} FROM ${table})) WHERE ${conditions.join(' AND ')}
    ORDER BY ts DESC LIMIT 1 OFFSET ${params.add(query.limit - 1)}`
  const [last] = await runStatement(scope, sql, params)
  return last === undefined ? null : (last['ts'] as bigint)
}
