import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type ExecutionArgs, GraphQLError, type GraphQLSchema } from 'graphql'
import { handleProtocols, makeServer, type Server } from 'graphql-ws'
import { WebSocketServer } from 'ws'
import { addressPrefixes } from '../../access/address-prefix.js'
import { GatewayError } from '../../domain/errors.js'
import type { Timers } from '../../ports/timers.js'
import type { QueryLimits } from '../../query/query-limits.js'
import { STATUS } from '../error-reply.js'
import { toGatewayError } from '../error-translation.js'
import { fromGraphql, toGraphqlError } from '../graphql-errors.js'
import type { GraphqlGate } from '../graphql-gate.js'
import { logFault } from '../log-fault.js'
import type { Caller, CallerDeps } from './caller.js'
import { checkSubscription } from './check-subscription.js'
import { STOPPING } from './close-codes.js'
import { Connection, type SocketOrigin } from './connection.js'
import type { SocketCounts } from './socket-counts.js'
import { BoundedSocket, PendingBytes } from './socket.js'
import type { SubscriptionLimits } from './subscription-limits.js'
import { runSubscription } from './subscription-run.js'

/** The dependencies of subscriptions. */
export interface SubscriptionDeps extends CallerDeps {
  readonly schema: GraphQLSchema
  readonly gate: GraphqlGate
  readonly introspection: boolean
  readonly queryLimits: Pick<QueryLimits, 'admit'>
  readonly limits: SubscriptionLimits
  readonly counts: SocketCounts
  readonly timers: Timers
  readonly log: FastifyBaseLogger
  /** The context of one event. */
  readonly newContext: (requested: Caller & SocketOrigin & { readonly signal: AbortSignal }) => unknown
}

/** Numbers of the service about its sockets. */
export interface SubscriptionState {
  readonly sockets: number
  readonly subscriptions: number
  readonly refused: number
}

/** What `subscribe` needs in addition to what graphql-js knows. */
interface Admitted extends ExecutionArgs {
  readonly connection: Connection
  readonly id: string
}

const SERVER_FAULT = 500

/** Subscriptions of GraphQL over WebSocket (graphql-transport-ws), under the rules and limits of requests over HTTP. */
export class SubscriptionServer {
  readonly #deps: SubscriptionDeps
  readonly #counts: SocketCounts
  readonly #pending = new PendingBytes()
  readonly #connections = new Set<Connection>()
  readonly #sockets: WebSocketServer
  readonly #protocol: Server<Connection>
  #cancelRecheck: (() => void) | null = null
  #isStopping = false
  #onEmpty: () => void = () => undefined

