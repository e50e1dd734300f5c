import type { Label, MetricPoint } from './metric-point.js'

/** One text per identity. Names and values are any text: a length before each part keeps `a|b` + `c` and `a` + `b|c` apart. */
export function seriesKey({ name, labels }: Pick<MetricPoint, 'name' | 'labels'>): string {
  let key = `${name.length}:${name}`
  for (const label of labels) key += `${label.name.length}:${label.name}${label.value.length}:${label.value}`
  return key
}

/** The identity that `seriesKey` made the key of. */
export function parseSeriesKey(key: string): { readonly name: string; readonly labels: readonly Label[] } {
  let at = 0
  const next = (): string => {
    const colon = key.indexOf(':', at)
    const from = colon + 1
    at = from + Number(key.slice(at, colon))
    return key.slice(from, at)
  }
  const name = next()
  const labels: Label[] = []
  while (at < key.length) labels.push({ name: next(), value: next() })
  return { name, labels }
}
