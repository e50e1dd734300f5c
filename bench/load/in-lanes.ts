/**
 * Works through the items in so many lanes at once, each taking the next as soon as it is done with one. `open` makes a
 * lane: its own connection, and what sends one item over it. Returns seconds.
 */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  open: () => { send(item: Item): Promise<void>; close?(): void }
): Promise<number> {
  let next = 0
  const work = async (): Promise<void> => {
    const lane = open()
    while (next < items.length) await lane.send(items[next++]!)
    lane.close?.()
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: lanes }, work))
  return (performance.now() - startedMs) / 1000
}
