import type { StoredApmError } from '../../../domain/records/error.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredRumEvent } from '../../../domain/records/rum.js'
import type { SearchRequest, SearchResult } from '../../../domain/search.js'
import type { ErrorGroup, PageViews, PageViewsRequest, VitalsRequest, VitalsRow } from '../../../ports/event-store.js'
import type { Snapshots } from '../snapshot.js'
import { type ErrorGroupsRequest, readErrorGroups } from './error-groups.js'
import { getRecord } from './get-record.js'
import { readPageViews } from './page-views.js'
import { inSnapshot, isHeavySearch } from './reading.js'
import { searchRecords } from './search.js'
import { APM_ERRORS, RUM_EVENTS } from './stored-record.js'
import { readVitals } from './vitals.js'

/** The reading half of `EventStore` on DuckDB. */
export class EventReader {
  readonly #snapshots: Snapshots

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots
  }

  /** As `EventStore.searchRum`. */
  searchRum(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredRumEvent>> {
    const options = { kind: 'rum', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
    return inSnapshot(this.#snapshots, options, scope => searchRecords(scope, RUM_EVENTS, request))
  }

  /** As `EventStore.searchErrors`. */
  searchErrors(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredApmError>> {
    const options = { kind: 'errors', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
    return inSnapshot(this.#snapshots, options, scope => searchRecords(scope, APM_ERRORS, request))
  }

  /** As `EventStore.vitals`. */
  vitals(
    ns: NamespaceId,
    request: VitalsRequest,
    signal: AbortSignal
  ): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }> {
    const options = { kind: 'rum', ns, range: request.range, heavy: true, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readVitals(scope, request))
  }

  /** As `EventStore.pageViews`. */
  pageViews(ns: NamespaceId, request: PageViewsRequest, signal: AbortSignal): Promise<PageViews> {
    const options = { kind: 'rum', ns, range: request.range, heavy: true, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readPageViews(scope, request))
  }

  /** As `EventStore.errorGroups`. */
  errorGroups(
    ns: NamespaceId,
    request: ErrorGroupsRequest,
    signal: AbortSignal
  ): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }> {
    const options = { kind: 'errors', ns, range: request.range, heavy: true, signal } as const
    return inSnapshot(this.#snapshots, options, scope => readErrorGroups(scope, request))
  }

  /** As `EventStore.getRum`. */
  getRum(ns: NamespaceId, id: RecordId): Promise<StoredRumEvent | null> {
    return getRecord(this.#snapshots, 'rum', RUM_EVENTS, { ns, id })
  }

  /** As `EventStore.getError`. */
  getError(ns: NamespaceId, id: RecordId): Promise<StoredApmError | null> {
    return getRecord(this.#snapshots, 'errors', APM_ERRORS, { ns, id })
  }
}
