import { mapValues } from './merge-series.js'
import { type GridSeries, withValues } from './values.js'

/** By value, NaN last; only the result of an instant query has an order. Histograms have none and are left out. */
export function sortByValue(series: readonly GridSeries[], count: number, direction: 1 | -1): readonly GridSeries[] {
  const hasHistograms = series.some(({ histograms }) => histograms !== undefined)
  const numbers = hasHistograms ? withValues(mapValues(series, value => value, true)) : series
  if (count !== 1) return numbers
  return [...numbers].sort((a, b) => compareNumbers(a.values[0]!, b.values[0]!, direction))
}

/** Rising or falling, NaN last. */
export function compareNumbers(a: number, b: number, direction: 1 | -1): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return direction * (a - b)
}

const PARTS = /(\d+)|(\D+)/g

/** Natural order: digits compare as numbers, so that `a2` sorts before `a10`. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [a.match(PARTS) ?? [], b.match(PARTS) ?? []]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i]!, right[i]!]
    const numbers = Number(x) - Number(y)
    if (!Number.isNaN(numbers) && numbers !== 0) return numbers
    if (x !== y && Number.isNaN(numbers)) return x < y ? -1 : 1
  }
  return left.length - right.length
}

/** By the values of labels, one after the other; then by all labels. */
export function sortByLabels(series: readonly GridSeries[], names: readonly string[], direction: 1 | -1): readonly GridSeries[] {
  return [...series].sort((a, b) => {
    for (const name of names) {
      const order = compareNaturally(a.labels.get(name), b.labels.get(name))
      if (order !== 0) return direction * order
    }
    return direction * (a.labels.key < b.labels.key ? -1 : 1)
  })
}
