import type { NamespaceId } from '../../../domain/ids.js'
import type { Label, MetricPoint } from '../../../domain/metric-point.js'
import type { Batch } from '../../../ports/append.js'
import type { PointsAppend, SentSeries } from './calls.js'
import { encodeBigints, encodeIntegers } from './columns.js'

// Names and values are any text: a length before each part keeps `a|b` + `c` and `a` + `b|c` apart.
function seriesKey(name: string, labels: readonly Label[]): string {
  let key = `${name.length}:${name}`
  for (const label of labels) key += `${label.name.length}:${label.name}${label.value.length}:${label.value}`
  return key
}

function labelsJson(labels: readonly Label[]): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, value]))
}

/** The frame of one request of points: each series is named once. */
export function pointsAppend(ns: NamespaceId, { ingestId, items }: Batch<MetricPoint>): PointsAppend {
  const positions = new Map<string, number>()
  const seriesList: SentSeries[] = []
  const series = new Int32Array(items.length)
  items.forEach((point, i) => {
    const key = seriesKey(point.name, point.labels)
    let position = positions.get(key)
    if (position === undefined) {
      position = seriesList.length
      positions.set(key, position)
      seriesList.push({ key, name: point.name, type: point.type, labelsJson: labelsJson(point.labels) })
    }
    series[i] = position
  })
  return {
    kind: 'points',
    ns,
    ingestId,
    rows: items.length,
    seriesList,
    series,
    ts: encodeBigints(items, point => point.timestampNs),
    value: Float64Array.from(items, point => point.value),
    index: encodeIntegers(items, point => point.index)
  }
}

/** The same identity from what the `series` table holds. */
export function storedSeriesKey(name: string, json: string): { key: string; labels: readonly Label[] } {
  const labels = (JSON.parse(json) as [string, string][]).map(([label, value]) => ({ name: label, value }))
  return { key: seriesKey(name, labels), labels }
}
