import { GatewayError } from '../domain/errors.js'

const RETRY_AFTER_S = 1
/** Parsing so many bytes of the worst JSON there is takes about 10 ms. */
export const AT_ONCE_BYTES = 256 * 1024
/** The limit of queued small bodies, in bytes: they take about two seconds. Their clients may have left meanwhile. */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024
/** The limit of one caller within it. */
export const MAX_WAITING_OF_CALLER_BYTES = (MAX_WAITING_BYTES * 3) / 8
/** A smaller body counts as so many bytes, for its request. */
export const MIN_WAITING_BYTES = 4 * 1024

interface SmallBody {
  readonly bytes: number
  readonly caller: string
  readonly resolve: () => void
}

/** Small bodies that wait for their turn, and how many were refused since the start. */
export interface FairSchedulerState {
  readonly waiting: number
  readonly waitingBytes: number
  readonly refused: number
}

/**
 * Shares the event loop among large bodies: each of them works one slice and waits for its next turn, and at most one
 * slice runs per turn of the loop, however many bodies there are. What is in flight is bounded in bytes.
 */
export class FairScheduler {
  readonly #maxBytes: number
  #bytes = 0
  #waiting: (() => void)[] = []
  #isScheduled = false
  /** Of bodies that were let in at once in this turn of the event loop. */
  #atOnceBytes = 0
  #small: SmallBody[] = []
  readonly #waitingBytes = new Map<string, number>()
  #allWaitingBytes = 0
  #refused = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get state(): FairSchedulerState {
    return { waiting: this.#small.length, waitingBytes: this.#allWaitingBytes, refused: this.#refused }
  }

  /** Runs the work of one large body; `overloaded` when too much is in flight already. */
  async run<T>(sizeBytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#bytes + sizeBytes > this.#maxBytes) {
      throw new GatewayError('overloaded', 'too many large bodies are in flight', { retryAfterS: RETRY_AFTER_S })
    }
    this.#bytes += sizeBytes
    try {
      return await work()
    } finally {
      this.#bytes -= sizeBytes
    }
  }

  /**
   * Null when a body that is worked on in one go may be now; else resolves when it may: in each turn of the loop some may.
   * `rate_limited` when too many bodies of the caller wait, `overloaded` when too many do.
   */
  admit(bytes: number, caller: string): Promise<void> | null {
    if (this.#small.length === 0 && this.#takeAtOnce(bytes)) return null
    this.#countWaiting(caller, Math.max(bytes, MIN_WAITING_BYTES))
    return new Promise(resolve => {
      this.#small.push({ bytes, caller, resolve })
      this.#schedule()
    })
  }

  /** Resolves when the next slice may run. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  /** Runs steps to their end, each in a turn of its own. */
  async through<T>(steps: Generator<void, T>): Promise<T> {
    let step = steps.next()
    while (!step.done) {
      await this.next()
      step = steps.next()
    }
    return step.value
  }

  #countWaiting(caller: string, bytes: number): void {
    const ofCaller = (this.#waitingBytes.get(caller) ?? 0) + bytes
    if (ofCaller > MAX_WAITING_OF_CALLER_BYTES) throw this.#refusal('rate_limited', 'of this caller', MAX_WAITING_OF_CALLER_BYTES)
    if (this.#allWaitingBytes + bytes > MAX_WAITING_BYTES) throw this.#refusal('overloaded', 'of all callers', MAX_WAITING_BYTES)
    this.#waitingBytes.set(caller, ofCaller)
    this.#allWaitingBytes += bytes
  }

  #refusal(code: 'rate_limited' | 'overloaded', whose: string, maxBytes: number): GatewayError {
    this.#refused++
    const detail = `queued bodies ${whose} exceed ${maxBytes} bytes; send again later`
    return new GatewayError(code, detail, { retryAfterS: RETRY_AFTER_S })
  }

  #startSmall(): void {
    const { bytes, caller, resolve } = this.#small.shift()!
    const counted = Math.max(bytes, MIN_WAITING_BYTES)
    const left = this.#waitingBytes.get(caller)! - counted
    if (left > 0) this.#waitingBytes.set(caller, left)
    else this.#waitingBytes.delete(caller)
    this.#allWaitingBytes -= counted
    resolve()
  }

  #takeAtOnce(bytes: number): boolean {
    if (this.#atOnceBytes > 0 && this.#atOnceBytes + bytes > AT_ONCE_BYTES) return false
    this.#atOnceBytes += bytes
    this.#schedule()
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#atOnceBytes = 0
      this.#waiting.shift()?.()
      while (this.#small.length > 0 && this.#takeAtOnce(this.#small[0]!.bytes)) this.#startSmall()
      if (this.#waiting.length > 0 || this.#small.length > 0) this.#schedule()
    })
  }
}
