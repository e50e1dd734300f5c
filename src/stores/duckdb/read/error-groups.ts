import type { Filter } from '../../../domain/filter.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { ErrorGroup } from '../../../ports/event-store.js'
import { compileFilter } from './compile-filter.js'
import { ERROR_TABLE } from './field-target.js'
import { Params } from './params.js'
import { positionOf } from './record-order.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

/** Which error groups to list; see `EventStore.errorGroups`. */
export interface ErrorGroupsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly limit: number
}

function toGroup(row: ResultRow): ErrorGroup {
  return {
    fingerprint: row['fingerprint'] as string,
    service: row['service'] as string,
    type: row['type'] as string,
    message: row['message'] as string,
    count: toCount(row['n']),
    firstSeenNs: row['first_seen'] as bigint,
    lastSeenNs: row['ts'] as bigint,
    sampleId: positionOf(row).id
  }
}

/** Groups of errors, most recently seen first; the newest error of a group speaks for it. */
export async function readErrorGroups(
  scope: Scope,
  { filter, limit }: ErrorGroupsRequest
): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }> {
  const params = new Params()
  const newest = `arg_max({'ts': ts, 'ingest_id': ingest_id, 'idx': idx, 'service': service, 'type': type,
    'message': message}, {'ts': ts, 'ingest_id': ingest_id, 'idx': idx})`
  const sql = `SELECT fingerprint, n, first_seen, unnest(newest) FROM (
      SELECT fingerprint, count(*) AS n, min(ts) AS first_seen, max(ts) AS last_seen, ${newest} AS newest
      FROM ${allRowsSql(scope, params)} WHERE ${compileFilter(filter, ERROR_TABLE, params)}
      GROUP BY fingerprint ORDER BY last_seen DESC, fingerprint LIMIT ${params.add(limit + 1)})
    ORDER BY last_seen DESC, fingerprint`
  const rows = await runStatement(scope, sql, params)
  return { groups: rows.slice(0, limit).map(toGroup), hasMore: rows.length > limit }
}
