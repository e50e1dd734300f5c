import type { StoredApmError } from '../../../domain/records/error.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { StoredRumEvent } from '../../../domain/records/rum.js'
import type { SearchRequest, SearchResult } from '../../../domain/search.js'
import type { ErrorGroup, EventStore, PageViews, PageViewsRequest, VitalsRequest, VitalsRow } from '../../../ports/event-store.js'
import { readErrorGroups } from './error-groups.js'
import { readPageViews } from './page-views.js'
import { APM_ERRORS, RUM_EVENTS } from '../document/record-kinds.js'
import { Scopes, type ReaderDeps } from './scopes.js'
import { searchRecords } from './search.js'
import { readVitals } from './vitals.js'

/** The reading half of `EventStore` on Elasticsearch and OpenSearch. */
export class EventReader {
  readonly #scopes: Scopes

  constructor(deps: ReaderDeps) {
    this.#scopes = new Scopes(deps)
  }

  /** As `EventStore.searchRum`. */
  async searchRum(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredRumEvent>> {
    const context = await this.#scopes.open({ ns, kind: 'rum', range: request.range, signal })
    return searchRecords(context, RUM_EVENTS, request)
  }

  /** As `EventStore.searchErrors`. */
  async searchErrors(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredApmError>> {
    const context = await this.#scopes.open({ ns, kind: 'errors', range: request.range, signal })
    return searchRecords(context, APM_ERRORS, request)
  }

  /** As `EventStore.vitals`. */
  async vitals(
    ns: NamespaceId,
    request: VitalsRequest,
    signal: AbortSignal
  ): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }> {
    return readVitals(await this.#scopes.open({ ns, kind: 'rum', range: request.range, signal }), request)
  }

  /** As `EventStore.pageViews`. */
  async pageViews(ns: NamespaceId, request: PageViewsRequest, signal: AbortSignal): Promise<PageViews> {
    return readPageViews(await this.#scopes.open({ ns, kind: 'rum', range: request.range, signal }), request)
  }

  /** As `EventStore.errorGroups`. */
  async errorGroups(
    ns: NamespaceId,
    request: Parameters<EventStore['errorGroups']>[1],
    signal: AbortSignal
  ): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }> {
    return readErrorGroups(await this.#scopes.open({ ns, kind: 'errors', range: request.range, signal }), request)
  }

  /** As `EventStore.getRum`. */
  getRum(ns: NamespaceId, id: RecordId): Promise<StoredRumEvent | null> {
    return this.#scopes.get({ ns, id }, RUM_EVENTS)
  }

  /** As `EventStore.getError`. */
  getError(ns: NamespaceId, id: RecordId): Promise<StoredApmError | null> {
    return this.#scopes.get({ ns, id }, APM_ERRORS)
  }
}
