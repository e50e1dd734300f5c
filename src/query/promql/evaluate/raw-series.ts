import { staleTest } from '../../../domain/stale-marker.js'
import { type GridSeries, type HistogramCells, type RawSeries, type Steps, timeOf } from './values.js'

/** The values of a series as samples at the times of its steps. */
export function toRaw({ labels, values, present, histograms }: GridSeries, steps: Steps): RawSeries {
  const count = present.reduce((total, has) => total + has, 0)
  const cells: NonNullable<HistogramCells> = []
  const raw = { labels, times: new Float64Array(count), values: new Float64Array(count) }
  let at = 0
  for (let i = 0; i < present.length; i++) {
    if (present[i] === 0) continue
    const histogram = histograms?.[i]
    if (histogram !== undefined) cells[at] = histogram
    raw.times[at] = timeOf(steps, i)
    raw.values[at++] = values[i]!
  }
  return { ...raw, histograms: cells.length === 0 ? undefined : cells }
}

/** Without the marks of a series that ended. */
export function withoutStale(raw: RawSeries): RawSeries {
  const isStale = staleTest(raw.values)
  const kept: number[] = []
  for (let i = 0; i < raw.values.length; i++) if (!isStale(i)) kept.push(i)
  if (kept.length === raw.values.length) return raw
  const { times, values, histograms } = raw
  return {
    ...raw,
    times: Float64Array.from(kept, i => times[i]!),
    values: Float64Array.from(kept, i => values[i]!),
    histograms: histograms && kept.map(i => histograms[i])
  }
}
