import { setTimeout as wait } from 'node:timers/promises'
import type { Recovered } from '../files/stream-record.js'
import { recoveredOf } from '../recover/ledger-streams.js'
import { LIMITS } from '../limits.js'
import { type HttpPost, type Reply, sentence } from './http-post.js'

/** Up to where the service has a stream. */
export interface Position {
  readonly nextSeq: number
  readonly bytesTo: number
  readonly lineTo: number
  /** What the next batch of a recovered stream is compared with; absent: nothing. */
  readonly recovered?: Recovered
}

/** What became of a batch. */
export type Delivery =
  | { readonly kind: 'stored'; readonly position: Position; readonly rejected: number }
  /** The ledger of the service contradicts the batch. */
  | { readonly kind: 'conflict'; readonly position: Position }
  /** Nothing was stored: the body is too large. */
  | { readonly kind: 'too_large' }

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 30_000
const REFUSED_WAIT_MS = 60_000
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 415, 422])

function positionOf({ json }: Reply): Position | null {
  const stream = json['stream']
  if (typeof stream !== 'object' || stream === null) return null
  const { next_seq: nextSeq, bytes_to: bytesTo, line_to: lineTo, recovered } = stream as Record<string, unknown>
  const isWhole = [nextSeq, bytesTo, lineTo].every(value => Number.isSafeInteger(value))
  if (!isWhole) return null
  const of = recoveredOf(recovered)
  return {
    nextSeq: nextSeq as number,
    bytesTo: bytesTo as number,
    lineTo: lineTo as number,
    ...(of !== null && { recovered: of })
  }
}

/** What is wrong between the agent and the service now; null when the last batch was stored. */
export interface DeliveryFault {
  readonly text: string
  readonly isRefused: boolean
}

/**
 * Sends a batch until the service reports what became of it, the same bytes each time. At most `LIMITS.inFlight` at once.
 * Outages last as long as they last: files are the buffer.
 */
export class Deliverer {
  readonly #post: HttpPost
  readonly #onFault: (fault: DeliveryFault) => void
  readonly #signal: AbortSignal
  readonly #waiting: (() => void)[] = []
  #running = 0
  fault: DeliveryFault | null = null
  retries = 0

  constructor(post: HttpPost, onFault: (fault: DeliveryFault) => void, signal: AbortSignal) {
    this.#post = post
    this.#onFault = onFault
    this.#signal = signal
  }

  /** Rejects only when the agent stops. @param body made when it is sent, since many may wait. */
  async deliver(path: string, body: () => string | Buffer): Promise<Delivery> {
    await this.#take()
    try {
      return await this.#sendUntilKnown(path, await this.#post.compress(body()))
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  async #take(): Promise<void> {
    while (this.#running >= LIMITS.inFlight) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running++
  }

  async #sendUntilKnown(path: string, bytes: Buffer): Promise<Delivery> {
    for (let attempt = 0; ; attempt++) {
      this.#signal.throwIfAborted()
      const reply = await this.#post.send(path, bytes).catch((error: unknown) => String(error))
      const delivery = typeof reply === 'string' ? null : this.#deliveryOf(reply)
      if (delivery !== null) return delivery
      this.retries++
      await wait(this.#waitMs(reply, attempt), undefined, { signal: this.#signal })
    }
  }

  #deliveryOf(reply: Reply): Delivery | null {
    const position = positionOf(reply)
    if (reply.status === 413) return { kind: 'too_large' }
    if (position === null || (reply.status !== 200 && reply.status !== 409)) return null
    this.fault = null
    if (reply.status === 409) return { kind: 'conflict', position }
    return { kind: 'stored', position, rejected: Number(reply.json['rejected'] ?? 0) }
  }

  #waitMs(reply: Reply | string, attempt: number): number {
    const isRefused = typeof reply !== 'string' && REFUSALS.has(reply.status)
    const isStrange = typeof reply !== 'string' && reply.status === 200
    const text = isStrange
      ? 'the service does not support log streams; upgrade it'
      : typeof reply === 'string'
        ? reply
        : sentence(reply)
    this.fault = { text, isRefused: isRefused || isStrange }
    this.#onFault(this.fault)
    if (isRefused || isStrange) return REFUSED_WAIT_MS
    if (typeof reply !== 'string' && reply.retryAfterS !== null) return Math.min(reply.retryAfterS * 1000, LONGEST_WAIT_MS)
    return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
  }
}
