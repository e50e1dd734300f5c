import type { NamespaceId } from '../../domain/ids.js'
import type { Span } from '../../domain/span.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { SPANS } from './document/record-kinds.js'
import type { RecordWriting } from './record-writing.js'

type Reading = Pick<
  TraceStore,
  | 'searchSpans'
  | 'searchTraces'
  | 'summaries'
  | 'trace'
  | 'smallTrace'
  | 'traceIdsBySuffix'
  | 'newestOrigins'
  | 'stats'
  | 'serviceEdges'
  | 'fields'
>
type Reads<Method extends keyof Reading> = Parameters<Reading[Method]>

/** Spans in Elasticsearch or OpenSearch. */
export class ElasticsearchTraceStore implements TraceStore {
  readonly #reading: Reading
  readonly #writing: RecordWriting

  constructor(reading: Reading, writing: RecordWriting) {
    this.#reading = reading
    this.#writing = writing
  }

  append(ns: NamespaceId, batch: Batch<Span>): Promise<AppendResult> {
    return this.#writing.append(ns, batch, SPANS)
  }

  searchSpans(...[ns, request, signal]: Reads<'searchSpans'>): ReturnType<Reading['searchSpans']> {
    return this.#reading.searchSpans(ns, request, signal)
  }

  searchTraces(...[ns, request, signal]: Reads<'searchTraces'>): ReturnType<Reading['searchTraces']> {
    return this.#reading.searchTraces(ns, request, signal)
  }

  summaries(...[ns, traceIds, signal]: Reads<'summaries'>): ReturnType<Reading['summaries']> {
    return this.#reading.summaries(ns, traceIds, signal)
  }

  trace(...[ns, traceId, limit, signal]: Reads<'trace'>): ReturnType<Reading['trace']> {
    return this.#reading.trace(ns, traceId, limit, signal)
  }

  smallTrace(...[ns, traceId, signal]: Reads<'smallTrace'>): ReturnType<Reading['smallTrace']> {
    return this.#reading.smallTrace(ns, traceId, signal)
  }

  traceIdsBySuffix(...[ns, request, signal]: Reads<'traceIdsBySuffix'>): ReturnType<Reading['traceIdsBySuffix']> {
    return this.#reading.traceIdsBySuffix(ns, request, signal)
  }

  newestOrigins(...[ns, request, signal]: Reads<'newestOrigins'>): ReturnType<Reading['newestOrigins']> {
    return this.#reading.newestOrigins(ns, request, signal)
  }

  stats(...[ns, request, signal]: Reads<'stats'>): ReturnType<Reading['stats']> {
    return this.#reading.stats(ns, request, signal)
  }

  serviceEdges(...[ns, request, signal]: Reads<'serviceEdges'>): ReturnType<Reading['serviceEdges']> {
    return this.#reading.serviceEdges(ns, request, signal)
  }

  fields(...[ns, request, signal]: Reads<'fields'>): ReturnType<Reading['fields']> {
    return this.#reading.fields(ns, request, signal)
  }

  settle(ns: NamespaceId): Promise<void> {
    return this.#writing.settle(ns, ['spans'])
  }

  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    return this.#writing.deleteBefore(ns, 'spans', timeNs)
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#writing.dropNamespace(ns, ['spans'])
  }
}
