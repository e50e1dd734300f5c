import type { MetricPoint } from './metric-point.js'

/** One text per identity. Names and values are any text: a length before each part keeps `a|b` + `c` and `a` + `b|c` apart. */
export function seriesKey({ name, labels }: Pick<MetricPoint, 'name' | 'labels'>): string {
  let key = `${name.length}:${name}`
  for (const label of labels) key += `${label.name.length}:${label.name}${label.value.length}:${label.value}`
  return key
}
