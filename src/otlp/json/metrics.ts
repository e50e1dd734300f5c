import type { ExponentialBuckets, OtlpExemplar, OtlpMetric, OtlpPoint } from '../model.js'
import type { DecodeSteps } from '../steps.js'
import { readJsonGroups } from './groups.js'
import {
  attributesIn,
  doubleIn,
  flagIn,
  idIn,
  integerIn,
  integersIn,
  listIn,
  member,
  type Message,
  messageIn,
  messagesIn,
  optionalDoubleIn,
  stringIn,
  timeIn,
  toDouble
} from './values.js'

/** The data points of an `ExportMetricsServiceRequest` in JSON, read in steps. Throws `MalformedOtlp`, `TooManyRecords`. */
export function decodeJsonMetrics(body: Buffer, maxRecords: number): DecodeSteps<OtlpPoint> {
  const names = { resources: 'resourceMetrics', scopes: 'scopeMetrics', records: 'metrics' } as const
  return readJsonGroups<OtlpPoint>(body, maxRecords, names, (record, scope, into) => {
    const metric: OtlpMetric = {
      scope,
      name: stringIn(record, 'name'),
      description: stringIn(record, 'description'),
      unit: stringIn(record, 'unit')
    }
    for (const [name, read] of KINDS) {
      const data = messageIn(record, name)
      if (data !== undefined) for (const point of messagesIn(data, 'dataPoints')) into.push(read(point, data, metric))
    }
  })
}

type ReadPoint = (point: Message, data: Message, metric: OtlpMetric) => OtlpPoint

const KINDS: ReadonlyMap<string, ReadPoint> = new Map<string, ReadPoint>([
  ['gauge', (point, data, metric) => ({ kind: 'gauge', ...numberOf(point, data), ...common(point, metric) })],
  ['sum', (point, data, metric) => ({ kind: 'sum', ...numberOf(point, data), ...common(point, metric) })],
  ['histogram', (point, data, metric) => ({ kind: 'histogram', ...histogramOf(point, data), ...common(point, metric) })],
  [
    'exponentialHistogram',
    (point, data, metric) => ({ kind: 'exponential', ...exponentialOf(point, data), ...common(point, metric) })
  ],
  ['summary', (point, _, metric) => ({ kind: 'summary', ...summaryOf(point), ...common(point, metric) })]
])

function common(point: Message, metric: OtlpMetric) {
  return {
    metric,
    attributes: attributesIn(point, 'attributes'),
    startTimeNs: timeIn(point, 'startTimeUnixNano'),
    timeNs: timeIn(point, 'timeUnixNano'),
    flags: integerIn(point, 'flags'),
    ...exemplarsOf(point)
  }
}

function exemplarsOf(point: Message): { readonly exemplars?: readonly OtlpExemplar[] } {
  const exemplars = messagesIn(point, 'exemplars').map(exemplar => ({
    attributes: attributesIn(exemplar, 'filteredAttributes'),
    timeNs: timeIn(exemplar, 'timeUnixNano'),
    value: member(exemplar, 'asInt') === undefined ? doubleIn(exemplar, 'asDouble') : integerIn(exemplar, 'asInt'),
    traceId: idIn(exemplar, 'traceId'),
    spanId: idIn(exemplar, 'spanId')
  }))
  return exemplars.length === 0 ? {} : { exemplars }
}

function temporalityOf(data: Message): number {
  return integerIn(data, 'aggregationTemporality')
}

function numberOf(point: Message, data: Message) {
  const value = member(point, 'asInt') === undefined ? doubleIn(point, 'asDouble') : integerIn(point, 'asInt')
  return { value, temporality: temporalityOf(data), isMonotonic: flagIn(data, 'isMonotonic') }
}

function histogramOf(point: Message, data: Message) {
  return {
    temporality: temporalityOf(data),
    count: integerIn(point, 'count'),
    sum: optionalDoubleIn(point, 'sum'),
    bucketCounts: integersIn(point, 'bucketCounts'),
    bounds: listIn(point, 'explicitBounds').map(bound => toDouble(bound, 'explicitBounds'))
  }
}

function exponentialOf(point: Message, data: Message) {
  return {
    temporality: temporalityOf(data),
    count: integerIn(point, 'count'),
    sum: optionalDoubleIn(point, 'sum'),
    scale: integerIn(point, 'scale'),
    zeroCount: integerIn(point, 'zeroCount'),
    zeroThreshold: doubleIn(point, 'zeroThreshold'),
    positive: bucketsOf(messageIn(point, 'positive')),
    negative: bucketsOf(messageIn(point, 'negative'))
  }
}

function bucketsOf(buckets: Message | undefined): ExponentialBuckets {
  if (buckets === undefined) return { offset: 0, counts: [] }
  return { offset: integerIn(buckets, 'offset'), counts: integersIn(buckets, 'bucketCounts') }
}

function summaryOf(point: Message) {
  const quantiles = messagesIn(point, 'quantileValues').map(value => ({
    quantile: doubleIn(value, 'quantile'),
    value: doubleIn(value, 'value')
  }))
  return { count: integerIn(point, 'count'), sum: doubleIn(point, 'sum'), quantiles }
}
