import type { TimeRange } from '../../../domain/time-range.js'
import type { SampleWindows } from '../../../ports/metric-store.js'

/** What InfluxDB's storage makes of windows that follow each other without a gap: a row for each that has samples. */
export interface WindowChoice {
  readonly fn: 'first' | 'last' | 'min' | 'max'
  readonly everyMs: number
  /** When the windows begin, after multiples of their length since 1970. */
  readonly offsetMs: number
  /** What a row tells: the time of its sample, for which InfluxDB makes a table of each row, or when its window begins. */
  readonly timeOf: 'sample' | 'window'
}

const FUNCTIONS: Readonly<Partial<Record<SampleWindows['keep'], WindowChoice['fn']>>> = {
  first: 'first',
  last: 'last',
  lowest: 'min',
  highest: 'max'
}

/** So many rows of one table cost what a table costs, about. */
const ROWS_A_TABLE = 20
/** Shorter steps hold fewer samples than such a table costs, at a sample a minute. */
const SHORTEST_TABLE_MS = 1_800_000
/** Shorter windows hold hardly more than a sample each: then nothing is left out. */
const SHORTEST_WINDOW_MS = 60_000

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

function choice(fn: WindowChoice['fn'], everyMs: number, startMs: number, timeOf: WindowChoice['timeOf']): WindowChoice {
  return { fn, everyMs, offsetMs: ((startMs % everyMs) + everyMs) % everyMs, timeOf }
}

/**
 * What InfluxDB may choose itself for windows, to the last digit, of series without values that line protocol cannot say;
 * null where all rows must be read. Its windows leave no gap: they are the longest that steps and windows are made of, and
 * `windowSamples` does the rest; or a step long, since the last sample of such a one is that of the window at its end, if
 * that has any, and the first is that of the window at its start.
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
