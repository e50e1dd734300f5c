import { GatewayError } from '../../../domain/errors.js'
import type { SearchBody, SearchEngine, SearchResponse } from './search-engine.js'

/** One request to the cluster; rejects with a `GatewayError`, or with the signal's reason. */
export type Send = (
  request: {
    readonly method: 'POST'
    readonly path: string
    readonly querystring: Readonly<Record<string, string>>
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  },
  signal: AbortSignal | undefined
) => Promise<unknown>

type Answer = SearchResponse & {
  readonly timed_out: boolean
  readonly _shards: { readonly total: number; readonly successful: number }
}

/** Room for the rest of a request's first line, which may have 4 KiB. */
const MAX_PATH = 3_000
const NOTHING: SearchResponse = { hits: { total: { value: 0 }, hits: [] } }
/** Indices that are in the manifest and not made yet, or deleted just now, hold nothing. */
const LENIENT = { ignore_unavailable: 'true', allow_no_indices: 'true' }

function whole(answer: Answer): SearchResponse {
  if (answer.timed_out) throw new GatewayError('query_timeout', 'the search store ended the search before it was done')
  const { total, successful } = answer._shards
  // A search that lost a shard is a success to the engine, and OpenSearch does not even call the shard failed.
  if (successful < total)
    throw new GatewayError('store_unavailable', `${total - successful} of ${total} shards of the search store did not answer`)
  return answer
}

/** `SearchEngine` over HTTP. */
export class HttpSearchEngine implements SearchEngine {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async search(indices: readonly string[], body: SearchBody, signal?: AbortSignal): Promise<SearchResponse> {
    signal?.throwIfAborted()
    // A search of no index by name is one of all indices to the engine.
    if (indices.length === 0) return NOTHING
    const list = indices.join(',')
    return list.length <= MAX_PATH ? this.#one(list, body, signal) : this.#named(indices, body, signal)
  }

  async #one(list: string, body: SearchBody, signal: AbortSignal | undefined): Promise<SearchResponse> {
    const request = { method: 'POST', path: `/${list}/_search`, querystring: LENIENT, body: JSON.stringify(body) } as const
    return whole((await this.#send(request, signal)) as Answer)
  }

  /** The indices in the body: their names would be longer than a request's first line may be. */
  async #named(indices: readonly string[], body: SearchBody, signal: AbortSignal | undefined): Promise<SearchResponse> {
    const header = { index: indices, ignore_unavailable: true, allow_no_indices: true }
    const lines = `${JSON.stringify(header)}\n${JSON.stringify(body)}\n`
    const request = { method: 'POST', path: '/_msearch', querystring: {}, body: lines } as const
    const headers = { 'content-type': 'application/x-ndjson' }
    const answer = (await this.#send({ ...request, headers }, signal)) as { readonly responses: readonly Answer[] }
    return whole(answer.responses[0]!)
  }
}
