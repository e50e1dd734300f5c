import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId, RecordId } from '../../domain/ids.js'
import type { LogRecord, StoredLog } from '../../domain/records/log.js'
import type { FieldSummary, Position, SearchRequest, SearchResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { LogStore, StreamRequest } from '../../ports/log-store.js'
import { LogGatherer } from './client/log-gatherer.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import { withGaps } from '../shared/with-gaps.js'
import type { LogFieldsRequest } from './read/log-reader.js'
import { LOG_ENCODER } from './wire/record-columns.js'
import type { Warning } from '../../domain/warning.js'

/** Rows that a stream fetches at once: about 1 MiB of ordinary logs. */
const STREAM_PAGE_ROWS = 2_000
/** Encoding that many logs takes about 5 ms. */
const PAUSELESS_ROWS = 2_000

/** `LogStore` on the embedded engine: columns out, calls to the store process in. */
export class DuckDbLogStore implements LogStore {
  readonly #client: StoreClient
  readonly #gatherer: LogGatherer

  constructor(client: StoreClient) {
    this.#client = client
    this.#gatherer = new LogGatherer(request => client.append(request, true))
  }

  async append(ns: NamespaceId, batch: Batch<LogRecord>): Promise<AppendResult> {
    if (this.#gatherer.takes(batch)) return this.#gatherer.append(ns, batch)
    const { ingestId, items } = batch
    const columns = items.length > PAUSELESS_ROWS ? await LOG_ENCODER.columnsInSlices(items) : LOG_ENCODER.columns(items)
    return this.#client.append({ kind: 'logs', ns, ingestId, rows: items.length, columns })
  }

  async search(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredLog>> {
    const found = await this.#client.read<SearchResult<StoredLog>>('logs.search', [ns, request], signal)
    return withGaps(found, this.gaps(ns, request.range))
  }

  gaps(ns: NamespaceId, range: TimeRange): readonly Warning[] {
    return gapSentences(this.#client.gaps, ['logs'], ns, range)
  }

  async *stream(ns: NamespaceId, request: StreamRequest, signal: AbortSignal): AsyncIterable<readonly StoredLog[]> {
    let after: Position | undefined
    for (;;) {
      const page = { ...request, limit: STREAM_PAGE_ROWS, ...(after ? { after } : {}) }
      const rows = await this.#client.read<readonly StoredLog[]>('logs.page', [ns, page], signal)
      const last = rows.at(-1)
      if (!last) return
      yield rows
      after = { timestampNs: last.timestampNs, id: last.id }
    }
  }

  get(ns: NamespaceId, id: RecordId): Promise<StoredLog | null> {
    return this.#client.read('logs.get', [ns, id])
  }

  fields(
    ns: NamespaceId,
    request: LogFieldsRequest,
    signal: AbortSignal
  ): Promise<{ readonly fields: readonly FieldSummary[]; readonly sampled: boolean }> {
    return this.#client.read('logs.fields', [ns, request], signal)
  }

  /** Nothing to do: what is acknowledged is visible. */
  async settle(_ns: NamespaceId): Promise<void> {
    if (!this.#client.state.isRunning) throw new GatewayError('store_unavailable', this.#client.state.detail)
  }

  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    return this.#client.call('deleteBefore', ['logs', ns, timeNs])
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#client.call('dropNamespace', [['logs'], ns])
  }
}
