import { writeMilliseconds } from '../../domain/sample-times.js'
import { staleTest } from '../../domain/stale-marker.js'
import { mean, sum } from '../../domain/sums.js'
import type { SampleWindows, WindowAggregate } from '../../ports/metric-store.js'

/** Times and values of one series, sorted by time. */
interface Columns {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
}

type Fold = (values: Float64Array, from: number, to: number) => number

const AGGREGATES: Readonly<Record<WindowAggregate, Fold>> = { count: (_values, from, to) => to - from, sum, mean }

const BEATS: Readonly<Record<Exclude<SampleWindows['keep'], WindowAggregate | 'all'>, (value: number, best: number) => boolean>> =
  {
    first: () => false,
    last: () => true,
    highest: (value, best) => value > best,
    lowest: (value, best) => value < best
  }

const NOWHERE = -1

/** The window of each sample. */
function windowsOf({ timestampsNs }: Columns, { firstEndMs, stepMs, lengthMs }: SampleWindows): Float64Array {
  const windows = new Float64Array(timestampsNs.length)
  writeMilliseconds(timestampsNs, windows, 0)
  const startMs = firstEndMs - lengthMs + 1
  for (let i = 0; i < windows.length; i++) {
    const sinceMs = windows[i]! - startMs
    const window = Math.floor(sinceMs / stepMs)
    windows[i] = window >= 0 && sinceMs - window * stepMs < lengthMs ? window : NOWHERE
  }
  return windows
}

/** The samples at these positions. Values are copied as bits: as a number, a NaN could lose those that mark the end of a series. */
function picked({ timestampsNs, values }: Columns, positions: readonly number[]): Columns {
  const found = { timestampsNs: new BigInt64Array(positions.length), values: new Float64Array(positions.length) }
  const from = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  const to = new Uint32Array(found.values.buffer)
  for (const [at, i] of positions.entries()) {
    found.timestampsNs[at] = timestampsNs[i]!
    to[2 * at] = from[2 * i]!
    to[2 * at + 1] = from[2 * i + 1]!
  }
  return found
}

/** Positions of the samples that the windows need, rising. */
function needed({ values }: Columns, windows: Float64Array, keep: keyof typeof BEATS | 'all'): readonly number[] {
  const isKept = new Uint8Array(values.length)
  let window = NOWHERE
  let best = NOWHERE
  for (let i = 0; i < values.length; i++) {
    if (windows[i] === NOWHERE) continue
    const value = values[i]!
    if (keep === 'all' || Number.isNaN(value)) {
      isKept[i] = 1
      continue
    }
    if (windows[i] !== window) best = NOWHERE
    window = windows[i]!
    if (best !== NOWHERE && !BEATS[keep](value, values[best]!)) continue
    if (best !== NOWHERE) isKept[best] = 0
    best = i
    isKept[i] = 1
  }
  const positions: number[] = []
  for (let i = 0; i < isKept.length; i++) if (isKept[i] === 1) positions.push(i)
  return positions
}

/** One value for each window that has samples; stale markers are not samples. */
function aggregated(samples: Columns, windows: Float64Array, fold: Fold): Columns {
  const isStale = staleTest(samples.values)
  const positions: number[] = []
  for (let i = 0; i < windows.length; i++) if (windows[i] !== NOWHERE && !isStale(i)) positions.push(i)
  const { timestampsNs, values } = picked(samples, positions)
  const times: bigint[] = []
  const results: number[] = []
  for (let from = 0, to = 0; from < positions.length; from = to) {
    while (to < positions.length && windows[positions[to]!] === windows[positions[from]!]) to++
    times.push(timestampsNs[to - 1]!)
    results.push(fold(values, from, to))
  }
  return { timestampsNs: BigInt64Array.from(times), values: Float64Array.from(results) }
}

/**
 * What windows need of a series (`SampleWindows`): some of its samples, or a value for each window. Not for series with
 * histograms: their resets depend on their neighbors.
 */
export function windowSamples<S extends Columns>(samples: S, requested: SampleWindows): S & { readonly isAggregated?: boolean } {
  const windows = windowsOf(samples, requested)
  const { keep } = requested
  if (keep === 'count' || keep === 'sum' || keep === 'mean')
    return { ...samples, ...aggregated(samples, windows, AGGREGATES[keep]), isAggregated: true }
  const positions = needed(samples, windows, keep)
  return positions.length === samples.values.length ? samples : { ...samples, ...picked(samples, positions) }
}
