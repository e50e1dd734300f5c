import { setTimeout as wait } from 'node:timers/promises'

/** The longest time of a timer. */
const FOREVER_MS = 2 ** 31 - 1

/** What comes first: the value, or the end of a time. Rejects when the signal comes first. @param ms null: forever. */
async function soonerOf<Value>(value: Promise<Value>, ms: number | null, signal: AbortSignal): Promise<Value | 'late'> {
  const done = new AbortController()
  const late = wait(ms ?? FOREVER_MS, 'late' as const, { signal: AbortSignal.any([signal, done.signal]) })
  late.catch(() => undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    done.abort()
  }
}

/** Takes values as they come, one at a time, and waits for each a limited time. The first one is requested at once. */
export class Arrivals<Value> {
  readonly #values: AsyncIterator<Value>
  /** The value that is waited for. */
  #next: Promise<IteratorResult<Value>> | null

  constructor(values: AsyncIterable<Value>) {
    this.#values = values[Symbol.asyncIterator]()
    this.#next = this.#request()
  }

  /**
   * The next value; `late` when it did not come within the time: it is waited for by the next call. Rejects as the values do
   * and when the signal comes first. @param ms null: forever.
   */
  async next(ms: number | null, signal: AbortSignal): Promise<IteratorResult<Value> | 'late'> {
    this.#next ??= this.#request()
    const found = await soonerOf(this.#next, ms, signal)
    if (found !== 'late') this.#next = null
    return found
  }

  #request(): Promise<IteratorResult<Value>> {
    const next = this.#values.next()
    // It may fail before the next call.
    next.catch(() => undefined)
    return next
  }
}
