import type { StoredApmError } from '../../../domain/apm-error.js'
import { GatewayError } from '../../../domain/errors.js'
import type { Filter } from '../../../domain/filter.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredRumEvent } from '../../../domain/rum-event.js'
import type { SearchRequest, SearchResult } from '../../../domain/search.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { ErrorGroup, VitalsRequest, VitalsRow } from '../../../ports/event-store.js'
import type { Snapshots } from '../snapshot.js'

/** Which error groups to list; see `EventStore.errorGroups`. */
export interface ErrorGroupsRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly limit: number
}

/** The reading half of `EventStore` on DuckDB. */
export class EventReader {
  readonly #snapshots: Snapshots

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots
  }

  /** As `EventStore.searchRum`. */
  searchRum(_ns: NamespaceId, _request: SearchRequest, _signal: AbortSignal): Promise<SearchResult<StoredRumEvent>> {
    void this.#snapshots
    throw new GatewayError('not_implemented', 'searchRum')
  }

  /** As `EventStore.searchErrors`. */
  searchErrors(_ns: NamespaceId, _request: SearchRequest, _signal: AbortSignal): Promise<SearchResult<StoredApmError>> {
    throw new GatewayError('not_implemented', 'searchErrors')
  }

  /** As `EventStore.vitals`. */
  vitals(
    _ns: NamespaceId,
    _request: VitalsRequest,
    _signal: AbortSignal
  ): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }> {
    throw new GatewayError('not_implemented', 'vitals')
  }

  /** As `EventStore.errorGroups`. */
  errorGroups(
    _ns: NamespaceId,
    _request: ErrorGroupsRequest,
    _signal: AbortSignal
  ): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }> {
    throw new GatewayError('not_implemented', 'errorGroups')
  }

  /** As `EventStore.getRum`. */
  getRum(_ns: NamespaceId, _id: RecordId): Promise<StoredRumEvent | null> {
    throw new GatewayError('not_implemented', 'getRum')
  }

  /** As `EventStore.getError`. */
  getError(_ns: NamespaceId, _id: RecordId): Promise<StoredApmError | null> {
    throw new GatewayError('not_implemented', 'getError')
  }
}
