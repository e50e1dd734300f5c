/** The times of the samples of an extended window, `[from, to)`, and its edges. */
interface ExtendedWindow {
  readonly times: Float64Array
  readonly from: number
  readonly to: number
  readonly startMs: number
  readonly endMs: number
}

/** The samples that determine the values at the edges of a window, as positions. */
export interface ExtendedEdges {
  readonly first: number
  readonly last: number
  /** Whether the value at the start is on the line from `first` to the sample behind it. */
  readonly startsBetween: boolean
  /** Whether the value at the end is on the line from the sample before `last` to `last`. */
  readonly endsBetween: boolean
}

/** The first of `[from, to)` that is later than a time, or at it if `isAtEnough`; `to` if none is. */
function firstFrom(times: Float64Array, from: number, to: number, ms: number, isAtEnough: boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! > ms || (isAtEnough && times[middle] === ms)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Finds the edges of a window. `first` is the last sample at or before the start, or the first there is; `last` is the last
 * one, or of a smoothed window the first one at or behind the end. Only smoothed windows have values between samples. Null
 * where no sample is within.
 */
export function extendedEdges({ times, from, to, startMs, endMs }: ExtendedWindow, isSmoothed: boolean): ExtendedEdges | null {
  const first = Math.max(from, firstFrom(times, from, to - 1, startMs, false) - 1)
  const last = isSmoothed ? firstFrom(times, from, to - 1, endMs, true) : to - 1
  if (times[last]! <= startMs || (isSmoothed && times[first]! > endMs)) return null
  const startsBetween = isSmoothed && times[first]! < startMs
  const endsBetween = isSmoothed && last > from && times[last]! > endMs
  return { first, last, startsBetween, endsBetween }
}
