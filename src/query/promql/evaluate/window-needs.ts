import type { SampleWindows, WindowAggregate } from '../../../ports/metric-store.js'
import type { MatrixSelector } from '../syntax/ast.js'
import type { Steps } from './values.js'

// What a query needs of the windows of a long range, so that a store may leave out the rest (docs/adr/0026).

type Keep = SampleWindows['keep']

/** Functions whose value for a window the store may compute itself. */
const AGGREGATES: ReadonlyMap<string, WindowAggregate> = new Map<string, WindowAggregate>([
  ['avg_over_time', 'mean'],
  ['count_over_time', 'count'],
  ['sum_over_time', 'sum']
])

/** What functions of a range need of each window, where that is less than all of it. */
const KEEPS: ReadonlyMap<string, Keep> = new Map<string, Keep>([
  ...AGGREGATES,
  ['absent_over_time', 'last'],
  ['first_over_time', 'first'],
  ['last_over_time', 'last'],
  ['max_over_time', 'highest'],
  ['min_over_time', 'lowest'],
  ['present_over_time', 'last'],
  ['ts_of_first_over_time', 'first'],
  ['ts_of_last_over_time', 'last']
])

/** Functions of a range whose value does not depend on the times of samples. */
function isTimeFree(name: string): boolean {
  return KEEPS.has(name) && !AGGREGATES.has(name) && !name.startsWith('ts_of_')
}

/** What is needed of each window. */
export type WindowNeed = Pick<SampleWindows, 'keep' | 'isTimeFree'>

/** What the function that takes a range needs of its windows. No name: the range is not taken by a function. */
export function neededBy(name: string | undefined, { pooledBy, within }: MatrixSelector): WindowNeed {
  const keep = (name !== undefined && KEEPS.get(name)) || 'all'
  // Only evaluation can fold the samples of several series together.
  if (pooledBy !== undefined) return { keep: name !== undefined && AGGREGATES.has(name) ? 'all' : keep }
  return name !== undefined && within === undefined && isTimeFree(name) ? { keep, isTimeFree: true } : { keep }
}

/** With longer steps there is little to leave out, and their nanoseconds would not fit into 64 bits. */
const LONGEST_STEP_MS = 1e12

/** The windows of a selector, which end `shiftMs` after the steps; null where nothing can be left out between or within them. */
export function windowsOf(
  { startMs, stepMs, count }: Steps,
  shiftMs: number,
  lengthMs: number,
  what: WindowNeed
): SampleWindows | null {
  const windows = { firstEndMs: startMs + shiftMs, stepMs, lengthMs, ...what }
  const isWhole = [windows.firstEndMs, stepMs, lengthMs].every(Number.isSafeInteger)
  const isLooser = lengthMs < stepMs || (lengthMs === stepMs && what.keep !== 'all')
  return isWhole && count > 1 && isLooser && stepMs <= LONGEST_STEP_MS ? windows : null
}
