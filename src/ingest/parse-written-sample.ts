import type { Label, MetricPoint, MetricType } from '../domain/metric-point.js'
import type { EncodedHistogram } from '../domain/native-histogram/encode.js'
import { InvalidHistogram } from '../domain/native-histogram/from-spans.js'
import { isStaleMarker } from '../domain/stale-marker.js'
import type { WrittenHistogram, WrittenSample, WrittenSeries } from '../remote-write/samples.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { encodeWritten } from './parse-written-histogram.js'
import { metricName, RESERVED_LABEL, toLabels } from './parse-metric.js'

const NS_PER_MS = 1_000_000n
/** Names that OpenMetrics gives to what only grows. */
const GROWING = /_(?:total|count|sum|bucket)$/

interface Identity {
  readonly name: string
  readonly labels: readonly Label[]
  readonly type: MetricType
}

// Series live as long as the request that brought them.
const checked = new WeakMap<WrittenSeries, Identity>()

function identityOf(series: WrittenSeries, check: ItemCheck): Identity {
  const known = checked.get(series)
  if (known !== undefined) return known
  const name = metricName(check, series.labels.find(label => label.name === RESERVED_LABEL)?.value)
  const own = series.labels.filter(label => label.name !== RESERVED_LABEL && label.value !== '')
  const labels = toLabels(check, own)
  const twice = labels.find((label, i) => label.name === labels[i + 1]?.name)
  if (twice !== undefined) check.refuse('invalid_field', 'labels', `the label ${twice.name} is sent twice`)
  const identity = { name, labels, type: (series.isCounter ?? GROWING.test(name)) ? 'counter' : 'gauge' } as const
  if (check.fault === null) checked.set(series, identity)
  return identity
}

/** A sample of Prometheus remote write, checked and normalised. Labels of a series are checked once. */
export function parseWrittenSample(raw: unknown, check: ItemCheck): MetricPoint | RefusedItem {
  const { series, timestampMs, value, histogram } = raw as WrittenSample
  const { name, labels, type } = identityOf(series, check)
  const timestampNs = check.inWindow(timestampMs * NS_PER_MS, 'timestamp')
  const point: MetricPoint = { index: check.index, name, type, labels, timestampNs, value }
  // A series of histograms ends like any other.
  if (histogram === undefined || isStaleMarker(value)) return check.fault ?? point
  const encoded = encodedOf(histogram, check)
  if (encoded === null || check.fault !== null) return check.fault!
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
