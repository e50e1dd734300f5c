import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Timers } from '../ports/timers.js'
import { IterationLimit } from '../threads/iteration-limit.js'
import { hasBody } from './body-receiver.js'

/** Read and thrown away behind a response that came before the end of its body. */
export const MAX_DRAIN_BYTES = 64 * 1024 * 1024
/** After a period of so long without a byte the connection is closed. */
export const DRAIN_IDLE_MS = 2_000
/** How long a refused request may go on sending its body. */
export const MAX_DRAIN_MS = 30_000
/** What is left of a declared body that is read to its end for sure, so that the connection may serve the next request. */
const KEEP_ALIVE_BYTES = 256 * 1024
/** Bytes of all bodies that an iteration of the event loop reads and throws away, and paused bodies that it resumes. */
const DRAIN_AT_ONCE = { units: 256 * 1024, resumed: 4 }

/**
 * Requests that get their response before their body has arrived. Many clients send all of it before they read: were the
 * connection closed at once, they would see a broken pipe and never the response (RFC 9112 section 9.6).
 */
export class LingeringRequests {
  readonly #timers: Timers
  readonly #draining = new IterationLimit(DRAIN_AT_ONCE)
  readonly #requests = new WeakSet<FastifyRequest>()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Sends the responses of a server at once, and ends them when a bounded part of the body was read. */
  serve(app: FastifyInstance): void {
    app.addHook('onSend', (request, reply, payload, done) => {
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
      if (request.raw.complete || !hasBody(request.raw) || !Buffer.isBuffer(bytes)) {
        done(null, payload)
        return
      }
      this.#requests.add(request)
      if (!isSoonRead(request.raw)) void reply.header('connection', 'close')
      void reply.header('content-length', String(bytes.length))
      done(null, Readable.from(this.#sendThenDrain(request.raw, bytes), { objectMode: false }))
    })
  }

  /** Whether the end of the response waits, or waited, for the body. */
  has(request: FastifyRequest): boolean {
    return this.#requests.has(request)
  }

  async *#sendThenDrain(message: IncomingMessage, response: Buffer): AsyncGenerator<Buffer> {
    yield response
    await this.#drain(message)
  }

  #drain(message: IncomingMessage): Promise<void> {
    if (message.complete || message.destroyed) return Promise.resolve()
    return new Promise(resolve => {
      let bytes = 0
      let idleBytes = -1
      let cancelIdle = (): void => undefined
      const cancelAll = this.#timers.after(MAX_DRAIN_MS, () => end())
      const end = (): void => {
        cancelIdle()
        cancelAll()
        message.off('data', onData).off('end', end).off('close', end).off('error', end)
        resolve()
      }
      // One timer a period: one for each chunk would cost more than the chunk.
      const watch = (): void => {
        if (bytes === idleBytes) return end()
        idleBytes = bytes
        cancelIdle = this.#timers.after(DRAIN_IDLE_MS, watch)
      }
      const resume = (): void => void message.resume()
      const onData = (chunk: Buffer): void => {
        bytes += chunk.length
        if (bytes > MAX_DRAIN_BYTES) return end()
        if (!this.#draining.isOver(chunk.length)) return
        message.pause()
        this.#draining.next(resume)
      }
      watch()
      message.on('data', onData).on('end', end).on('close', end).on('error', end)
      resume()
    })
  }
}

/** Whether what is left of the body is small by its own declaration, and on its way. */
function isSoonRead({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= KEEP_ALIVE_BYTES
}
