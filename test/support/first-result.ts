/** The first response that is as expected, requested again and again. Rejects with the last one when `withinMs` is over. */
export async function firstResult<T>(
  withinMs: number,
  request: () => Promise<T>,
  isRequested: (response: T) => boolean
): Promise<T> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const response = await request()
    if (performance.now() > endMs) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(response)}`)
    if (isRequested(response)) return response
  }
}
