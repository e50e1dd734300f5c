import type { TimeRange } from '../../../domain/time-range.js'
import type { SampleWindows } from '../../../ports/metric-store.js'

/** What InfluxDB selects from windows that follow each other without a gap: a row for each window that has samples. */
export interface WindowChoice {
  readonly fn: 'first' | 'last' | 'min' | 'max'
  readonly everyMs: number
  /** How long after multiples of their length since 1970 the windows begin. */
  readonly offsetMs: number
  /** Which time a row has: that of its sample (then InfluxDB makes a table of each row), or the beginning of its window. */
  readonly timeOf: 'sample' | 'window'
}

const FUNCTIONS: Readonly<Partial<Record<SampleWindows['keep'], WindowChoice['fn']>>> = {
  first: 'first',
  last: 'last',
  lowest: 'min',
  highest: 'max'
}

/** About so many rows cost as much as a table. */
const ROWS_A_TABLE = 20
/** Reading all samples of shorter steps costs less than a table for each, at a sample a minute. */
const SHORTEST_TABLE_MS = 1_800_000
/** Shorter windows mostly hold one sample: nothing would be left out. */
const SHORTEST_WINDOW_MS = 60_000

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

function choice(fn: WindowChoice['fn'], everyMs: number, startMs: number, timeOf: WindowChoice['timeOf']): WindowChoice {
  return { fn, everyMs, offsetMs: ((startMs % everyMs) + everyMs) % everyMs, timeOf }
}

/**
 * What InfluxDB may choose itself for windows so that the result is the same to the last digit; null where all rows must be
 * read. Only for series without flags (values that line protocol cannot express). Its windows leave no gaps, so they are either
 *
 * - the longest parts that both steps and windows are made of; `windowSamples` chooses among what comes of the parts; or
 * - as long as a step: the last sample of such a one is that of the requested window at its end, if that has any, and the first
 *   that of the requested window at its start.
 */
export function windowChoice({ startNs }: TimeRange, windows: SampleWindows): WindowChoice | null {
  const { keep, firstEndMs, stepMs, lengthMs, isTimeFree } = windows
  const fn = FUNCTIONS[keep]
  // Before 1970 windows of InfluxDB are not what they are later.
  if (fn === undefined || startNs < 0n) return null
  const startMs = firstEndMs + 1 - lengthMs
  const partMs = divisor(stepMs, lengthMs)
  const isMade = isTimeFree === true && (partMs === stepMs || partMs >= SHORTEST_WINDOW_MS)
  if (isMade && stepMs <= ROWS_A_TABLE * partMs) return choice(fn, partMs, startMs, 'window')
  const isAtEdge = (fn === 'first' || fn === 'last') && stepMs >= SHORTEST_TABLE_MS
  if (isAtEdge) return choice(fn, stepMs, fn === 'last' ? firstEndMs + 1 : startMs, 'sample')
  return isMade ? choice(fn, partMs, startMs, 'window') : null
}
