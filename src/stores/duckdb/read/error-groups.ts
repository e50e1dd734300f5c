import { OUTER_SPAN } from '../../../domain/records/error.js'
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

const COLUMNS = [
  'ts',
  'ingest_id',
  'idx',
  'service',
  'type',
  'message',
  'stack',
  'fingerprint',
  'trace_id',
  'span_id',
  'tags_json'
]
/** What the records of one exception on nested spans share. */
const SAME_EXCEPTION = ['trace_id', 'fingerprint', 'message', 'stack']
/** Exceptions of spans, and the ancestor outside of their request that may have recorded the same. Most errors name none. */
const INNER_RECORDS = `SELECT *, tags_json->>'/${OUTER_SPAN}' AS outer_span FROM matching
  WHERE contains(tags_json, '"${OUTER_SPAN}":')`

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
  const rowsSql = allRowsSql(scope, params)
  const sql = `WITH matching AS MATERIALIZED (SELECT ${COLUMNS.join(', ')} FROM ${rowsSql}
      WHERE ${compileFilter(filter, ERROR_TABLE, params)}),
    inner_records AS (SELECT DISTINCT ${SAME_EXCEPTION.join(', ')}, outer_span FROM (${INNER_RECORDS}) WHERE outer_span IS NOT NULL),
    counted AS (SELECT m.*, i.outer_span IS NULL AS is_innermost FROM matching m LEFT JOIN inner_records i
      ON i.outer_span = m.span_id AND ${SAME_EXCEPTION.map(name => `i.${name} IS NOT DISTINCT FROM m.${name}`).join(' AND ')})
    SELECT fingerprint, n, first_seen, unnest(newest) FROM (
      SELECT fingerprint, greatest(count(*) FILTER (is_innermost), 1) AS n, min(ts) AS first_seen, max(ts) AS last_seen, ${newest} AS newest
      FROM counted
      GROUP BY fingerprint ORDER BY last_seen DESC, fingerprint LIMIT ${params.add(limit + 1)})
    ORDER BY last_seen DESC, fingerprint`
  const rows = await runStatement(scope, sql, params)
  return { groups: rows.slice(0, limit).map(toGroup), hasMore: rows.length > limit }
}
