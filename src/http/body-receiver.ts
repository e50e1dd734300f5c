import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../domain/principal.js'
import { type BodyBytes, type ByteBudget, OPEN_BODY_BYTES } from '../ingest/byte-budget.js'
import type { Timers } from '../ports/timers.js'
import { budgetCallerOf } from './body-caller.js'
import { BodyCollection, bodyTooLarge } from './body-collection.js'

/** What receives bodies. */
export interface BodyReceiverDeps {
  readonly budget: ByteBudget
  readonly timers: Timers
}

/** Name of the receiver among the decorations of a server. */
const DECORATION = 'bodyReceiver'
/** Whether a request has a body, by its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Receives the bodies of a server's requests within the budget of bytes: each takes its bytes as they arrive. */
export class BodyReceiver {
  readonly #budget: ByteBudget
  readonly #timers: Timers
  readonly #principals = new WeakMap<FastifyRequest, Principal>()
  readonly #responses = new WeakMap<FastifyRequest, ServerResponse>()
  readonly #bodies = new WeakMap<FastifyRequest, BodyBytes>()

  constructor({ budget, timers }: BodyReceiverDeps) {
    this.#budget = budget
    this.#timers = timers
  }

  /** The receiver of the server that a scope belongs to. */
  static of(scope: FastifyInstance): BodyReceiver {
    return scope.getDecorator<BodyReceiver>(DECORATION)
  }

  /** Makes the receiver of a server. */
  static serve(app: FastifyInstance, deps: BodyReceiverDeps): void {
    const receiver = new BodyReceiver(deps)
    app.decorate(DECORATION, receiver)
    // A client that waits for `100 Continue` gets it when its body is wanted, not before.
    app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (hasBody(request.raw)) receiver.#responses.set(request, reply.raw)
      done(null, payload)
    })
  }

  /** Whose share the body of this request takes; without it, that of callers without a credential. */
  identify(request: FastifyRequest, principal: Principal): void {
    this.#principals.set(request, principal)
  }

  /** What the body of a request has of the budget; null of a request without one. */
  bytesOf(request: FastifyRequest): BodyBytes | null {
    return this.#bodies.get(request) ?? null
  }

  /** The body as it was sent. `payload_too_large`, `request_timeout`, `rate_limited`, `overloaded`. */
  async receive(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
    const response = this.#responses.get(request)
    if (response === undefined) return EMPTY
    if (Number(request.headers['content-length']) > maxBytes) throw bodyTooLarge(maxBytes)
    const body = this.#budget.open(budgetCallerOf(this.#principals.get(request) ?? null, request.ip))
    this.#bodies.set(request, body)
    response.once('close', () => body.release())
    try {
      if (!body.tryTake(OPEN_BODY_BYTES)) await body.take(OPEN_BODY_BYTES)
      if (request.headers.expect !== undefined) response.writeContinue()
      return await new BodyCollection(request.raw, body, maxBytes, this.#timers).bytes
    } catch (error) {
      // What is refused holds nothing while its connection is drained.
      body.release()
      throw error
    }
  }
}

const EMPTY = Buffer.alloc(0)
