import type {
  ExponentialBuckets,
  OtlpExemplar,
  OtlpExponentialPoint,
  OtlpHistogramPoint,
  OtlpMetric,
  OtlpNumberPoint,
  OtlpSummaryPoint
} from '../model.js'
import { AttributeMap, countField, doubleField, readKeyValue, timeField, uint32Field, idField } from './common.js'
import { FIXED64, LENGTH, type ProtobufReader, VARINT } from '../../wire/protobuf/reader.js'

/** An `Exemplar` of a data point. */
function readOtlpExemplar(reader: ProtobufReader): OtlpExemplar {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const attributes = new AttributeMap()
  let [timeNs, value, traceId, spanId] = [0n, 0, '', '']
  while (reader.next()) {
    if (reader.field === 7) readKeyValue(reader, attributes)
    else if (reader.field === 2) timeNs = timeField(reader)
    else if (reader.field === 3) value = doubleField(reader)
    else if (reader.field === 4) spanId = idField(reader)
    else if (reader.field === 5) traceId = idField(reader)
    else if (reader.field === 6) {
      reader.expect(FIXED64)
      value = Number(reader.sfixed64())
    } else reader.skip()
  }
  reader.leave(outer)
  return { attributes: attributes.values, timeNs, value, traceId, spanId }
}

// The four kinds of data points of opentelemetry/proto/metrics/v1/metrics.proto.

/** Members of a sum or histogram in addition to its points. */
export interface AggregationMembers {
  readonly temporality: number
  readonly isMonotonic: boolean
}

const NO_BUCKETS: ExponentialBuckets = Object.freeze({ offset: 0, counts: [] })

/** What every kind of point has; each kind has its own numbers for these fields. */
class PointReader {
  readonly attributes = new AttributeMap()
  startTimeNs = 0n
  timeNs = 0n
  flags = 0
  readonly #attributesField: number
  readonly #flagsField: number
  readonly #exemplarsField: number
  #exemplars: OtlpExemplar[] | undefined

  constructor(attributesField: number, flagsField: number, exemplarsField = 0) {
    this.#attributesField = attributesField
    this.#flagsField = flagsField
    this.#exemplarsField = exemplarsField
  }

  /** Takes the present field when it is a common one, else passes over it. */
  read(reader: ProtobufReader): void {
    if (reader.field === this.#attributesField) readKeyValue(reader, this.attributes)
    else if (reader.field === 2) this.startTimeNs = timeField(reader)
    else if (reader.field === 3) this.timeNs = timeField(reader)
    else if (reader.field === this.#flagsField) this.flags = uint32Field(reader)
    else if (reader.field === this.#exemplarsField) (this.#exemplars ??= []).push(readOtlpExemplar(reader))
    else reader.skip()
  }

  of(metric: OtlpMetric): Pick<OtlpNumberPoint, 'metric' | 'attributes' | 'startTimeNs' | 'timeNs' | 'flags' | 'exemplars'> {
    const { startTimeNs, timeNs, flags } = this
    const exemplars = this.#exemplars && { exemplars: this.#exemplars }
    return { metric, attributes: this.attributes.values, startTimeNs, timeNs, flags, ...exemplars }
  }
}

/** `NumberDataPoint`; integers beyond 2^53 become the nearest double, as every sample is one. */
export function readNumberPoint(
  reader: ProtobufReader,
  metric: OtlpMetric,
  kind: 'gauge' | 'sum',
  { temporality, isMonotonic }: AggregationMembers
): OtlpNumberPoint {
  const point = new PointReader(7, 8, 5)
  let value = 0
  while (reader.next()) {
    if (reader.field === 4) value = doubleField(reader)
    else if (reader.field === 6) {
      reader.expect(FIXED64)
      value = Number(reader.sfixed64())
    } else point.read(reader)
  }
  return { kind, temporality, isMonotonic, value, ...point.of(metric) }
}

/** `HistogramDataPoint`. */
export function readHistogramPoint(
  reader: ProtobufReader,
  metric: OtlpMetric,
  { temporality }: AggregationMembers
): OtlpHistogramPoint {
  const point = new PointReader(9, 10, 8)
  const bucketCounts: number[] = []
  const bounds: number[] = []
  let count = 0
  let sum: number | null = null
  while (reader.next()) {
    if (reader.field === 4) count = countField(reader)
    else if (reader.field === 5) sum = doubleField(reader)
    else if (reader.field === 6) reader.repeated(bucketCounts, FIXED64, () => reader.count64())
    else if (reader.field === 7) reader.repeated(bounds, FIXED64, () => reader.double())
    else point.read(reader)
  }
  return { kind: 'histogram', temporality, count, sum, bucketCounts, bounds, ...point.of(metric) }
}

/** `ExponentialHistogramDataPoint`. */
export function readExponentialPoint(
  reader: ProtobufReader,
  metric: OtlpMetric,
  { temporality }: AggregationMembers
): OtlpExponentialPoint {
  const point = new PointReader(1, 10, 11)
  let count = 0
  let sum: number | null = null
  let scale = 0
  let zeroCount = 0
  let zeroThreshold = 0
  let positive = NO_BUCKETS
  let negative = NO_BUCKETS
  while (reader.next()) {
    if (reader.field === 4) count = countField(reader)
    else if (reader.field === 5) sum = doubleField(reader)
    else if (reader.field === 6) scale = zigzagField(reader)
    else if (reader.field === 7) zeroCount = countField(reader)
    else if (reader.field === 8) positive = readBuckets(reader)
    else if (reader.field === 9) negative = readBuckets(reader)
    else if (reader.field === 14) zeroThreshold = doubleField(reader)
    else point.read(reader)
  }
  const values = { count, sum, scale, zeroCount, zeroThreshold, positive, negative }
  return { kind: 'exponential', temporality, ...values, ...point.of(metric) }
}

function readBuckets(reader: ProtobufReader): ExponentialBuckets {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const counts: number[] = []
  let offset = 0
  while (reader.next()) {
    if (reader.field === 1) offset = zigzagField(reader)
    else if (reader.field === 2) reader.repeated(counts, VARINT, () => Number(BigInt.asUintN(64, reader.int64())))
    else reader.skip()
  }
  reader.leave(outer)
  return { offset, counts }
}

/** A sint32 field. */
function zigzagField(reader: ProtobufReader): number {
  const value = uint32Field(reader)
  return (value >>> 1) ^ -(value & 1)
}

/** `SummaryDataPoint`. */
export function readSummaryPoint(reader: ProtobufReader, metric: OtlpMetric): OtlpSummaryPoint {
  const point = new PointReader(7, 8)
  const quantiles: { quantile: number; value: number }[] = []
  let count = 0
  let sum = 0
  while (reader.next()) {
    if (reader.field === 4) count = countField(reader)
    else if (reader.field === 5) sum = doubleField(reader)
    else if (reader.field === 6) quantiles.push(readQuantile(reader))
    else point.read(reader)
  }
  return { kind: 'summary', count, sum, quantiles, ...point.of(metric) }
}

function readQuantile(reader: ProtobufReader): { quantile: number; value: number } {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let quantile = 0
  let value = 0
  while (reader.next()) {
    if (reader.field === 1) quantile = doubleField(reader)
    else if (reader.field === 2) value = doubleField(reader)
    else reader.skip()
  }
  reader.leave(outer)
  return { quantile, value }
}
