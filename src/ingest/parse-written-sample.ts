import type { MetricFacts } from '../domain/metric-facts.js'
import type { MetricPoint } from '../domain/metric-point.js'
import type { EncodedHistogram } from '../domain/native-histogram/encode.js'
import { InvalidHistogram } from '../domain/native-histogram/from-spans.js'
import { seriesKey } from '../domain/series-key.js'
import { isStaleMarker } from '../domain/stale-marker.js'
import type { CheckedSeries, WrittenExemplar, WrittenHistogram, WrittenSample, WrittenSeries } from '../remote-write/samples.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { encodeWritten } from './parse-written-histogram.js'
import { growsByName } from './grows-by-name.js'
import { checkedMetricName, RESERVED_LABEL, toLabels, uniqueLabels } from './parse-metric.js'

const NS_PER_MS = 1_000_000n
/** Metadata is not one of the items. */
const NO_ITEM = -1

function identityOf(series: WrittenSeries, check: ItemCheck): CheckedSeries {
  // Series live longer than the request that brought them (`KnownSeries`): most were checked before.
  if (series.checked !== null) return series.checked
  const name = checkedMetricName(check, series.labels.find(label => label.name === RESERVED_LABEL)?.value)
  const own = series.labels.filter(label => label.name !== RESERVED_LABEL && label.value !== '')
  const labels = uniqueLabels(check, toLabels(check, own))
  const type = (series.isCounter ?? growsByName(name)) ? 'counter' : 'gauge'
  const identity = { name, labels, type, key: seriesKey({ name, labels }) } as const
  if (check.fault === null) series.checked = identity
  return identity
}

/** A sample of Prometheus remote write, checked and normalized. Labels of a series are checked once. */
export function parseWrittenSample(raw: unknown, check: ItemCheck): MetricPoint | RefusedItem {
  const { series, timestampMs, value, histogram } = raw as WrittenSample
  const { name, labels, type, key } = identityOf(series, check)
  const timestampNs = check.inWindow(timestampMs * NS_PER_MS, 'timestamp')
  const point: MetricPoint = { index: check.index, name, type, labels, key, timestampNs, value }
  if (histogram === undefined) return check.fault ?? point
  // A series of histograms ends like any other.
  const isEnd = isStaleMarker(value)
  const encoded = isEnd ? null : encodedOf(histogram, check)
  if (check.fault !== null) return check.fault
  check.notes.histograms.add(check.index)
  if (encoded === null) return point
  return { ...point, type: histogram.hint === 'gauge' ? 'gauge' : 'counter', value: Number.NaN, histogram: encoded }
}

function encodedOf(histogram: WrittenHistogram, check: ItemCheck): EncodedHistogram | null {
  try {
    return encodeWritten(histogram)
  } catch (error) {
    if (!(error instanceof InvalidHistogram)) throw error
    check.refuse('invalid_field', 'histogram', error.message)
    return null
  }
}

/** An exemplar of Prometheus remote write, or the metadata of a metric family. */
export function noteWritten(raw: unknown, check: ItemCheck): void {
  const reported = raw as WrittenExemplar | MetricFacts
  if (!('series' in reported)) return check.notes.describe(reported, check.limits.metricNameBytes)
  check.begin(NO_ITEM)
  const { name, labels } = identityOf(reported.series, check)
  const ownLabels = toLabels(
    check,
    reported.labels.filter(label => label.value !== '')
  )
  const timestampNs = reported.timestampMs === 0n ? check.context.nowNs : reported.timestampMs * NS_PER_MS
  check.notes.note({ name, labels, ownLabels, timestampNs, value: reported.value }, check)
}
