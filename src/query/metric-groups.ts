import type { Label, SeriesSamples } from '../domain/metric-point.js'

/** Series that one line of an answer stands for. */
export interface SeriesGroup {
  readonly labels: readonly Label[]
  readonly members: readonly SeriesSamples[]
}

function groupLabels(series: SeriesSamples, by: readonly string[] | undefined): readonly Label[] {
  return by === undefined ? series.labels : series.labels.filter(({ name }) => by.includes(name))
}

/** Equal for equal labels in the same order. */
export function labelsKey(labels: readonly Label[]): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, value]))
}

/** Series grouped by the named labels (each by itself without any named), sorted by those labels. */
export function groupSeries(all: readonly SeriesSamples[], by: readonly string[] | undefined): readonly SeriesGroup[] {
  const groups = new Map<string, { labels: readonly Label[]; members: SeriesSamples[] }>()
  for (const series of all) {
    const labels = groupLabels(series, by)
    const key = labelsKey(labels)
    const group = groups.get(key)
    if (group) group.members.push(series)
    else groups.set(key, { labels, members: [series] })
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}
