/** What ends at once takes milliseconds; what grows with the square of its input takes a minute. */
const AT_ONCE_MS = 5_000

/** Whether some work, which holds the thread or is waited for, ends at once. */
export async function endsAtOnce(work: () => unknown): Promise<boolean> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs < AT_ONCE_MS
}
