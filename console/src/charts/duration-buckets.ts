/** Counts by duration on a logarithmic axis. Pure: which bars a histogram of the API becomes. */

/** As `DurationHistogram` of the API: `counts[i]` last longer than `boundsMs[i - 1]` and at most `boundsMs[i]`. */
export interface DurationCounts {
  readonly boundsMs: readonly number[]
  readonly counts: readonly number[]
}

/** A bar: durations above `fromMs` and up to `toMs`, both finite and above 0. */
export interface DurationBar {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** More bars are merged: one of a few pixels cannot be selected. */
const MAX_BARS = 60
/** A single duration is shown with its neighbourhood, so that it looks like one bar of several. */
const MIN_BUCKETS = 12

/** Bars from the shortest to the longest duration that occurs, of equal width on a logarithmic axis. */
export function durationBars({ boundsMs, counts }: DurationCounts): readonly DurationBar[] {
  const first = counts.findIndex(count => count > 0)
  if (first === -1 || boundsMs.length < 2) return []
  const last = counts.findLastIndex(count => count > 0)
  const padding = Math.max(0, Math.ceil((MIN_BUCKETS - (last - first + 1)) / 2))
  const from = Math.max(0, first - padding)
  const to = Math.min(counts.length - 1, last + padding)
  const ratio = boundsMs[1]! / boundsMs[0]!
  // The first and the last bucket are open; on the axis they are as wide as the others.
  const lower = (bucket: number): number => (bucket === 0 ? boundsMs[0]! / ratio : boundsMs[bucket - 1]!)
  const upper = (bucket: number): number => boundsMs[bucket] ?? boundsMs.at(-1)! * ratio
  const merged = Math.ceil((to - from + 1) / MAX_BARS)
  const bars: DurationBar[] = []
  for (let start = from; start <= to; start += merged) {
    const end = Math.min(start + merged, counts.length)
    const count = counts.slice(start, end).reduce((sum, one) => sum + one, 0)
    bars.push({ fromMs: lower(start), toMs: upper(end - 1), count })
  }
  return bars
}

/** Position of a duration on the axis of the bars, from 0 to 1. */
export function positionOf(bars: readonly DurationBar[], ms: number): number {
  const start = Math.log(bars[0]!.fromMs)
  const end = Math.log(bars.at(-1)!.toMs)
  return Math.max(0, Math.min(1, (Math.log(Math.max(ms, Number.MIN_VALUE)) - start) / (end - start)))
}
