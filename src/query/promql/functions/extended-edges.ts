/** The times of the samples of an extended window, `[from, to)`, and its edges. */
interface ExtendedWindow {
  readonly times: Float64Array
  readonly from: number
  readonly to: number
  readonly startMs: number
  readonly endMs: number
}

/** The first of `[from, to)` that is later than a time, or as late where that counts; `to` if none is. */
function firstFrom(times: Float64Array, from: number, to: number, ms: number, isSameEnough: boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! > ms || (isSameEnough && times[middle] === ms)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The samples that say what was at the edges of a window: the last one at or before the start, or the first there is; and
 * the last one, or of a smoothed window the first one at or behind the end. Null where none lies within.
 */
export function extendedEdges(
  { times, from, to, startMs, endMs }: ExtendedWindow,
  isSmoothed: boolean
): { readonly first: number; readonly last: number } | null {
  const first = Math.max(from, firstFrom(times, from, to - 1, startMs, false) - 1)
  const last = isSmoothed ? firstFrom(times, from, to - 1, endMs, true) : to - 1
  if (times[last]! <= startMs || (isSmoothed && times[first]! > endMs)) return null
  return { first, last }
}
