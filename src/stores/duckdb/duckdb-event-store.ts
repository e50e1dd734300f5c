import type { ApmError, StoredApmError } from '../../domain/records/error.js'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId, RecordId } from '../../domain/ids.js'
import type { RumEvent, StoredRumEvent } from '../../domain/records/rum.js'
import type { SearchRequest, SearchResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type {
  ErrorGroup,
  EventKind,
  EventStore,
  PageViews,
  PageViewsRequest,
  VitalsRequest,
  VitalsRow
} from '../../ports/event-store.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import { withGaps } from '../shared/with-gaps.js'
import type { ErrorGroupsRequest } from './read/error-groups.js'
import { ERROR_ENCODER, RUM_ENCODER } from './wire/record-columns.js'
import type { Warning } from '../../domain/warning.js'

/** `EventStore` on the embedded engine: columns out, calls to the store process in. */
export class DuckDbEventStore implements EventStore {
  readonly #client: StoreClient

  constructor(client: StoreClient) {
    this.#client = client
  }

  appendRum(ns: NamespaceId, { ingestId, items }: Batch<RumEvent>): Promise<AppendResult> {
    return this.#client.append({ kind: 'rum', ns, ingestId, rows: items.length, columns: RUM_ENCODER.columns(items) })
  }

  appendErrors(ns: NamespaceId, { ingestId, items }: Batch<ApmError>): Promise<AppendResult> {
    return this.#client.append({ kind: 'errors', ns, ingestId, rows: items.length, columns: ERROR_ENCODER.columns(items) })
  }

  async searchRum(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredRumEvent>> {
    const found = await this.#client.read<SearchResult<StoredRumEvent>>('events.searchRum', [ns, request], signal)
    return withGaps(found, this.gaps(ns, 'rum', request.range))
  }

  async searchErrors(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredApmError>> {
    const found = await this.#client.read<SearchResult<StoredApmError>>('events.searchErrors', [ns, request], signal)
    return withGaps(found, this.gaps(ns, 'errors', request.range))
  }

  gaps(ns: NamespaceId, kind: EventKind, range: TimeRange): readonly Warning[] {
    return gapSentences(this.#client.gaps, [kind], ns, range)
  }

  vitals(
    ns: NamespaceId,
    request: VitalsRequest,
    signal: AbortSignal
  ): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }> {
    return this.#client.read('events.vitals', [ns, request], signal)
  }

  async pageViews(ns: NamespaceId, request: PageViewsRequest, signal: AbortSignal): Promise<PageViews> {
    const found = await this.#client.read<PageViews>('events.pageViews', [ns, request], signal)
    return withGaps(found, this.gaps(ns, 'rum', request.range))
  }

  errorGroups(
    ns: NamespaceId,
    request: ErrorGroupsRequest,
    signal: AbortSignal
  ): Promise<{ readonly groups: readonly ErrorGroup[]; readonly hasMore: boolean }> {
    return this.#client.read('events.errorGroups', [ns, request], signal)
  }

  getRum(ns: NamespaceId, id: RecordId): Promise<StoredRumEvent | null> {
    return this.#client.read('events.getRum', [ns, id])
  }

  getError(ns: NamespaceId, id: RecordId): Promise<StoredApmError | null> {
    return this.#client.read('events.getError', [ns, id])
  }

  /** Nothing to do: what is acknowledged is visible. */
  async settle(_ns: NamespaceId): Promise<void> {
    if (!this.#client.state.isRunning) throw new GatewayError('store_unavailable', this.#client.state.detail)
  }

  deleteBefore(ns: NamespaceId, kind: EventKind, timeNs: bigint): Promise<void> {
    return this.#client.call('deleteBefore', [kind, ns, timeNs])
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#client.call('dropNamespace', [['rum', 'errors'], ns])
  }
}
