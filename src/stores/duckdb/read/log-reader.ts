import type { Filter } from '../../../domain/filter.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredLog } from '../../../domain/records/log.js'
import type { FieldSummary, Position, SearchRequest, SearchResult } from '../../../domain/search.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { StreamRequest } from '../../../ports/log-store.js'
import { mapInSlices } from '../../shared/map-in-slices.js'
import type { Snapshots } from '../snapshot.js'
import { getRecord } from './get-record.js'
import { readRows } from './read-rows.js'
import { inSnapshot, isHeavyFilter, isHeavySearch } from './reading.js'
import { ORDER_COLUMNS } from './record-order.js'
import { searchRecords } from './search.js'
import { LOGS } from './stored-record.js'
import type { FlatObject } from '../../../domain/json.js'
import { FieldSummaries } from '../../shared/field-summary.js'
import type { ResultRow } from './statement.js'

/** Columns of a log that hold free fields, and what a field in them is called. */
const COLUMNS = [
  ['fields_json', 'log_fields'],
  ['tags_json', 'tags']
] as const

/** Which of the free fields the rows carry, most frequent first (ties by name). */
export function summarizeFields(rows: readonly ResultRow[], limit: number): readonly FieldSummary[] {
  const summaries = new FieldSummaries()
  for (const row of rows) {
    for (const [column, place] of COLUMNS) {
      const text = row[column] as string | null
      if (text !== null) summaries.add(place, JSON.parse(text) as FlatObject)
    }
  }
  return summaries.top(limit)
}

/** One page of a stream: the records strictly beyond `after`, at most `limit`. */
export interface LogPageRequest extends StreamRequest {
  readonly after?: Position
  readonly limit: number
}

/** Which fields to summarize; see `LogStore.fields`. */
export interface LogFieldsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly limit: number
  readonly sampleRows: number
}

/** The reading half of `LogStore` on DuckDB; answers from hot tables and segments alike. */
export class LogReader {
  readonly #snapshots: Snapshots

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots
  }

  /** As `LogStore.search`. */
  search(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredLog>> {
    const options = { kind: 'logs', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
    return inSnapshot(this.#snapshots, options, scope => searchRecords(scope, LOGS, request))
  }

  /** One page of `LogStore.stream`; the page after the last one is empty. */
  page(ns: NamespaceId, request: LogPageRequest, signal: AbortSignal): Promise<readonly StoredLog[]> {
    const options = { kind: 'logs', ns, range: request.range, heavy: isHeavyFilter(request.filter), signal } as const
    return inSnapshot(this.#snapshots, options, async scope => {
      const rows = await readRows(scope, { ...request, fields: LOGS.fields, columns: LOGS.columns })
      return mapInSlices(rows, LOGS.toRecord, signal)
    })
  }

  /** As `LogStore.get`. */
  get(ns: NamespaceId, id: RecordId): Promise<StoredLog | null> {
    return getRecord(this.#snapshots, 'logs', LOGS, { ns, id })
  }

  /** As `LogStore.fields`. */
  fields(
    ns: NamespaceId,
    { range, filter, limit, sampleRows }: LogFieldsRequest,
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
    const columns = [...ORDER_COLUMNS, 'fields_json', 'tags_json']
    const query = { fields: LOGS.fields, filter, order: 'desc', limit: sampleRows + 1, columns } as const
    const options = { kind: 'logs', ns, range, heavy: isHeavyFilter(filter), signal } as const
    return inSnapshot(this.#snapshots, options, async scope => {
      const rows = await readRows(scope, query)
      return { fields: summarizeFields(rows.slice(0, sampleRows), limit), sampled: rows.length > sampleRows }
    })
  }
}
