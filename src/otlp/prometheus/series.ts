import type { JsonObject, JsonValue } from '../../domain/json.js'
import type { MetricFacts, MetricKind } from '../../domain/metric-facts.js'
import type { Label, MetricType } from '../../domain/metric-point.js'
import {
  CUMULATIVE,
  DELTA,
  type OtlpExponentialPoint,
  type OtlpHistogramPoint,
  type OtlpMetric,
  type OtlpPoint,
  type OtlpScope,
  type OtlpSummaryPoint
} from '../model.js'
import { type EncodedHistogram, encodeHistogram } from '../../domain/native-histogram/encode.js'
import { InvalidHistogram } from '../../domain/native-histogram/from-spans.js'
import { explicitBuckets } from './exponential.js'
import { nativeHistogram } from './native.js'
import { labelName, metricName, unitName } from './names.js'

/** One sample that a data point becomes. */
export interface OtlpSample {
  readonly name: string
  readonly type: MetricType
  /** Not sorted, names unique, values not empty. */
  readonly labels: Label[]
  readonly value: number
  /** A native histogram instead of the value. */
  readonly histogram?: EncodedHistogram
  /** The value counts since `startTimeNs` of its point only and has to be added up. */
  readonly isDelta: boolean
}

/** A data point that cannot be a series; the message states why. */
export class UnusablePoint extends Error {}

/** Bit 0 of `DataPointFlags`: the series ends here. */
export const NO_RECORDED_VALUE = 1

const SERVICE_NAMESPACE = 'service.namespace'
const SERVICE_NAME = 'service.name'
const SERVICE_INSTANCE = 'service.instance.id'
/** Resource attributes that become labels of each series: queries across signals select by them. */
const PROMOTED: ReadonlyMap<string, string> = new Map([
  [SERVICE_NAME, 'service'],
  ['host.name', 'host']
])

/** Metrics of containers, which one agent sends for all containers of a machine: only their resources distinguish them. */
const CONTAINER_METRICS = 'container.'
/** Labels of these metrics, each with the resource attributes that have it; the first that is set. */
const OF_CONTAINERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['container', ['container.name', 'k8s.container.name']],
  ['image', ['container.image.name']],
  ['runtime', ['container.runtime']],
  ['pod', ['k8s.pod.name']]
])

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Labels of attributes; those whose names become one are joined by `;` in the order of their own names. */
export function attributeLabels(attributes: JsonObject, into: Map<string, string>): void {
  for (const key of Object.keys(attributes).sort()) {
    const value = textOf(attributes[key])
    if (value === '') continue
    const name = labelName(key)
    const present = into.get(name)
    into.set(name, present === undefined ? value : `${present};${value}`)
  }
}

function originLabels({ resource: { attributes } }: OtlpScope): Map<string, string> {
  const labels = new Map<string, string>()
  const set = (name: string, value: string): void => void (value !== '' && labels.set(name, value))
  for (const [attribute, name] of PROMOTED) set(name, textOf(attributes[attribute]))
  const [namespace, service] = [textOf(attributes[SERVICE_NAMESPACE]), textOf(attributes[SERVICE_NAME])]
  set('job', namespace === '' ? service : `${namespace}/${service}`)
  set('instance', textOf(attributes[SERVICE_INSTANCE]))
  return labels
}

const origins = new WeakMap<OtlpScope, ReadonlyMap<string, string>>()

/** The labels that all samples of a point share; an attribute of the point goes before one of its origin. */
function pointLabels(point: OtlpPoint): Label[] {
  const { scope } = point.metric
  let origin = origins.get(scope)
  if (origin === undefined) origins.set(scope, (origin = originLabels(scope)))
  const own = new Map<string, string>()
  attributeLabels(point.attributes, own)
  const labels: Label[] = []
  for (const [name, value] of origin) if (!own.has(name)) labels.push({ name, value })
  if (point.metric.name.startsWith(CONTAINER_METRICS)) addContainerLabels(scope, own)
  for (const [name, value] of own) labels.push({ name, value })
  return labels
}

function addContainerLabels({ resource: { attributes } }: OtlpScope, own: Map<string, string>): void {
  for (const [name, sources] of OF_CONTAINERS) {
    const value = sources.map(source => textOf(attributes[source])).find(text => text !== '')
    if (value !== undefined && !own.has(name)) own.set(name, value)
  }
}

