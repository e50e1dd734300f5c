import { GatewayError } from '../domain/errors.js'

/** The error of a read that took longer than it may. */
export function queryTimeout(timeoutMs: number): GatewayError {
  return new GatewayError(
    'query_timeout',
    `the query exceeded the time limit of ${timeoutMs} ms; use a shorter window or a narrower filter`,
    {
      retryAfterS: 1
    }
  )
}

/**
 * The pages of a stream, each of which must come within the time limit; the time that the reader takes does not count.
 * @param open starts the stream under a signal that ends with the caller's or at the limit
 */
export async function* timedPages<P>(
  open: (signal: AbortSignal) => AsyncIterable<P>,
  signal: AbortSignal,
  timeoutMs: number
): AsyncGenerator<P, void, undefined> {
  const late = new AbortController()
  const pages = open(AbortSignal.any([signal, late.signal]))[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = setTimeout(() => late.abort(queryTimeout(timeoutMs)), timeoutMs)
      const next = await pages.next().finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value
    }
  } finally {
    await pages.return?.()
  }
}
