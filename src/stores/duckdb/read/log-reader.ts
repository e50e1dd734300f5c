import type { FlatObject } from '../../../domain/json.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { StoredLog } from '../../../domain/records/log.js'
import type { FieldSummary, Position } from '../../../domain/search.js'
import type { LogStore, StreamRequest } from '../../../ports/log-store.js'
import { FieldSummaries } from '../../shared/field-summary.js'
import { mapInSlices } from '../../shared/map-in-slices.js'
import type { Snapshots } from '../snapshot.js'
import { getRecord } from './get-record.js'
import { aggregateRecords } from './aggregate.js'
import { readRows } from './read-rows.js'
import { inSnapshot, isHeavyFilter, isHeavySearch } from './reading.js'
import { ORDER_COLUMNS } from './record-order.js'
import { newSearchCells } from './search-cells.js'
import { type SearchedKind, searchRecords } from './search.js'
import type { ResultRow } from './statement.js'
import { LOGS } from './stored-record.js'

/** Columns of a log that hold free fields, and what a field in them is called. */
const COLUMNS = [
  ['fields_json', 'log_fields'],
  ['tags_json', 'tags']
] as const

/** Which of the free fields the rows carry, most frequent first (ties by name). */
function summarizeFields(rows: readonly ResultRow[], limit: number): readonly FieldSummary[] {
  const summaries = new FieldSummaries()
  for (const row of rows) {
    for (const [column, place] of COLUMNS) {
      const text = row[column] as string | null
      if (text !== null) summaries.add(place, JSON.parse(text) as FlatObject)
    }
  }
  return summaries.top(limit)
}

/** Reads the free fields of one kind of record; see `LogStore.fields`. */
export function fieldsReader(
  snapshots: Snapshots,
  kind: 'logs' | 'spans',
  { fields }: SearchedKind<unknown>
): LogStore['fields'] {
  return (ns, { range, filter, limit, sampleRows }, signal) => {
    const columns = [...ORDER_COLUMNS, 'fields_json', 'tags_json']
    const query = { fields, filter, order: 'desc', limit: sampleRows + 1, columns } as const
    const options = { kind, ns, range, heavy: isHeavyFilter(filter), signal } as const
    return inSnapshot(snapshots, options, async scope => {
      const rows = await readRows(scope, query)
      return { fields: summarizeFields(rows.slice(0, sampleRows), limit), sampled: rows.length > sampleRows }
    })
  }
}

/** Computes measures of one kind of record; see `LogStore.aggregate`. */
export function aggregateReader(
  snapshots: Snapshots,
  kind: 'logs' | 'spans',
  { fields }: SearchedKind<unknown>
): LogStore['aggregate'] {
  return (ns, request, signal) => {
    const options = { kind, ns, range: request.range, heavy: true, signal } as const
    return inSnapshot(snapshots, options, scope => aggregateRecords(scope, fields, request))
  }
}

/** One page of a stream: the records strictly beyond `after`, at most `limit`. */
export interface LogPageRequest extends StreamRequest {
  readonly after?: Position
  readonly limit: number
}

/** What the store process reads of logs. */
export interface LogReader extends Pick<LogStore, 'search' | 'get' | 'fields' | 'aggregate'> {
  /** One page of `LogStore.stream`; the page after the last one is empty. */
  page(ns: NamespaceId, request: LogPageRequest, signal: AbortSignal): Promise<readonly StoredLog[]>
}

/** The reading half of `LogStore` on DuckDB; reads hot tables and segments alike. */
export function logReader(snapshots: Snapshots, cells = newSearchCells()): LogReader {
  return {
    search: (ns, request, signal) => {
      const options = { kind: 'logs', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
      return inSnapshot(snapshots, options, scope => searchRecords(scope, LOGS, request, cells))
    },
    page: (ns, request, signal) => {
      const options = { kind: 'logs', ns, range: request.range, heavy: isHeavyFilter(request.filter), signal } as const
      return inSnapshot(snapshots, options, async scope => {
        const rows = await readRows(scope, { ...request, fields: LOGS.fields, columns: LOGS.columns })
        return mapInSlices(rows, LOGS.toRecord, signal)
      })
    },
    get: (ns, id) => getRecord(snapshots, 'logs', LOGS, { ns, id }),
    fields: fieldsReader(snapshots, 'logs', LOGS),
    aggregate: aggregateReader(snapshots, 'logs', LOGS)
  }
}
