import type { AggregateFn, Signal } from '../api/generated/MeasureChart.js'
import { one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** Functions of measures as the address has them, and their names. */
export const MEASURE_FUNCTIONS = [
  ['count', 'count'],
  ['rate', 'count per second'],
  ['count_distinct', 'different values'],
  ['sum', 'sum'],
  ['avg', 'average'],
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['p50', 'p50'],
  ['p75', 'p75'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99']
] as const satisfies readonly (readonly [Lowercase<AggregateFn>, string])[]

/** A function of a measure. */
export type MeasureFunction = (typeof MEASURE_FUNCTIONS)[number][0]

/** `different values` of `count_distinct`. */
export function functionName(fn: MeasureFunction): string {
  return MEASURE_FUNCTIONS.find(([name]) => name === fn)![1]
}

/** Whether a function counts, also where the field has no numbers. */
export function isCounting(fn: MeasureFunction): boolean {
  return fn === 'count' || fn === 'count_distinct' || fn === 'rate'
}

/** What an address measures. */
export interface MeasureChoice {
  readonly fn: MeasureFunction
  /** Null: not chosen; a count and a rate need none. */
  readonly field: string | null
  readonly groupBy: string | null
}

/** Reads `fn`, `field` and `by`. An unknown function is reported, and the number of rows measured instead. */
export function readMeasure(search: SearchValues): {
  readonly choice: MeasureChoice
  readonly problems: readonly AddressProblem[]
} {
  const given = one(search, 'fn')
  const fn = MEASURE_FUNCTIONS.find(([name]) => name === given?.toLowerCase())?.[0]
  const choice = { fn: fn ?? 'count', field: one(search, 'field'), groupBy: one(search, 'by') } as const
  return { choice, problems: given !== null && !fn ? [{ key: 'fn', value: given, instead: 'the number of rows' }] : [] }
}

const DURATIONS: ReadonlySet<string> = new Set(['duration', 'duration_ns'])

/** Whether the values of a measured field are nanoseconds. */
export function isDuration(signal: Signal, field: string | null): boolean {
  return signal === 'SPANS' && field !== null && DURATIONS.has(field)
}

/** The measure in words: `p95 of ms by service`. */
export function measureTitle({ fn, field, groupBy }: MeasureChoice): string {
  const title = field === null ? functionName(fn) : `${functionName(fn)} of ${field}`
  return groupBy === null ? title : `${title} by ${groupBy}`
}

/** Whether everything is chosen that the function needs. */
export function isMeasurable({ fn, field }: MeasureChoice): boolean {
  return fn === 'count' || fn === 'rate' || field !== null
}

/** The name of a group: its value, or what it has instead of one. */
export function groupName({ group, other }: { readonly group: readonly (string | null)[]; readonly other: boolean }): string {
  if (other) return 'all others'
  return group.length === 0 ? 'all' : group.map(value => value ?? 'without a value').join(', ')
}
