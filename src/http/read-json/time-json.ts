import { formatNs } from '../../domain/timestamp.js'
import type { Grid } from '../../query/result.js'

/**
 * A length of time in nanoseconds: a number, or its digits where a double would lose some of them (beyond 2^53, some 104
 * days), as any whole number of a response ("Time" in docs/conventions.md).
 */
export function nsJson(ns: bigint): number | string {
  const number = Number(ns)
  return Number.isSafeInteger(number) ? number : String(ns)
}

/** Seconds of a grid's step: a whole number of milliseconds. */
export function stepS({ stepNs }: Pick<Grid, 'stepNs'>): number {
  return Number(stepNs / 1_000_000n) / 1_000
}

/** Where a grid begins and how wide its steps are. */
export function gridJson(grid: Pick<Grid, 'startNs' | 'stepNs'>): { readonly start: string; readonly step_s: number } {
  return { start: formatNs(grid.startNs), step_s: stepS(grid) }
}