/** What the metric of a point is, in the format of Prometheus. */
export function factsOf({ kind, metric, ...point }: OtlpPoint): MetricFacts {
  const isCounter = kind === 'sum' && 'isMonotonic' in point && point.isMonotonic
  const known: MetricKind = kind === 'sum' ? (isCounter ? 'counter' : 'gauge') : kind === 'exponential' ? 'histogram' : kind
  return { name: nameOf(metric, isCounter, kind === 'gauge'), kind: known, help: metric.description, unit: unitName(metric.unit) }
}

function nameOf({ name, unit }: OtlpMetric, isCounter: boolean, isGauge: boolean): string {
  return metricName({ name, unit, isCounter, isGauge })
}

/** The samples that a data point becomes. Throws `UnusablePoint`. */
export function toSamples(point: OtlpPoint): readonly OtlpSample[] {
  const labels = pointLabels(point)
  switch (point.kind) {
    case 'gauge':
      return [{ name: nameOf(point.metric, false, true), type: 'gauge', labels, value: point.value, isDelta: false }]
    case 'sum': {
      const isDelta = isDeltaOf(point.temporality)
      const type = point.isMonotonic ? 'counter' : 'gauge'
      return [{ name: nameOf(point.metric, point.isMonotonic, false), type, labels, value: point.value, isDelta }]
    }
    case 'histogram':
      return histogramSamples(point, labels)
    case 'exponential':
      // What counts since the point before is added up number by number, which native histograms do not go through.
      if (isDeltaOf(point.temporality)) return histogramSamples(explicitBuckets(point), labels)
      return [nativeSample(point, labels)]
    default:
      return summarySamples(point, labels)
  }
}

function isDeltaOf(temporality: number): boolean {
  if (temporality === DELTA) return true
  if (temporality === CUMULATIVE) return false
  throw new UnusablePoint('aggregation_temporality must be delta or cumulative')
}

function histogramSamples(point: OtlpHistogramPoint, labels: Label[]): readonly OtlpSample[] {
  const isDelta = isDeltaOf(point.temporality)
  const name = nameOf(point.metric, false, false)
  const { bucketCounts, bounds } = point
  if (bucketCounts.length > 0 && bucketCounts.length !== bounds.length + 1) {
    throw new UnusablePoint('bucket_counts must be one more than explicit_bounds')
  }
  const sample = (suffix: string, value: number, le?: string): OtlpSample => ({
    name: name + suffix,
    type: 'counter',
    labels: le === undefined ? labels.slice() : [...labels, { name: 'le', value: le }],
    value,
    isDelta
  })
  const samples: OtlpSample[] = []
  let below = 0
  for (let i = 0; i < bounds.length && bucketCounts.length > 0; i++) {
    below += bucketCounts[i]!
    samples.push(sample('_bucket', below, formatFloat(bounds[i]!)))
  }
  samples.push(sample('_bucket', point.count, '+Inf'), sample('_count', point.count))
  if (point.sum !== null) samples.push(sample('_sum', point.sum))
  return samples
}

function nativeSample(point: OtlpExponentialPoint, labels: Label[]): OtlpSample {
  try {
    const histogram = encodeHistogram(nativeHistogram(point))
    return { name: nameOf(point.metric, false, false), type: 'counter', labels, value: Number.NaN, histogram, isDelta: false }
  } catch (error) {
    if (!(error instanceof InvalidHistogram)) throw error
    throw new UnusablePoint(error.message, { cause: error })
  }
}

function summarySamples(point: OtlpSummaryPoint, labels: Label[]): readonly OtlpSample[] {
  const name = nameOf(point.metric, false, false)
  const samples: OtlpSample[] = point.quantiles.map(({ quantile, value }) => ({
    name,
    type: 'gauge',
    labels: [...labels, { name: 'quantile', value: formatFloat(quantile) }],
    value,
    isDelta: false
  }))
  const counter = (suffix: string, value: number): OtlpSample => ({
    name: name + suffix,
    type: 'counter',
    labels: labels.slice(),
    value,
    isDelta: false
  })
  return [...samples, counter('_count', point.count), counter('_sum', point.sum)]
}

/** A bound or quantile as Prometheus writes it in a label: `0.5`, `1`, `+Inf`. */
function formatFloat(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  return String(value)
}
