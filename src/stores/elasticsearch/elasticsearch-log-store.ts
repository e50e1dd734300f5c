import type { NamespaceId, RecordId } from '../../domain/ids.js'
import type { LogRecord } from '../../domain/records/log.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { LogStore } from '../../ports/log-store.js'
import { LOGS } from './document/record-kinds.js'
import type { RecordWriting } from './record-writing.js'

type Reading = Pick<LogStore, 'search' | 'stream' | 'get' | 'fields'>
type Reads<Method extends keyof Reading> = Parameters<Reading[Method]>

/** Logs in Elasticsearch or OpenSearch. */
export class ElasticsearchLogStore implements LogStore {
  readonly #reading: Reading
  readonly #writing: RecordWriting

  constructor(reading: Reading, writing: RecordWriting) {
    this.#reading = reading
    this.#writing = writing
  }

  append(ns: NamespaceId, batch: Batch<LogRecord>): Promise<AppendResult> {
    return this.#writing.append(ns, batch, LOGS)
  }

  search(...[ns, request, signal]: Reads<'search'>): ReturnType<Reading['search']> {
    return this.#reading.search(ns, request, signal)
  }

  stream(...[ns, request, signal]: Reads<'stream'>): ReturnType<Reading['stream']> {
    return this.#reading.stream(ns, request, signal)
  }

  get(ns: NamespaceId, id: RecordId): ReturnType<Reading['get']> {
    return this.#reading.get(ns, id)
  }

  fields(...[ns, request, signal]: Reads<'fields'>): ReturnType<Reading['fields']> {
    return this.#reading.fields(ns, request, signal)
  }

  settle(ns: NamespaceId): Promise<void> {
    return this.#writing.settle(ns, ['logs'])
  }

  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    return this.#writing.deleteBefore(ns, 'logs', timeNs)
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#writing.dropNamespace(ns, ['logs'])
  }
}
