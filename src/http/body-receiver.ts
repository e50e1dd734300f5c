import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../domain/principal.js'
import { type BodyBytes, type ByteBudget, OPEN_BODY_BYTES } from '../ingest/byte-budget.js'
import type { Timers } from '../ports/timers.js'
import { IterationLimit } from '../threads/iteration-limit.js'
import { budgetCallerOf } from './body-caller.js'
import { BodyCollection, bodyTooLarge, type CollectionDeps, connectionClosed } from './body-collection.js'

/** What receives bodies. */
export interface BodyReceiverDeps {
  readonly budget: ByteBudget
  readonly timers: Timers
}

/** Bytes of all bodies that an iteration of the event loop receives, and paused bodies that it resumes. */
const READ_AT_ONCE = { units: 1024 * 1024, resumed: 16 }
/** Name of the receiver among the decorations of a server. */
const DECORATION = 'bodyReceiver'

/** What is known of the body of a request. A property of the request: entries of WeakMaps cost the garbage collector more. */
interface Reception {
  principal: Principal | null
  response: ServerResponse | null
  body: BodyBytes | null
}
const RECEPTION = Symbol('reception')

function receptionOf(request: FastifyRequest): Reception {
  const of = request as { [RECEPTION]?: Reception | null }
  return (of[RECEPTION] ??= { principal: null, response: null, body: null })
}

/** Whether a request has a body, by its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Receives the bodies of a server's requests within the budget of bytes: each takes its bytes as they arrive. */
export class BodyReceiver {
  readonly #budget: ByteBudget
  readonly #collection: CollectionDeps

  constructor({ budget, timers }: BodyReceiverDeps) {
    this.#budget = budget
    this.#collection = { timers, reading: new IterationLimit(READ_AT_ONCE) }
  }

  /** The receiver of the server that a scope belongs to. */
  static of(scope: FastifyInstance): BodyReceiver {
    return scope.getDecorator<BodyReceiver>(DECORATION)
  }

  /** Makes the receiver of a server. */
  static serve(app: FastifyInstance, deps: BodyReceiverDeps): void {
    const receiver = new BodyReceiver(deps)
    app.decorate(DECORATION, receiver)
    app.decorateRequest(RECEPTION, null)
    // A client that waits for `100 Continue` gets it when the route reads its body, not before.
    app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (hasBody(request.raw)) receptionOf(request).response = reply.raw
      done(null, payload)
    })
  }

  /** Whose share the body of this request takes; without it, that of callers without a credential. */
  identify(request: FastifyRequest, principal: Principal): void {
    receptionOf(request).principal = principal
  }

  /** What the body of a request has of the budget; null of a request without one. */
  bytesOf(request: FastifyRequest): BodyBytes | null {
    return receptionOf(request).body
  }

  /** The body as it was sent. `payload_too_large`, `request_timeout`, `rate_limited`, `overloaded`. */
  async receive(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
    const reception = receptionOf(request)
    const { principal, response } = reception
    if (response === null) return EMPTY
    if (Number(request.headers['content-length']) > maxBytes) throw bodyTooLarge(maxBytes)
    // Its client left while it was authenticated: no event would report the end.
    if (response.destroyed) throw connectionClosed()
    const body = this.#budget.open(budgetCallerOf(principal, request))
    reception.body = body
    response.once('close', () => body.release())
    try {
      if (!body.tryTake(OPEN_BODY_BYTES)) await body.take(OPEN_BODY_BYTES)
      if (request.headers.expect !== undefined) response.writeContinue()
      return await new BodyCollection(request.raw, body, maxBytes, this.#collection).bytes
    } catch (error) {
      // What is refused holds nothing while its connection is drained.
      body.release()
      throw error
    }
  }
}

const EMPTY = Buffer.alloc(0)