  constructor(deps: SubscriptionDeps) {
    this.#deps = deps
    this.#counts = deps.counts
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: deps.limits.messageBytes,
      handleProtocols
    })
    this.#protocol = makeServer<Record<string, unknown>, Connection>({
      connectionInitWaitTimeout: deps.limits.initTimeoutMs,
      onConnect: ({ extra, connectionParams }) => extra.connect(connectionParams),
      onSubscribe: ({ extra }, id, payload) => this.#admit(extra, id, payload),
      subscribe: args => this.#subscribe(args as Admitted),
      onNext: ({ extra }, _id, _payload, _args, { errors, ...result }) =>
        errors ? { ...result, errors: errors.map(error => this.#shown(error, extra)) } : result,
      onError: ({ extra }, _id, _payload, errors) => errors.map(error => this.#shown(error, extra))
    })
  }

  get state(): SubscriptionState {
    let subscriptions = 0
    for (const connection of this.#connections) subscriptions += connection.subscriptions.size
    const { open, waiting, refused } = this.#counts.state
    return { sockets: open + waiting, subscriptions, refused }
  }

  /** Admits a socket before its upgrade. Throws `overloaded` and `rate_limited`. */
  admit(origin: SocketOrigin): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
    if (this.#isStopping) throw new GatewayError('overloaded', 'the service stops; connect again', { retryAfterS: 1 })
    const release = this.#counts.admitWaiting(addressPrefixes(origin.ip).network)
    return (request, socket, head) => {
      // What is not a WebSocket after all gets its 400 from the library.
      socket.once('close', release)
      this.#sockets.handleUpgrade(request, socket, head, webSocket => {
        socket.removeListener('close', release)
        // The library closes a socket whose messages are not of the protocol.
        webSocket.on('error', () => this.#counts.refuse())
        const { timers, limits } = this.#deps
        const bounds = { timers, limits, pending: this.#pending, onFault: () => this.#counts.refuse() }
        const bounded = new BoundedSocket(webSocket, bounds)
        const connection = new Connection(this.#deps, this.#counts, { socket: bounded, origin, release })
        this.#opened(connection, closed => webSocket.once('close', closed))
      })
    }
  }

  /** Closes all sockets and admits no others. Resolves when they are closed. */
  async close(): Promise<void> {
    this.#isStopping = true
    this.#cancelRecheck?.()
    if (this.#connections.size === 0) return
    const isEmpty = new Promise<void>(resolve => (this.#onEmpty = resolve))
    for (const connection of this.#connections) {
      connection.end()
      connection.socket.close(STOPPING)
    }
    await isEmpty
  }

  #opened(connection: Connection, onClose: (closed: (code: number, reason: Buffer) => void) => void): void {
    this.#connections.add(connection)
    this.#recheckLater()
    const closed = this.#protocol.opened(
      {
        protocol: connection.socket.protocol,
        send: message => connection.socket.send(message),
        close: (code, reason) => connection.socket.closeAs(code, reason),
        onMessage: listen => connection.socket.onMessage(message => void this.#take(connection, () => listen(message)))
      },
      connection
    )
    onClose((code, reason) => {
      connection.closed()
      this.#connections.delete(connection)
      void this.#take(connection, () => closed(code, String(reason)))
      if (this.#connections.size === 0) this.#onEmpty()
    })
  }

  async #take(connection: Connection, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      logFault(this.#deps.log, { request_id: connection.origin.requestId }, toGatewayError(error), 'subscription failed')
      connection.socket.close({ code: 4500, reason: 'internal' })
    }
  }

  async #admit(connection: Connection, id: string, payload: object): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { schema, gate, introspection, queryLimits, limits } = this.#deps
    const abort = new AbortController()
    try {
      const { principal, namespace } = connection.caller!
      if (connection.subscriptions.size >= limits.subscriptionsPerSocket) {
        this.#counts.refuse()
        const detail = `a socket has at most ${limits.subscriptionsPerSocket} subscriptions; complete one first`
        throw new GatewayError('rate_limited', detail, { retryAfterS: 1 })
      }
      connection.subscriptions.set(id, abort)
      queryLimits.admit(principal, namespace.id).release()
      const { document, operationName, variables } = gate.admitSubscription(payload)
      const errors = checkSubscription(schema, document, { operationName, variables, introspection })
      if (errors.length > 0) throw errors[0]
      return { schema, document, operationName, variableValues: variables, connection, id } as Admitted
    } catch (error) {
      if (connection.subscriptions.get(id) === abort) connection.subscriptions.delete(id)
      if (error instanceof GraphQLError) return [error]
      return [new GraphQLError('', { originalError: toGatewayError(error) })]
    }
  }

  #subscribe({ connection, id, ...args }: Admitted): ReturnType<typeof runSubscription> {
    const abort = connection.subscriptions.get(id) ?? new AbortController()
    const { signal } = abort
    const newContext = (): unknown => this.#deps.newContext({ ...connection.caller!, ...connection.origin, signal })
    const onEnd = (): void => {
      if (connection.subscriptions.get(id) === abort) connection.subscriptions.delete(id)
    }
    return runSubscription({ args, newContext, abort, onEnd })
  }

  #shown(thrown: GraphQLError, { origin: { requestId } }: Connection): ReturnType<GraphQLError['toJSON']> {
    const { path, originalError } = thrown
    const isOurs = originalError !== undefined && !(originalError instanceof GraphQLError)
    const error = isOurs ? toGatewayError(originalError) : fromGraphql(thrown)
    const { message, extensions } = toGraphqlError(error)
    if (STATUS[error.code] < SERVER_FAULT) return { message, extensions, ...(path && { path }) }
    logFault(this.#deps.log, { request_id: requestId, path }, error, 'subscription failed')
    return { message, extensions: { ...extensions, requestId }, ...(path && { path }) }
  }

  #recheckLater(): void {
    if (this.#cancelRecheck || this.#isStopping) return
    this.#cancelRecheck = this.#deps.timers.after(this.#deps.limits.recheckMs, () => void this.#recheck())
  }

  async #recheck(): Promise<void> {
    await Promise.all([...this.#connections].map(connection => connection.recheck()))
    this.#cancelRecheck = null
    if (this.#connections.size > 0) this.#recheckLater()
  }
}
