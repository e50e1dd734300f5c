import type { CounterResetHint } from '../domain/native-histogram/native-histogram.js'
import type { BucketSpan } from '../domain/native-histogram/from-spans.js'
import { FIXED64, LENGTH, type ProtobufReader, VARINT } from '../wire/protobuf/reader.js'
import type { WrittenHistogram } from './samples.js'

// `Histogram` of prometheus.WriteRequest and of io.prometheus.write.v2: the same fields with the same numbers.
const COUNT_INT = 1
const COUNT_FLOAT = 2
const SUM = 3
const SCHEMA = 4
const ZERO_THRESHOLD = 5
const ZERO_COUNT_INT = 6
const ZERO_COUNT_FLOAT = 7
const NEGATIVE_SPANS = 8
const NEGATIVE_DELTAS = 9
const NEGATIVE_COUNTS = 10
const POSITIVE_SPANS = 11
const POSITIVE_DELTAS = 12
const POSITIVE_COUNTS = 13
const RESET_HINT = 14
const TIMESTAMP = 15
const CUSTOM_VALUES = 16
const HINTS: readonly CounterResetHint[] = ['unknown', 'reset', 'not_reset', 'gauge']

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function unsigned(value: bigint): number {
  return Number(BigInt.asUintN(64, value))
}

function readSpan(reader: ProtobufReader): BucketSpan {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let [offset, length] = [0, 0]
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === VARINT) offset = reader.sint64()
    else if (reader.field === 2 && reader.wireType === VARINT) length = reader.uint32()
    else reader.skip()
  }
  reader.leave(outer)
  return { offset, length }
}

/** The fields of a histogram within its message. */
export function histogramFields(reader: ProtobufReader): WrittenHistogram {
  const found: Mutable<WrittenHistogram> = {
    ...{ count: 0, sum: 0, schema: 0, zeroThreshold: 0, zeroCount: 0, hint: 'unknown', timestampMs: 0n },
    ...{ positive: { spans: [], deltas: [], counts: [] }, negative: { spans: [], deltas: [], counts: [] }, bounds: [] }
  }
  while (reader.next()) {
    if (!readRepeated(reader, found) && !readScalar(reader, found)) reader.skip()
  }
  return found
}

function readRepeated(reader: ProtobufReader, { positive, negative, bounds }: WrittenHistogram): boolean {
  switch (reader.field) {
    case POSITIVE_SPANS:
      positive.spans.push(readSpan(reader))
      return true
    case NEGATIVE_SPANS:
      negative.spans.push(readSpan(reader))
      return true
    case POSITIVE_DELTAS:
      reader.repeated(positive.deltas, VARINT, () => reader.sint64())
      return true
    case NEGATIVE_DELTAS:
      reader.repeated(negative.deltas, VARINT, () => reader.sint64())
      return true
    case POSITIVE_COUNTS:
      reader.repeated(positive.counts, FIXED64, () => reader.double())
      return true
    case NEGATIVE_COUNTS:
      reader.repeated(negative.counts, FIXED64, () => reader.double())
      return true
    case CUSTOM_VALUES:
      reader.repeated(bounds, FIXED64, () => reader.double())
      return true
    default:
      return false
  }
}

function tag(field: number, wireType: number): number {
  return field * 8 + wireType
}

function readScalar(reader: ProtobufReader, into: Mutable<WrittenHistogram>): boolean {
  switch (tag(reader.field, reader.wireType)) {
    case tag(COUNT_INT, VARINT):
      into.count = unsigned(reader.int64())
      return true
    case tag(COUNT_FLOAT, FIXED64):
      into.count = reader.double()
      return true
    case tag(SUM, FIXED64):
      into.sum = reader.double()
      return true
    case tag(SCHEMA, VARINT):
      into.schema = reader.sint64()
      return true
    case tag(ZERO_THRESHOLD, FIXED64):
      into.zeroThreshold = reader.double()
      return true
    case tag(ZERO_COUNT_INT, VARINT):
      into.zeroCount = unsigned(reader.int64())
      return true
    case tag(ZERO_COUNT_FLOAT, FIXED64):
      into.zeroCount = reader.double()
      return true
    case tag(RESET_HINT, VARINT):
      into.hint = HINTS[reader.uint32()] ?? 'unknown'
      return true
    case tag(TIMESTAMP, VARINT):
      into.timestampMs = reader.int64()
      return true
    default:
      return false
  }
}
