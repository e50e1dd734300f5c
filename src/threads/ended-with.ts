/**
 * Runs work under a controller of its own, whose signal also ends with another one. That may live for weeks:
 * `AbortSignal.any` would keep something of each signal that was made of it.
 */
export async function endedWith<Result>(signal: AbortSignal, work: (own: AbortController) => Promise<Result>): Promise<Result> {
  const own = new AbortController()
  const end = (): void => own.abort(signal.reason)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  try {
    return await work(own)
  } finally {
    signal.removeEventListener('abort', end)
  }
}
