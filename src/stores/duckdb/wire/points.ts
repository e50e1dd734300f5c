import type { NamespaceId } from '../../../domain/ids.js'
import type { Label, MetricPoint } from '../../../domain/metric-point.js'
import type { Batch } from '../../../ports/append.js'
import { seriesKey } from '../../series-key.js'
import type { PointsAppend, SentSeries } from './calls.js'
import { encodeBigints, encodeIntegers, encodeTexts } from './columns.js'
import { isHistogramMark, markHistogram } from './histogram-mark.js'

/** The text after `<length>:`, and where it ends. */
function textAt(key: string, at: number): { readonly text: string; readonly end: number } {
  const colon = key.indexOf(':', at)
  const end = colon + 1 + Number(key.slice(at, colon))
  return { text: key.slice(colon + 1, end), end }
}

/** Name and labels of a series, out of its key. */
export function parseSeriesKey(key: string): { readonly name: string; readonly labels: readonly Label[] } {
  const { text: name, end } = textAt(key, 0)
  const labels: Label[] = []
  for (let at = end; at < key.length;) {
    const label = textAt(key, at)
    const value = textAt(key, label.end)
    labels.push({ name: label.text, value: value.text })
    at = value.end
  }
  return { name, labels }
}

/** As labels stand in the `series` table. */
export function labelsJson(labels: readonly Label[]): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, value]))
}

/** Values of points; those of histograms are the mark, and nothing else is. */
function valuesOf(items: readonly MetricPoint[]): Float64Array {
  const values = Float64Array.from(items, point => point.value)
  const words = new Uint32Array(values.buffer)
  for (let i = 0; i < items.length; i++) {
    if (items[i]!.histogram !== undefined) markHistogram(values, i)
    else if (isHistogramMark(words[2 * i]!, words[2 * i + 1]!)) values[i] = Number.NaN
  }
  return values
}

/** The frame of one request of points: each series is named once. */
export function pointsAppend(ns: NamespaceId, { ingestId, items }: Batch<MetricPoint>): PointsAppend {
  const positions = new Map<string, number>()
  const seriesList: SentSeries[] = []
  const series = new Int32Array(items.length)
  items.forEach((point, i) => {
    const key = seriesKey(point)
    let position = positions.get(key)
    if (position === undefined) {
      position = seriesList.length
      positions.set(key, position)
      seriesList.push({ key, type: point.type })
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
    value: valuesOf(items),
    histogram: encodeTexts(items, point => point.histogram ?? null),
    index: encodeIntegers(items, point => point.index)
  }
}

/** The same identity from what the `series` table holds. */
export function storedSeriesKey(name: string, json: string): { key: string; labels: readonly Label[] } {
  const labels = (JSON.parse(json) as [string, string][]).map(([label, value]) => ({ name: label, value }))
  return { key: seriesKey({ name, labels }), labels }
}
