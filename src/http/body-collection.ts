import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../domain/errors.js'
import type { BodyBytes } from '../ingest/byte-budget.js'
import type { Timers } from '../ports/timers.js'
import type { IterationLimit } from '../threads/iteration-limit.js'
import { BodyChunks } from './body-chunks.js'

/** A body must bring this much in each period, or end. */
export const MIN_PROGRESS_BYTES = 16 * 1024
/** How often the progress of a slow body is measured. */
export const PROGRESS_PERIOD_MS = 10_000

/** The refusal of a body that is too large; the same before and after decompression. */
export function bodyTooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    'payload_too_large',
    `body exceeds the limit of ${maxBytes} bytes, before or after decompression; send less in one request`
  )
}

/** The end of a body whose client has left. */
export function connectionClosed(): GatewayError {
  return new GatewayError('invalid_json', 'the connection closed within the body')
}

function tooSlow(): GatewayError {
  const detail = `the body brought less than ${MIN_PROGRESS_BYTES} bytes in ${PROGRESS_PERIOD_MS / 1_000} s; send it faster`
  return new GatewayError('request_timeout', detail)
}

/** What a body is collected with. */
export interface CollectionDeps {
  readonly timers: Timers
  /** Of all bodies together; its units are bytes. */
  readonly reading: IterationLimit
}

/** Collects the body of one message; each chunk takes its bytes of the budget before the next is read. */
export class BodyCollection {
  /** `payload_too_large`, `request_timeout`, and what the budget refuses with. */
  readonly bytes: Promise<Buffer>
  readonly #message: IncomingMessage
  readonly #body: BodyBytes
  readonly #maxBytes: number
  readonly #deps: CollectionDeps
  readonly #chunks = new BodyChunks()
  #resolve: (bytes: Promise<Buffer>) => void = () => undefined
  #reject: (error: Error) => void = () => undefined
  #cancelWatch: () => void = () => undefined
  #isWaiting = false
  #isAtEnd = false

  constructor(message: IncomingMessage, body: BodyBytes, maxBytes: number, deps: CollectionDeps) {
    this.#message = message
    this.#body = body
    this.#maxBytes = maxBytes
    this.#deps = deps
    this.bytes = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#watch(0)
    message.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
    message.resume()
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#chunks.bytes + chunk.length > this.#maxBytes) this.#fail(bodyTooLarge(this.#maxBytes))
    else if (this.#body.tryTake(chunk.length)) this.#add(chunk)
    else void this.#waitFor(chunk).catch((error: Error) => this.#fail(error))
  }

  #add(chunk: Buffer): void {
    this.#chunks.add(chunk)
    if (!this.#deps.reading.isOver(chunk.length)) return
    this.#message.pause()
    this.#deps.reading.next(this.#resumeReading)
  }

  readonly #resumeReading = (): void => {
    if (!this.#isWaiting) this.#message.resume()
  }

  // A pause does not keep the end of the message back. The listeners go with the message.
  readonly #onEnd = (): void => {
    this.#isAtEnd = true
    if (this.#isWaiting) return
    this.#cancelWatch()
    this.#resolve(this.#chunks.take())
  }

  readonly #onError = (error: Error): void => this.#fail(Object.assign(error, { statusCode: 400 }))

  readonly #onClose = (): void => {
    if (!this.#isAtEnd) this.#fail(connectionClosed())
  }

  async #waitFor(chunk: Buffer): Promise<void> {
    this.#message.pause()
    this.#isWaiting = true
    await this.#body.take(chunk.length)
    this.#isWaiting = false
    this.#chunks.add(chunk)
    if (this.#isAtEnd) this.#onEnd()
    else this.#message.resume()
  }

  /** Ends a body that is too slow; one that waits for the budget is paused by us. */
  #watch(bytesBefore: number): void {
    this.#cancelWatch = this.#deps.timers.after(PROGRESS_PERIOD_MS, () => {
      if (!this.#isWaiting && this.#chunks.bytes - bytesBefore < MIN_PROGRESS_BYTES) this.#fail(tooSlow())
      else this.#watch(this.#chunks.bytes)
    })
  }

  #fail(error: Error): void {
    this.#stop()
    this.#reject(error)
  }

  #stop(): void {
    this.#cancelWatch()
    this.#message.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose)
  }
}
