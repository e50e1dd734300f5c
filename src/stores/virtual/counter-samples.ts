import { GatewayError } from '../../domain/errors.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { CountGrid } from './virtual-metric.js'

const S_NS = 1_000_000_000n
const MS_NS = 1_000_000n
const MS_PER_S = 1_000
/** Lengths of a step that divide a day, in seconds. */
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400] as const
/** Steps in the window of a function that has as many as it needs. */
const PER_WINDOW = 4
/** Steps of one series. */
const MAX_STEPS = 2_000
/** The spacing of samples of a query without a window. */
const DEFAULT_WINDOW_MS = 60_000

/** How a query looks at the samples. */
export interface SampleLook {
  /** Length of its windows, milliseconds. */
  readonly windowMs?: number | undefined
  /** Distance of its windows, milliseconds; absent when there is one. */
  readonly stepMs?: number | undefined
  /** The earliest time of a sample: a millisecond after the first window begins, since windows are open on the left. */
  readonly firstNs: bigint
}

/**
 * The steps in which records are counted. They begin where the windows of the query do, so that each window holds whole
 * steps: the longest round step of which four fit into a window and that divides windows and their distance, or where that
 * would make more than 2,000 steps, the shortest one that does not. `query_unsupported` when a window would hold no two.
 */
export function sampleGrid(range: TimeRange, { windowMs = DEFAULT_WINDOW_MS, stepMs, firstNs }: SampleLook): CountGrid {
  const spanS = Number((range.endNs - range.startNs) / S_NS)
  const stepS = stepOf(spanS / MAX_STEPS, windowMs, stepMs)
  if (stepS * 2 * MS_PER_S > windowMs) {
    const detail = `over ${spanS} seconds metrics derived from other signals require windows of at least ${stepS * 2} seconds`
    throw new GatewayError('query_unsupported', detail)
  }
  const stepNs = BigInt(stepS) * S_NS
  const startNs = range.startNs - mod(range.startNs - edgeOf(firstNs), stepNs)
  return { startNs, stepNs, count: Number((range.endNs - startNs) / stepNs) }
}

function stepOf(leastS: number, windowMs: number, stepMs: number | undefined): number {
  const divides = (step: number): boolean => windowMs % (step * MS_PER_S) === 0 && (stepMs ?? 0) % (step * MS_PER_S) === 0
  const targetS = STEPS_S.findLast(step => step <= windowMs / MS_PER_S / PER_WINDOW) ?? STEPS_S[0]
  const exactS = STEPS_S.findLast(step => step <= targetS && step >= leastS && divides(step))
  if (exactS !== undefined) return exactS
  return targetS >= leastS ? targetS : (STEPS_S.find(step => step >= leastS && divides(step)) ?? longerThan(leastS))
}

function longerThan(leastS: number): number {
  return STEPS_S.find(step => step >= leastS) ?? STEPS_S.at(-1)!
}

/** The begin of the first window; a range that does not begin at a whole millisecond is not that of windows. */
function edgeOf(firstNs: bigint): bigint {
  return mod(firstNs, MS_NS) === 0n ? firstNs - MS_NS : 0n
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
 * A counter out of counts per step, within a range: it begins each step with a zero, a millisecond after the step does, and
 * ends it with the count. So `increase` over whole steps is their sum, with nothing to extrapolate: a counter that is zero
 * at the begin of a window was not higher before.
 */
export function counterSamples(counts: readonly number[], grid: CountGrid, range: TimeRange): CounterSamples {
  const times: bigint[] = []
  const values: number[] = []
  const add = (timeNs: bigint, value: number): void => {
    if (timeNs < range.startNs || timeNs >= range.endNs) return
    times.push(timeNs)
    values.push(value)
  }
  counts.forEach((count, i) => {
    const startNs = grid.startNs + BigInt(i) * grid.stepNs
    add(startNs + MS_NS, 0)
    add(startNs + grid.stepNs, count)
  })
  return { timestampsNs: BigInt64Array.from(times), values: Float64Array.from(values) }
}
