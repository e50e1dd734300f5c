import { type ConnectionPoolOptions, Transport, UndiciConnection, WeightedConnectionPool } from '@elastic/transport'
import { GatewayError } from '../../../domain/errors.js'
import type { ElasticsearchServer } from '../../store-choice.js'
import { cloudUrl } from './cloud-id.js'
import { faultOf, isAborted, toGatewayError, unreachable } from './engine-errors.js'

/** One request to the engine. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with a slash; names in it are ours, or encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** An object or a text is sent as JSON, a Buffer as NDJSON. */
  readonly body?: object | string | Buffer
  readonly timeoutMs: number
  /** Thrown when there is no answer in time; `store_unavailable` when absent. */
  readonly lateError?: GatewayError
  readonly signal?: AbortSignal | undefined
  /** Statuses from 400 on that are answers, not faults. */
  readonly accept?: readonly number[]
}

/** What the engine answered. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

// Longer than any call's own time: undici must not be the one that gives up.
const SOCKET_TIMEOUT_MS = 300_000

function authOf({ username, password, apiKey }: ElasticsearchServer): ConnectionPoolOptions['auth'] {
  if (apiKey !== null) return { apiKey }
  return username === null ? undefined : { username, password: password ?? '' }
}

function urlsOf(server: ElasticsearchServer): readonly URL[] {
  if (server.cloudId !== null) return [new URL(cloudUrl(server.cloudId))]
  return (server.urls ?? []).map(text => new URL(text))
}

function openPool(server: ElasticsearchServer, sockets: number): WeightedConnectionPool {
  const auth = authOf(server)
  const pool = new WeightedConnectionPool({
    Connection: UndiciConnection,
    agent: { connections: sockets },
    ...(auth && { auth }),
    ...(server.ca !== null && { tls: { ca: server.ca } })
  })
  for (const url of urlsOf(server)) pool.addConnection({ url, timeout: SOCKET_TIMEOUT_MS })
  return pool
}

/**
 * Speaks to a cluster of either flavour. At most `sockets` requests to a node are under way, the rest wait. Nothing is
 * repeated here: who asks knows whether that is safe.
 */
export class EngineClient {
  readonly #pool: WeightedConnectionPool
  readonly #transport: Transport

  constructor(server: ElasticsearchServer, sockets: number) {
    this.#pool = openPool(server, sockets)
    // Without a product check and vendored media types it serves Elasticsearch and OpenSearch alike.
    this.#transport = new Transport({
      connectionPool: this.#pool,
      maxRetries: 0,
      requestTimeout: SOCKET_TIMEOUT_MS,
      openTelemetry: { enabled: false },
      sniffOnStart: false
    })
  }

  /**
   * The engine's answer. Throws `store_unavailable`, `overloaded` or `storage_full` for faults and when there is none in
   * time; an abort ends the request in the engine and rejects with the signal's reason.
   */
  async request(call: Call): Promise<Reply> {
    const { signal, timeoutMs } = call
    // Made when it is needed: an error with its stack is dear beside a small request.
    const lateError = (): GatewayError => call.lateError ?? notInTime(timeoutMs)
    signal?.throwIfAborted()
    const ending = new AbortController()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      ending.abort()
    }, timeoutMs)
    const abort = (): void => ending.abort()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await this.#send(call, ending.signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (isLate) throw lateError()
      if (error instanceof GatewayError) throw error
      throw isAborted(error) ? lateError() : unreachable(error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Ends the connections once what is under way is done. */
  async close(): Promise<void> {
    await this.#pool.empty()
  }

  async #send({ method, path, query, body, accept }: Call, signal: AbortSignal): Promise<Reply> {
    const params = { method, path, ...contentOf(body), ...(query && { querystring: query }) }
    const { statusCode, body: answer } = await this.#transport.request(params, {
      meta: true,
      signal,
      ignore: ALL_FAULTS,
      ...(typeof body === 'string' && { headers: JSON_TYPE })
    })
    if (statusCode < 400 || accept?.includes(statusCode)) return { status: statusCode, body: answer }
    throw toGatewayError(faultOf(statusCode, answer), new EngineRefusal(statusCode, answer))
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function contentOf(body: Call['body']): { body?: string | Record<string, unknown>; bulkBody?: Buffer } {
  if (body === undefined) return {}
  return Buffer.isBuffer(body) ? { bulkBody: body } : { body: body as string | Record<string, unknown> }
}

/** The engine's own words, as the cause of ours. */
export class EngineRefusal extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { type, reason } = faultOf(status, body)
    super(`status ${status} ${type} ${reason}`)
    this.name = 'EngineRefusal'
    this.status = status
    this.body = body
  }
}

// The transport's own error for them would carry the whole request along.
const ALL_FAULTS = Array.from({ length: 200 }, (_, i) => 400 + i)

function notInTime(timeoutMs: number): GatewayError {
  return new GatewayError('store_unavailable', `the search store did not answer within ${timeoutMs} ms`)
}
