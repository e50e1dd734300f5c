import type { ApmError } from '../../domain/records/error.js'
import type { NamespaceId, RecordId } from '../../domain/ids.js'
import type { RumEvent } from '../../domain/records/rum.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { EventKind, EventStore } from '../../ports/event-store.js'
import { APM_ERRORS, RUM_EVENTS } from './document/record-kinds.js'
import type { RecordWriting } from './record-writing.js'

type Reading = Pick<EventStore, 'searchRum' | 'searchErrors' | 'vitals' | 'pageViews' | 'errorGroups' | 'getRum' | 'getError'>
type Reads<Method extends keyof Reading> = Parameters<Reading[Method]>

const BOTH = ['rum', 'errors'] as const

/** RUM events and APM errors in Elasticsearch or OpenSearch. */
export class ElasticsearchEventStore implements EventStore {
  readonly #reading: Reading
  readonly #writing: RecordWriting

  constructor(reading: Reading, writing: RecordWriting) {
    this.#reading = reading
    this.#writing = writing
  }

  appendRum(ns: NamespaceId, batch: Batch<RumEvent>): Promise<AppendResult> {
    return this.#writing.append(ns, batch, RUM_EVENTS)
  }

  appendErrors(ns: NamespaceId, batch: Batch<ApmError>): Promise<AppendResult> {
    return this.#writing.append(ns, batch, APM_ERRORS)
  }

  searchRum(...[ns, request, signal]: Reads<'searchRum'>): ReturnType<Reading['searchRum']> {
    return this.#reading.searchRum(ns, request, signal)
  }

  searchErrors(...[ns, request, signal]: Reads<'searchErrors'>): ReturnType<Reading['searchErrors']> {
    return this.#reading.searchErrors(ns, request, signal)
  }

  vitals(...[ns, request, signal]: Reads<'vitals'>): ReturnType<Reading['vitals']> {
    return this.#reading.vitals(ns, request, signal)
  }

  pageViews(...[ns, request, signal]: Reads<'pageViews'>): ReturnType<Reading['pageViews']> {
    return this.#reading.pageViews(ns, request, signal)
  }

  errorGroups(...[ns, request, signal]: Reads<'errorGroups'>): ReturnType<Reading['errorGroups']> {
    return this.#reading.errorGroups(ns, request, signal)
  }

  getRum(ns: NamespaceId, id: RecordId): ReturnType<Reading['getRum']> {
    return this.#reading.getRum(ns, id)
  }

  getError(ns: NamespaceId, id: RecordId): ReturnType<Reading['getError']> {
    return this.#reading.getError(ns, id)
  }

  settle(ns: NamespaceId): Promise<void> {
    return this.#writing.settle(ns, BOTH)
  }

  deleteBefore(ns: NamespaceId, kind: EventKind, timeNs: bigint): Promise<void> {
    return this.#writing.deleteBefore(ns, kind, timeNs)
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#writing.dropNamespace(ns, BOTH)
  }
}
