/**
 * Runs the steps one after the other, also those behind one that failed. Throws the failure, or an `AggregateError` of all of them
 * with their messages in its own.
 */
export async function attemptEach(steps: Iterable<() => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('; '))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
