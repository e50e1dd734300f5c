import { GatewayError } from '../../../domain/errors.js'
import type { Filter } from '../../../domain/filter.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredLog } from '../../../domain/log-record.js'
import type { FieldSummary, Position, SearchRequest, SearchResult } from '../../../domain/search.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { StreamRequest } from '../../../ports/log-store.js'
import type { Snapshots } from '../snapshot.js'

/** One page of a stream: the records strictly beyond `after`, at most `limit`. */
export interface LogPageRequest extends StreamRequest {
  readonly after?: Position
  readonly limit: number
}

/** Which fields to summarise; see `LogStore.fields`. */
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
  search(_ns: NamespaceId, _request: SearchRequest, _signal: AbortSignal): Promise<SearchResult<StoredLog>> {
    void this.#snapshots
    throw new GatewayError('not_implemented', 'search')
  }

  /** One page of `LogStore.stream`; a page shorter than `limit` may still have a successor, an empty one has none. */
  page(_ns: NamespaceId, _request: LogPageRequest, _signal: AbortSignal): Promise<readonly StoredLog[]> {
    throw new GatewayError('not_implemented', 'page')
  }

  /** As `LogStore.get`. */
  get(_ns: NamespaceId, _id: RecordId): Promise<StoredLog | null> {
    throw new GatewayError('not_implemented', 'get')
  }

  /** As `LogStore.fields`. */
  fields(
    _ns: NamespaceId,
    _request: LogFieldsRequest,
    _signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
    throw new GatewayError('not_implemented', 'fields')
  }
}
