/** As `Promise.all`, but rejects only when none is in progress any more: what they hold may then be let go. */
export async function allDone<const T extends readonly Promise<unknown>[]>(
  promises: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
