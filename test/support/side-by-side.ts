/** Requests that a test has in flight at once: enough for stores that wait for their disks. */
const WIDTH = 8

/** Does the same with each of many, some side by side; results are in the order of the items. Rejects with the first fault. */
export async function sideBySide<T, R>(items: Iterable<T>, run: (item: T) => Promise<R>): Promise<R[]> {
  const pending = [...items].entries()
  const results: R[] = []
  const worker = async (): Promise<void> => {
    // All workers draw from the one iterator.
    for (const [i, item] of pending) results[i] = await run(item)
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))
  return results
}
