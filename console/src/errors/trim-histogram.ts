import { instantOf } from '../charts/chart-data.js'
import type { TimeGrid } from '../charts/chart-data.js'
import { toMs } from '../format/instant.js'

/** Counts over time of one or more series. */
interface Histogram {
  readonly grid: TimeGrid
  readonly series: readonly { readonly counts: readonly number[] }[]
}

/** Fewer bars would look like a histogram of a short time. */
const MIN_BUCKETS = 12

/** A histogram without the empty buckets at its start: one over the whole retention, of an error that is new. */
export function trimHistogram({ grid, series }: Histogram): Histogram {
  const firsts = series.map(({ counts }) => counts.findIndex(count => count > 0)).filter(index => index >= 0)
  const first = Math.max(0, Math.min(...firsts, grid.length - MIN_BUCKETS))
  return {
    grid: { start: instantOf(toMs(grid.start) + first * grid.stepMs), stepMs: grid.stepMs, length: grid.length - first },
    series: series.map(({ counts }) => ({ counts: counts.slice(first) }))
  }
}
