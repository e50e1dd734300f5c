import { groupedBy } from '../domain/grouped-by.js'
import type { Label, SeriesSamples } from '../domain/metric-point.js'

/** Series that one line of a result represents. */
export interface SeriesGroup {
  readonly labels: readonly Label[]
  readonly members: readonly SeriesSamples[]
}

function groupLabels(series: SeriesSamples, by: readonly string[] | undefined): readonly Label[] {
  return by === undefined ? series.labels : series.labels.filter(({ name }) => by.includes(name))
}

/**
 * Equal for equal labels in the same order, and in the order of their names and values. No escapes: V8 hashes strings of more
 * than 16,383 characters by their length alone, and a map of many such keys takes a time that grows with their square.
 */
export function labelsKey(labels: readonly Label[]): string {
  let strings = ''
  // Behind the strings, so that these decide the order; whatever is in a string, its end is known.
  let lengths = '\u0000'
  for (const { name, value } of labels) {
    strings += `${name}\u0000${value}\u0000`
    lengths += `${name.length},${value.length},`
  }
  return strings + lengths
}

/** Series grouped by the named labels (each by itself without any named), sorted by those labels. */
export function groupSeries(all: readonly SeriesSamples[], by: readonly string[] | undefined): readonly SeriesGroup[] {
  const groups = groupedBy(all, series => labelsKey(groupLabels(series, by)))
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, members]) => ({ labels: groupLabels(members[0]!, by), members }))
}
