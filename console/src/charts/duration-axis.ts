/** A logarithmic axis of durations, from the bottom to the top of a picture. Pure. */
export interface DurationAxis {
  readonly fromMs: number
  readonly toMs: number
}

/** Shorter durations are drawn as one of a microsecond: a logarithm has no zero. */
const SHORTEST_MS = 0.001
/** A decade at least, so that equal durations do not fill the picture with noise. */
const MIN_FACTOR = 10
const MARGIN = 1.15

/** An axis that has all of the durations on it, with a margin. */
export function durationAxis(durationsMs: readonly number[]): DurationAxis {
  let shortest = Infinity
  let longest = SHORTEST_MS
  for (const ms of durationsMs) {
    shortest = Math.min(shortest, Math.max(ms, SHORTEST_MS))
    longest = Math.max(longest, ms)
  }
  const low = Math.min(shortest, longest)
  const missing = Math.sqrt(Math.max(1, MIN_FACTOR / (longest / low)))
  return { fromMs: low / missing / MARGIN, toMs: longest * missing * MARGIN }
}

/** Share of the height, from the top, at which a duration is. */
export function heightOf({ fromMs, toMs }: DurationAxis, ms: number): number {
  return Math.log(toMs / Math.max(ms, SHORTEST_MS)) / Math.log(toMs / fromMs)
}

/** The duration at a share of the height from the top. */
export function durationAt({ fromMs, toMs }: DurationAxis, share: number): number {
  return toMs * (fromMs / toMs) ** share
}

/** Powers of ten on the axis, at most `most` of them, longest first; the ends of an axis that has fewer than two. */
export function durationTicks({ fromMs, toMs }: DurationAxis, most: number): readonly number[] {
  const lowest = Math.ceil(Math.log10(fromMs))
  const highest = Math.floor(Math.log10(toMs))
  if (highest - lowest < 1) return [toMs, Math.sqrt(fromMs * toMs), fromMs]
  const step = Math.ceil((highest - lowest + 1) / most)
  const ticks: number[] = []
  for (let power = highest; power >= lowest; power -= step) ticks.push(10 ** power)
  return ticks
}
