import { benjaminiHochberg } from '../statistics/false-discovery.js'
import type { WindowChange } from './compare-windows.js'

/** The share of falsely named series that is put up with. */
export const MOST_Q = 0.05
/** Cliff's delta below which a change is real perhaps, but small (Romano 2006: 0.33 is where "small" ends). */
export const LEAST_EFFECT = 0.33

/** A change with its corrected probability. */
export interface RankedChange<T> {
  readonly of: T
  readonly change: WindowChange
  readonly q: number
}

/** The changes that hold after correction and are not small, surest first; ties by the size of the shift. */
export function movedFirst<T>(tested: readonly { readonly of: T; readonly change: WindowChange }[]): readonly RankedChange<T>[] {
  const qs = benjaminiHochberg(tested.map(({ change }) => change.p))
  return tested
    .map(({ of, change }, i) => ({ of, change, q: qs[i]! }))
    .filter(({ q, change }) => q <= MOST_Q && Math.abs(change.effect) >= LEAST_EFFECT)
    .toSorted((a, b) => a.change.p - b.change.p || size(b.change) - size(a.change))
}

/** A shift of a baseline that never moved before is larger than any other. */
function size({ shift }: WindowChange): number {
  return shift === null ? Number.MAX_VALUE : Math.abs(shift)
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)))
}

/** A sentence about what moved, how far, and with which certainty. */
export function changeReason(change: WindowChange, q: number): string {
  const { baseline, window, shift, effect } = change
  const [before, after] = [baseline.median!, window.median!]
  const way = effect > 0 ? 'rose' : 'fell'
  const times = before !== 0 && after / before > 0 ? ` (x${short(after / before)})` : ''
  const spreads = shift === null ? 'the baseline did not vary' : `${short(Math.abs(shift))} spreads of the baseline`
  return `median ${way} from ${short(before)} to ${short(after)}${times}, ${spreads}; ${window.points} points against ${baseline.points}, q = ${q.toPrecision(2)}`
}
