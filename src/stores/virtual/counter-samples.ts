import { GatewayError } from '../../domain/errors.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { CountGrid } from './virtual-metric.js'

const S_NS = 1_000_000_000n
const MS_NS = 1_000_000n
const HOUR_S = 3_600
/** Distances of samples that divide an hour or are divided by it, in seconds. */
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, HOUR_S, 7_200, 10_800, 21_600, 43_200, 86_400] as const
/** Samples in the window of a function that has as many as it needs. */
const PER_WINDOW = 4
/** Samples of one series. */
const MAX_SAMPLES = 2_000
/** What is asked without a window is drawn at some distance. */
const DEFAULT_WINDOW_MS = 60_000

/** When counters are sampled, and how often they begin anew. */
export interface SampleGrid extends CountGrid {
  /** Counters begin anew at multiples of it: a whole number of steps. */
  readonly periodNs: bigint
}

/**
 * The times at which a metric is sampled over a range, for functions that look at windows of so many milliseconds: a
 * quarter of it, further apart when there would be too many. `query_unsupported` when a window would hold no two.
 */
export function sampleGrid(range: TimeRange, windowMs: number = DEFAULT_WINDOW_MS): SampleGrid {
  const spanS = Number((range.endNs - range.startNs) / S_NS)
  const leastS = spanS / MAX_SAMPLES
  const wantedS = STEPS_S.findLast(step => step <= windowMs / 1_000 / PER_WINDOW) ?? STEPS_S[0]
  const stepS = wantedS >= leastS ? wantedS : (STEPS_S.find(step => step >= leastS) ?? STEPS_S.at(-1)!)
  if (stepS * 2_000 > windowMs) {
    const detail = `over ${spanS} seconds metrics counted out of other signals need windows of at least ${stepS * 2} seconds`
    throw new GatewayError('query_unsupported', detail)
  }
  const stepNs = BigInt(stepS) * S_NS
  const periodNs = BigInt(Math.max(stepS, HOUR_S)) * S_NS
  // From the start of a period, so that a value does not depend on what else was asked.
  const startNs = range.startNs - mod(range.startNs, periodNs)
  const count = Number((range.endNs - startNs) / stepNs)
  return { startNs, stepNs, periodNs, count }
}

function mod(ns: bigint, by: bigint): bigint {
  const rest = ns % by
  return rest < 0n ? rest + by : rest
}

/** Times and values of a counter. */
export interface CounterSamples {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
}

/**
 * A counter out of counts per step, within a range: at the end of each step how many there were since its period began.
 * A period begins with a zero a millisecond after its start, so that every new beginning is seen.
 */
export function counterSamples(counts: readonly number[], grid: SampleGrid, range: TimeRange): CounterSamples {
  const times: bigint[] = []
  const values: number[] = []
  let total = 0
  counts.forEach((count, i) => {
    const startNs = grid.startNs + BigInt(i) * grid.stepNs
    if (startNs % grid.periodNs === 0n) {
      total = 0
      add(startNs + MS_NS, 0)
    }
    total += count
    add(startNs + grid.stepNs, total)
  })
  return { timestampsNs: BigInt64Array.from(times), values: Float64Array.from(values) }

  function add(timeNs: bigint, value: number): void {
    if (timeNs < range.startNs || timeNs >= range.endNs) return
    times.push(timeNs)
    values.push(value)
  }
}
