/** Samples of another window on the grid of a chart. */

import { toMs } from '../format/instant.js'
import type { Samples } from './chart-data.js'
import type { TimeGrid } from './chart-data.js'
import type { Comparison } from '../url/comparison.js'
import type { ChartSeries } from './time-plot.js'

/** How the grey line of a compared window is drawn. */
const COMPARED_STYLE = { colour: 'var(--muted)', dash: [4, 3] } as const

/** Samples of a compared window with their own grid. */
export interface ComparedSamples {
  readonly grid: TimeGrid
  readonly samples: Samples
}

/**
 * For each point of `grid`, the sample that is `shiftMs` earlier: that of the nearest point of its own grid; null where it
 * has none.
 */
export function onGrid(grid: TimeGrid, { grid: own, samples }: ComparedSamples, shiftMs: number): Samples {
  const offsetMs = toMs(grid.start) - shiftMs - toMs(own.start)
  return Array.from(
    { length: grid.length },
    (_, index) => samples[Math.round((offsetMs + index * grid.stepMs) / own.stepMs)] ?? null
  )
}

/** The line of a compared window under the line of the same name; keep it stable between renderings, as all series. */
export function comparedLine(
  line: { readonly name: string },
  grid: TimeGrid,
  compared: ComparedSamples,
  { name, shiftMs }: Pick<Comparison, 'name' | 'shiftMs'>
): ChartSeries {
  return { name: `${line.name} (${name})`, samples: onGrid(grid, compared, shiftMs), ...COMPARED_STYLE }
}
