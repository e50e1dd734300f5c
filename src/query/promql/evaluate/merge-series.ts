import { PromqlExecutionError } from '../promql-error.js'
import { emptySeries, type GridSeries } from './values.js'

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

function copyOf({ labels, values, present }: GridSeries): GridSeries {
  return { labels, values: values.slice(), present: present.slice() }
}

function add(into: GridSeries, from: GridSeries, conflict: string): void {
  for (let i = 0; i < from.present.length; i++) {
    if (from.present[i] === 0) continue
    if (into.present[i] === 1) throw new PromqlExecutionError(conflict)
    into.values[i] = from.values[i]!
    into.present[i] = 1
  }
}

/** A function of each value. The name of the metric no longer fits and is left out. */
export function mapValues(
  series: readonly GridSeries[],
  run: (value: number, step: number) => number,
  keepsName = false
): readonly GridSeries[] {
  const mapped = series.map(({ labels, values, present }) => {
    const result = emptySeries(keepsName ? labels : labels.withoutName(), values.length)
    result.present.set(present)
    for (let i = 0; i < values.length; i++) if (present[i] === 1) result.values[i] = run(values[i]!, i)
    return result
  })
  return keepsName ? mapped : mergeSeries(mapped)
}
