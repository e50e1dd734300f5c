import type { TimeRange } from '../../../domain/time-range.js'

/** Windows of equal length that end at times of one distance, and the grid of buckets that they are made of. Milliseconds. */
export interface WindowGrid {
  readonly startMs: number
  readonly stepMs: number
  readonly count: number
  /** Buckets of one window. */
  readonly perWindow: number
  /** Buckets from the start of a window to that of the next. */
  readonly perStep: number
  /** End of the last window, exclusive. */
  readonly endMs: number
}

/** Buckets of one read: as many as a histogram of the log search has. */
export const MAX_BUCKETS = 1_000
const NS_PER_MS = 1_000_000n

/** The greatest common divisor. */
export function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** The grid for windows of `windowMs` that end at these times, which have one distance. */
export function windowGrid(ends: readonly number[], windowMs: number): WindowGrid {
  const [first, second] = ends as readonly [number, number?]
  const endMs = ends.at(-1)!
  const distanceMs = second === undefined ? windowMs : second - first
  const stepMs = greatestDivisor(windowMs, distanceMs)
  const startMs = first - windowMs
  return { startMs, stepMs, count: (endMs - startMs) / stepMs, perWindow: windowMs / stepMs, perStep: distanceMs / stepMs, endMs }
}

/** Splits times so that the grid of each part has at most `MAX_BUCKETS` buckets. */
export function partsWithinBuckets(
  ends: readonly number[],
  windowMs: number,
  maxBuckets = MAX_BUCKETS
): readonly (readonly number[])[] {
  const parts: number[][] = []
  for (const end of ends) {
    const part = parts.at(-1)
    if (
      part !== undefined &&
      windowGrid([...part.slice(0, 1), ...(part.length > 1 ? [part[1]!] : []), end], windowMs).count <= maxBuckets
    )
      part.push(end)
    else parts.push([end])
  }
  return parts
}

/** The range of a grid in nanoseconds. */
export function rangeOf({ startMs, endMs }: Pick<WindowGrid, 'startMs' | 'endMs'>): TimeRange {
  return { startNs: BigInt(startMs) * NS_PER_MS, endNs: BigInt(endMs) * NS_PER_MS }
}

/** The buckets in nanoseconds, as stores take them. */
export function bucketsOf({ startMs, stepMs, count }: Pick<WindowGrid, 'startMs' | 'stepMs' | 'count'>): {
  startNs: bigint
  stepNs: bigint
  count: number
} {
  return { startNs: BigInt(startMs) * NS_PER_MS, stepNs: BigInt(stepMs) * NS_PER_MS, count }
}

/** The sum of the buckets of the window with this index. */
export function windowSum(counts: readonly number[], { perWindow, perStep }: WindowGrid, index: number): number {
  const from = index * perStep
  let sum = 0
  for (let i = from; i < from + perWindow; i++) sum += counts[i] ?? 0
  return sum
}
