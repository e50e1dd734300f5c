import type { Transport } from '@elastic/transport'
import { GatewayError } from '../../../domain/errors.js'
import { ServerOutage, type ServerWatch } from '../../shared/server-watch.js'
import type { ElasticsearchServer } from './node-transport.js'
import {
  ALL_STATUSES,
  engineFault,
  isAborted,
  isLostConnection,
  engineToGatewayError,
  unreachableEngine,
  wasNeverSent
} from './engine-errors.js'
import { type NodeTransport, openNodeTransport, urlsOf } from './node-transport.js'
import type { NodeWatches } from './node-watches.js'
import { requireNames } from './require-names.js'

/** One request to the engine. */
export interface EngineCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with a slash; names in it are ours, or encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** An object or a string is sent as JSON, a Buffer as NDJSON. */
  readonly body?: object | string | Buffer
  readonly timeoutMs: number
  /** A longer response is an `OversizedResponse`; default 512 MiB. */
  readonly maxResponseBytes?: number
  /** Changes nothing, so that another node may be used when one does not respond; true for GET. */
  readonly isRead?: boolean
  /** Thrown after the timeout; default `store_unavailable`. */
  readonly lateError?: GatewayError
  readonly signal?: AbortSignal | undefined
  /** Statuses from 400 on that are results, not errors. */
  readonly accept?: readonly number[]
}

/** The response of the engine. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** A node, and the connections of one client to it. */
interface ClientNode extends NodeTransport {
  readonly watch: ServerWatch
}

/**
 * Sends requests to a cluster of either flavour. At most `sockets` requests to a node are in flight, the rest wait. Requests go
 * to the nodes round-robin, except those known not to respond. A read without a response goes to another node; a write does so
 * only if it was never sent: its caller decides whether it may be repeated.
 */
export class EngineClient {
  readonly #nodes: readonly ClientNode[]
  #turn = 0

  constructor(server: ElasticsearchServer, sockets: number, watches: NodeWatches) {
    const urls = urlsOf(server)
    this.#nodes = watches.all.map((watch, i) => ({ ...openNodeTransport(server, urls[i]!, sockets), watch }))
  }

  /**
   * The engine's response. Throws `store_unavailable`, `overloaded` or `storage_full` for faults and after the timeout, and
   * `OversizedResponse`; an abort ends the request in the engine and rejects with the signal's reason.
   */
  async request(call: EngineCall): Promise<Reply> {
    requireNames(call)
    const { signal, timeoutMs } = call
    // Made when it is needed: an error with its stack is expensive compared to a small request.
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
      return await this.#sendToNodes(call, ending.signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (isLate) throw lateError()
      if (error instanceof GatewayError) throw error
      throw isAborted(error) ? lateError() : unreachableEngine(error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Ends the connections once what is in progress is done. */
  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ close }) => close()))
  }

  /** To one node after the other while that is of use. */
  async #sendToNodes(call: EngineCall, signal: AbortSignal): Promise<Reply> {
    const tried = new Set<ClientNode>()
    for (;;) {
      const node = this.#nextNode(tried)
      tried.add(node)
      try {
        return await sendTo(node, call, signal)
      } catch (error) {
        const isOver = signal.aborted || this.#nodes.every(each => tried.has(each) || each.watch.outage !== null)
        if (isOver || !mayGoElsewhere(call, error)) throw error
      }
    }
  }

  /** The next node that responds; if none is left, one that does not. */
  #nextNode(tried: ReadonlySet<ClientNode>): ClientNode {
    const inSlices = this.#nodes.map((_, i) => this.#nodes[(this.#turn + i) % this.#nodes.length]!)
    this.#turn = (this.#turn + 1) % this.#nodes.length
    const untried = inSlices.filter(node => !tried.has(node))
    return untried.find(({ watch }) => watch.outage === null) ?? untried[0]!
  }
}

/** Rejects with the node's outage as soon as the node is known not to respond. */
async function sendTo({ transport, watch }: ClientNode, call: EngineCall, signal: AbortSignal): Promise<Reply> {
  const ending = new AbortController()
  let outage: GatewayError | null = null
  const leave = watch.enter(found => {
    outage = found
    ending.abort()
  })
  const abort = (): void => ending.abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await send(transport, call, ending.signal)
  } catch (error) {
    if (outage !== null) throw outage
    if (isLostConnection(error)) watch.suspect()
    throw error
  } finally {
    leave()
    signal.removeEventListener('abort', abort)
  }
}

async function send(
  transport: Transport,
  { method, path, query, body, accept, maxResponseBytes }: EngineCall,
  signal: AbortSignal
): Promise<Reply> {
  const params = { method, path, ...contentOf(body), ...(query && { querystring: query }) }
  const { statusCode, body: response } = await transport.request(params, {
    meta: true,
    signal,
    ignore: ALL_STATUSES,
    ...(maxResponseBytes !== undefined && { maxResponseSize: maxResponseBytes }),
    ...(typeof body === 'string' && { headers: JSON_TYPE })
  })
  if (statusCode < 400 || accept?.includes(statusCode)) return { status: statusCode, body: response }
  throw engineToGatewayError(engineFault(statusCode, response), new EngineRefusal(statusCode, response))
}

/** Whether the request may go to another node after this failure. */
function mayGoElsewhere({ method, isRead = method === 'GET' }: EngineCall, error: unknown): boolean {
  if (wasNeverSent(error)) return true
  return isRead && (isLostConnection(error) || error instanceof ServerOutage)
}

const JSON_TYPE = { 'content-type': 'application/json' }

function contentOf(body: EngineCall['body']): { body?: string | Record<string, unknown>; bulkBody?: Buffer } {
  if (body === undefined) return {}
  return Buffer.isBuffer(body) ? { bulkBody: body } : { body: body as string | Record<string, unknown> }
}

/** The engine's own words, as the cause of ours. */
export class EngineRefusal extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { type, reason } = engineFault(status, body)
    super(`status ${status} ${type} ${reason}`)
    this.name = 'EngineRefusal'
    this.status = status
    this.body = body
  }
}

function notInTime(timeoutMs: number): GatewayError {
  return new GatewayError('store_unavailable', `the search store did not respond within ${timeoutMs} ms`)
}
