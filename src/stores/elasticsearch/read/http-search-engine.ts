import { GatewayError } from '../../../domain/errors.js'
import { type IndexLosses, lostIndex } from '../index/index-losses.js'
import { FAULT_TYPE } from '../client/engine-errors.js'
import type { SearchBody, SearchEngine, SearchResponse } from './search-engine.js'

/** Sends one request to the cluster (`EngineClient`). Faults other than the accepted ones are `GatewayError`s. */
export interface Requester {
  request(call: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly query?: Readonly<Record<string, string | boolean>>
    readonly body?: object | Buffer
    readonly timeoutMs: number
    readonly maxResponseBytes?: number
    readonly isRead?: boolean
    readonly lateError?: GatewayError
    readonly signal?: AbortSignal | undefined
    readonly accept?: readonly number[]
  }): Promise<{ readonly status: number; readonly body: unknown }>
}

interface EngineResponse extends SearchResponse {
  readonly status?: number
  readonly error?: {
    readonly type?: string
    readonly reason?: string
    readonly index?: string
    readonly root_cause?: readonly { readonly reason?: string }[]
    readonly caused_by?: { readonly type?: string }
  }
  readonly timed_out?: boolean
  readonly _shards?: { readonly total: number; readonly successful: number }
}

/** Room for the rest of a request's first line, which is limited to 4 KiB. */
const MAX_PATH = 3_000
const NOTHING: SearchResponse = { hits: { total: { value: 0 }, hits: [] } }
/** Indices that are in the manifest and not made yet, or deleted just now, hold nothing. */
const LENIENT = { ignore_unavailable: true, allow_no_indices: true }
const STRICT = { ignore_unavailable: false }
/** How long a search waits for shards that are being started, once. */
const SHARDS_WAIT = '5s'
const REFUSED = 400
const MAX_REASON = 300
const UNAVAILABLE = 503
const MISSING = 404

/**
 * OpenSearch skips shards by the last row so far, cut to milliseconds: upwards it then loses rows of other indices in the
 * same millisecond. It does not with a search of two phases, which costs a little.
 */
function searchType(indices: readonly string[], { sort }: SearchBody): { readonly search_type?: string } {
  const isUpwards = sort !== undefined && Object.values(sort[0]!)[0] === 'asc'
  return isUpwards && indices.length > 1 ? { search_type: 'dfs_query_then_fetch' } : {}
}

function isWhole({ status = 200, _shards }: EngineResponse): boolean {
  // A search that lost a shard is a success to the engine, and OpenSearch does not even call the shard failed.
  return status < REFUSED && _shards !== undefined && _shards.successful === _shards.total
}

function reasonOf({ error }: EngineResponse): string {
  return error?.root_cause?.[0]?.reason ?? error?.reason ?? 'no reason given'
}

/** The engine's name of the fault; its reason names nodes and indices. */
function typeOf({ error }: EngineResponse): string {
  const type = error?.type ?? ''
  return FAULT_TYPE.test(type) ? ` (${type})` : ''
}

function refusal(response: EngineResponse): GatewayError | null {
  const { type, caused_by } = response.error ?? {}
  // OpenSearch names it as the cause.
  const isTooMuch = [type, caused_by?.type].includes('too_many_buckets_exception')
  if (response.status !== REFUSED && !isTooMuch) return null
  const diagnosis = `the search store rejects the query: ${reasonOf(response).slice(0, MAX_REASON)}`
  return new GatewayError('unsupported_by_store', `the search store rejects the query${typeOf(response)}`, { diagnosis })
}

function unavailable(response: EngineResponse): GatewayError {
  const { total = 0, successful = 0 } = response._shards ?? {}
  if (!response.error) {
    return new GatewayError('store_unavailable', `${total - successful} of ${total} shards of the search store did not respond`)
  }
  const diagnosis = `the search store failed: ${reasonOf(response).slice(0, MAX_REASON)}`
  return new GatewayError('store_unavailable', `the search store failed${typeOf(response)}`, { diagnosis })
}

/** Bounds of one search. */
export interface SearchBounds {
  readonly timeoutMs: number
  /** Bytes of its response. */
  readonly maxResponseBytes: number
}

/** `SearchEngine` over HTTP. */
export class HttpSearchEngine implements SearchEngine {
  readonly #client: Requester
  readonly #bounds: SearchBounds
  readonly #losses: Pick<IndexLosses, 'areWhole' | 'met'> | null

  /** Without `losses` an index that is not there holds nothing. */
  constructor(client: Requester, bounds: SearchBounds, losses: Pick<IndexLosses, 'areWhole' | 'met'> | null) {
    this.#client = client
    this.#bounds = bounds
    this.#losses = losses
  }

  async search(indices: readonly string[], body: SearchBody, signal?: AbortSignal): Promise<SearchResponse> {
    signal?.throwIfAborted()
    // A search of no index by name is one of all indices to the engine.
    if (indices.length === 0) return NOTHING
    const first = await this.#sendWhole(indices, body, signal)
    const response = isWhole(first) || refusal(first) ? first : await this.#onceStarted(indices, body, signal)
    const refused = refusal(response)
    if (refused) throw refused
    if (response.timed_out) throw new GatewayError('query_timeout', 'the search store ended the search early')
    if (!isWhole(response)) throw unavailable(response)
    return response
  }

  /** An index that was made and is not there is an error, not an empty result. */
  async #sendWhole(indices: readonly string[], body: SearchBody, signal: AbortSignal | undefined): Promise<EngineResponse> {
    const losses = this.#losses
    if (!losses?.areWhole(indices)) return this.#send(indices, body, signal)
    const response = await this.#send(indices, body, signal, STRICT)
    if (response.status !== MISSING) return response
    const { index = '' } = response.error ?? {}
    if (await losses.met(index)) throw lostIndex(index)
    return this.#send(indices, body, signal)
  }

  /** Again, after a wait for shards: those of an index that was just made take a moment. */
  async #onceStarted(indices: readonly string[], body: SearchBody, signal: AbortSignal | undefined): Promise<EngineResponse> {
    const query = { wait_for_status: 'yellow', timeout: SHARDS_WAIT, level: 'cluster' }
    const list = indices.join(',')
    const path = list.length <= MAX_PATH ? `/_cluster/health/${list}` : '/_cluster/health'
    await this.#client.request({ method: 'GET', path, query, timeoutMs: this.#bounds.timeoutMs, signal, accept: [404, 408] })
    return this.#send(indices, body, signal)
  }

  async #send(
    indices: readonly string[],
    body: SearchBody,
    signal: AbortSignal | undefined,
    options: object = LENIENT
  ): Promise<EngineResponse> {
    const list = indices.join(',')
    const type = searchType(indices, body)
    const common = {
      method: 'POST',
      isRead: true,
      ...this.#bounds,
      accept: [REFUSED, MISSING, UNAVAILABLE],
      ...(signal && { signal })
    } as const
    if (list.length <= MAX_PATH) {
      const reply = await this.#client.request({ ...common, path: `/${list}/_search`, query: { ...options, ...type }, body })
      return { ...(reply.body as EngineResponse), status: reply.status }
    }
    // The indices in the body: their names would be longer than a request's first line may be.
    const lines = `${JSON.stringify({ index: indices, ...options, ...type })}\n${JSON.stringify(body)}\n`
    const reply = await this.#client.request({ ...common, path: '/_msearch', body: Buffer.from(lines) })
    const { responses } = reply.body as { readonly responses?: readonly EngineResponse[] }
    return responses?.[0] ?? { ...(reply.body as EngineResponse), status: reply.status }
  }
}
