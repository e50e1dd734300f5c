import type { TimeRange } from '../../domain/time-range.js'
import type { Warning } from '../../domain/warning.js'
import type { ReadWindow } from '../read-window.js'
import type { SideScope } from './side-counts.js'

/** Fields are looked for in the latest rows of so many equal parts of each window. */
const SAMPLE_PARTS = 4

/** A side with its window resolved. */
export interface OpenSide extends SideScope {
  readonly window: ReadWindow
}

/** The parts of a window in which fields are looked for. */
export function partsOf({ startNs, endNs }: TimeRange): readonly TimeRange[] {
  const at = (i: number) => startNs + ((endNs - startNs) * BigInt(i)) / BigInt(SAMPLE_PARTS)
  return Array.from({ length: SAMPLE_PARTS }, (_, i) => ({ startNs: at(i), endNs: at(i + 1) })).filter(
    part => part.startNs < part.endNs
  )
}

/** A warning about one side; its cut may be outside of the window of the result. */
function ofSide(side: 'base' | 'other', warning: Warning): Warning {
  if (typeof warning === 'string') return `${side}: ${warning}`
  const { range: _, ...cut } = warning
  return { ...cut, detail: `${side}: ${cut.detail}` }
}

/** Warnings about the window of a side, and about what was counted there. */
export function sideWarnings(
  side: 'base' | 'other',
  { window }: OpenSide,
  { warnings }: { readonly warnings: readonly Warning[] }
): readonly Warning[] {
  return [...window.warnings, ...warnings].map(warning => ofSide(side, warning))
}

/** Whether two windows share a time. */
export function overlaps(one: TimeRange, two: TimeRange): boolean {
  return one.startNs < two.endNs && two.startNs < one.endNs
}

/** Whether both sides have the same conditions. */
export function hasSameFilter(one: OpenSide, two: OpenSide): boolean {
  return JSON.stringify(one.filter) === JSON.stringify(two.filter)
}

/** The window from the start of the earlier one to the end of the later one. */
export function aroundBoth(one: TimeRange, two: TimeRange): TimeRange {
  return {
    startNs: one.startNs < two.startNs ? one.startNs : two.startNs,
    endNs: one.endNs > two.endNs ? one.endNs : two.endNs
  }
}
