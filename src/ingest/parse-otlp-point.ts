import type { MetricPoint } from '../domain/metric-point.js'
import type { OtlpExemplar, OtlpPoint } from '../otlp/model.js'
import { exemplarLabels, seriesOfExemplar } from '../otlp/prometheus/exemplars.js'
import { factsOf, NO_RECORDED_VALUE, type OtlpSample, toSamples, UnusablePoint } from '../otlp/prometheus/series.js'
import type { DeltaSums } from './delta-sums.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { checkedMetricName, toLabels } from './parse-metric.js'

function samplesOf(point: OtlpPoint, check: ItemCheck): readonly OtlpSample[] {
  try {
    return toSamples(point)
  } catch (error) {
    if (!(error instanceof UnusablePoint)) throw error
    check.refuse('invalid_field', point.metric.name, error.message)
    return []
  }
}

/** A parser of OTLP data points: each becomes the samples of its series, which share its place in the request. */
export function otlpPointParser(deltas: DeltaSums): (raw: unknown, check: ItemCheck) => readonly MetricPoint[] | RefusedItem {
  return (raw, check) => {
    const point = raw as OtlpPoint
    if ((point.flags & NO_RECORDED_VALUE) !== 0) return []
    if (point.metric.name === '') check.refuse('missing_field', 'name', 'a metric must have a name')
    const timestampNs = point.timeNs === 0n ? check.context.nowNs : check.inWindow(point.timeNs, 'time_unix_nano')
    const points = samplesOf(point, check).map(sample => toPoint(sample, timestampNs, check))
    if (check.fault !== null) return check.fault
    const { namespaceId: namespace, nowNs } = check.context
    const start = point.startTimeNs > 0n ? { startNs: point.startTimeNs } : {}
    noteIgnored(point, points, check)
    return points.map(({ isDelta, ...metricPoint }) => {
      if (!isDelta) return metricPoint.type === 'counter' ? { ...metricPoint, ...start } : metricPoint
      const { name, labels, value: delta } = metricPoint
      return { ...metricPoint, ...deltas.add({ namespace, name, labels }, { timeNs: timestampNs, delta, nowNs }) }
    })
  }
}

function toPoint(sample: OtlpSample, timestampNs: bigint, check: ItemCheck): MetricPoint & { readonly isDelta: boolean } {
  return {
    index: check.index,
    name: checkedMetricName(check, sample.name),
    type: sample.type,
    labels: toLabels(check, sample.labels),
    timestampNs,
    value: sample.value,
    ...(sample.histogram !== undefined && { histogram: sample.histogram }),
    isDelta: sample.isDelta
  }
}

/** Metadata and exemplars of a valid point. All points of a metric have the same metadata. */
function noteIgnored(point: OtlpPoint, points: readonly MetricPoint[], check: ItemCheck): void {
  if (check.notes.isFirst(point.metric)) check.notes.describe(factsOf(point), check.limits.metricNameBytes)
  for (const exemplar of point.exemplars ?? []) noteExemplar(exemplar, points, check)
}

function noteExemplar(exemplar: OtlpExemplar, points: readonly MetricPoint[], check: ItemCheck): void {
  const series = seriesOfExemplar(points, exemplar.value)
  if (series === undefined) return
  const timestampNs = exemplar.timeNs === 0n ? series.timestampNs : exemplar.timeNs
  const ownLabels = toLabels(check, exemplarLabels(exemplar))
  check.notes.note({ name: series.name, labels: series.labels, ownLabels, timestampNs, value: exemplar.value }, check)
}
