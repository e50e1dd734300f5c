import type { TraceSuffixRequest } from '../../../ports/trace-store.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { spansBySuffixSql, SUFFIX_SQL } from './spans-of-traces.js'
import { runStatement } from './statement.js'

/** As `TraceStore.traceIdsBySuffix`; the scope has the range of the request. */
export async function readTraceIdsBySuffix(scope: Scope, { suffixes, limit }: TraceSuffixRequest): Promise<readonly string[]> {
  if (suffixes.length === 0) return []
  const params = new Params()
  const spans = await spansBySuffixSql(scope, [...new Set(suffixes)], ['trace_id'], params)
  const sql = `SELECT trace_id FROM (SELECT DISTINCT trace_id FROM ${spans})
    QUALIFY row_number() OVER (PARTITION BY ${SUFFIX_SQL} ORDER BY trace_id) <= ${params.add(limit)} ORDER BY trace_id`
  return (await runStatement(scope, sql, params)).map(row => row['trace_id'] as string)
}
