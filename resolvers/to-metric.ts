import type { MetricDescription, MetricSeriesType } from '../schema/metric.type.js'
import type { MetricSeriesResult, MetricSummary } from '../src/query/metric-result.js'

/** A metric as GraphQL has it. */
export function toMetric(metric: MetricSummary): MetricDescription {
  return { name: metric.name, kind: metric.type, seriesCount: metric.seriesCount, lastSeen: metric.lastSeenNs }
}

/** `name{label=value, …}`, or the name alone. */
function legend(metric: string, labels: MetricSeriesResult['labels']): string {
  return labels.length === 0 ? metric : `${metric}{${labels.map(({ name, value }) => `${name}=${value}`).join(', ')}}`
}

/** A line of a chart. JSON has no NaN and no infinity: they become gaps. */
export function toSeries(series: Omit<MetricSeriesResult, 'type'>): MetricSeriesType {
  const values = series.values.map(value => (value !== null && Number.isFinite(value) ? value : null))
  const samples = values.filter(value => value !== null)
  const sum = samples.reduce((total, value) => total + value, 0)
  const isEmpty = samples.length === 0
  return {
    ref: series.ref,
    metric: series.metric,
    labels: series.labels,
    legend: legend(series.metric, series.labels),
    values,
    min: isEmpty ? null : samples.reduce((least, value) => Math.min(least, value)),
    max: isEmpty ? null : samples.reduce((most, value) => Math.max(most, value)),
    avg: isEmpty ? null : sum / samples.length,
    last: samples.at(-1) ?? null
  }
}
