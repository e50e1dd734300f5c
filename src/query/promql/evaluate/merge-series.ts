import { PromqlExecutionError } from '../promql-error.js'
import type { Bounds } from './budget.js'
import { bucketCountOf, type Cell, cellAt, emptySeries, type GridSeries, putCell, setCell, withValues } from './values.js'

const SAME_LABELS = 'vector cannot contain metrics with the same labelset'

/** Series of equal labels become one; an error where two of them have a value at the same step. */
export function mergeSeries(series: readonly GridSeries[], conflict = SAME_LABELS): readonly GridSeries[] {
  const byLabels = new Map<string, GridSeries>()
  const owned = new Set<GridSeries>()
  for (const one of series) {
    const { key } = one.labels
    const present = byLabels.get(key)
    if (present === undefined) {
      byLabels.set(key, one)
      continue
    }
    const merged = owned.has(present) ? present : copyOf(present)
    owned.add(merged)
    byLabels.set(key, merged)
    add(merged, one, conflict)
  }
  return byLabels.size === series.length ? series : [...byLabels.values()]
}

function copyOf({ labels, values, present, histograms }: GridSeries): GridSeries {
  return { labels, values: values.slice(), present: present.slice(), histograms: histograms?.slice() }
}

function add(into: GridSeries, from: GridSeries, conflict: string): void {
  for (let i = 0; i < from.present.length; i++) {
    if (from.present[i] === 0) continue
    if (into.present[i] === 1) throw new PromqlExecutionError(conflict)
    setCell(into, i, cellAt(from, i))
  }
}

/** A function of each number; histograms are left out. The name of the metric no longer fits and is left out too. */
export function mapValues(
  series: readonly GridSeries[],
  run: (value: number, step: number) => number,
  keepsName = false
): readonly GridSeries[] {
  const mapped = series.map(({ labels, values, present, histograms }) => {
    const result = emptySeries(keepsName ? labels : labels.withoutName(), values.length)
    result.present.set(present)
    for (let i = 0; i < values.length; i++) if (present[i] === 1) result.values[i] = run(values[i]!, i)
    histograms?.forEach((histogram, i) => histogram !== undefined && (result.present[i] = 0))
    return result
  })
  return keepsName ? mapped : mergeSeries(mapped)
}

/** A function of each value, of histograms too; undefined where it has none. The name of the metric is left out. */
export function mapCells(
  series: readonly GridSeries[],
  budget: Bounds,
  run: (cell: Cell, step: number) => Cell | undefined
): readonly GridSeries[] {
  const mapped = series.map(one => {
    const result = emptySeries(one.labels.withoutName(), one.values.length)
    for (let i = 0; i < one.values.length; i++) {
      if (one.present[i] === 0) continue
      const from = cellAt(one, i)
      budget.work(bucketCountOf(from))
      const cell = run(from, i)
      if (cell !== undefined) putCell(result, i, cell, budget)
    }
    return result
  })
  return mergeSeries(withValues(mapped))
}
