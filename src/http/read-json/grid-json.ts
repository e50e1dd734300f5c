import { formatNs } from '../../domain/timestamp.js'
import type { Grid } from '../../query/result.js'

/** Seconds of a grid's step: a whole number of milliseconds. */
export function stepS({ stepNs }: Pick<Grid, 'stepNs'>): number {
  return Number(stepNs / 1_000_000n) / 1_000
}

/** Where a grid begins and how wide its steps are. */
export function gridJson(grid: Pick<Grid, 'startNs' | 'stepNs'>): { readonly start: string; readonly step_s: number } {
  return { start: formatNs(grid.startNs), step_s: stepS(grid) }
}
