import type { OtlpMetric, OtlpPoint, OtlpScope } from '../model.js'
import { stringField, uint32Field } from './common.js'
import {
  type AggregationMembers,
  readExponentialPoint,
  readHistogramPoint,
  readNumberPoint,
  readSummaryPoint
} from './data-points.js'
import type { DecodeSteps } from '../steps.js'
import { MAX_FIELDS, readGroups } from './groups.js'
import { LENGTH, type ProtobufReader, type MessageSlice, VARINT } from '../../wire/protobuf/reader.js'

/** The data points of an `ExportMetricsServiceRequest`, read in steps. Throws `MalformedProtobuf`, `TooManyRecords`. */
export function decodeMetrics(body: Buffer, maxRecords: number): DecodeSteps<OtlpPoint> {
  return readGroups(body, maxRecords, readMetric)
}

type ReadPoint = (reader: ProtobufReader, metric: OtlpMetric, aggregation: AggregationMembers) => OtlpPoint

// Fields of message Metric that hold its data (opentelemetry/proto/metrics/v1/metrics.proto).
const KINDS: ReadonlyMap<number, ReadPoint> = new Map<number, ReadPoint>([
  [5, (reader, metric, aggregation) => readNumberPoint(reader, metric, 'gauge', aggregation)],
  [7, (reader, metric, aggregation) => readNumberPoint(reader, metric, 'sum', aggregation)],
  [9, readHistogramPoint],
  [10, readExponentialPoint],
  [11, readSummaryPoint]
])

/** A metric in steps: of its own fields, then of each point. */
function* readMetric(reader: ProtobufReader, scope: OtlpScope, into: OtlpPoint[]): Generator<void, void> {
  let name = ''
  let description = ''
  let unit = ''
  let data: MessageSlice | null = null
  let readPoint: ReadPoint | null = null
  while (reader.next()) {
    const kind = KINDS.get(reader.field)
    if (kind !== undefined) {
      readPoint = kind
      data = reader.slice()
    } else if (reader.field === 1) name = stringField(reader)
    else if (reader.field === 2) description = stringField(reader)
    else if (reader.field === 3) unit = stringField(reader)
    else reader.skip()
  }
  if (data === null || readPoint === null) return
  const metric: OtlpMetric = { scope, name, description, unit }
  const here = reader.goTo(data)
  yield* readData(reader, metric, readPoint, into)
  reader.goTo(here)
}

function* readData(reader: ProtobufReader, metric: OtlpMetric, readPoint: ReadPoint, into: OtlpPoint[]): Generator<void, void> {
  let temporality = 0
  let isMonotonic = false
  const points: MessageSlice[] = []
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === LENGTH) points.push(reader.slice())
    else if (reader.field === 2) temporality = uint32Field(reader)
    else if (reader.field === 3 && reader.wireType === VARINT) isMonotonic = reader.uint32() !== 0
    else reader.skip()
  }
  const aggregation = { temporality, isMonotonic }
  for (const slice of points) {
    reader.beginPart(MAX_FIELDS)
    reader.within(slice, () => void into.push(readPoint(reader, metric, aggregation)))
    yield
  }
}
