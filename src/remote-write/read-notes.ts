import { addExemplarLabel, boundedText } from './bounds.js'
import type { MetricFacts, MetricKind } from '../domain/metric-facts.js'
import type { Label } from '../domain/metric-point.js'
import { MalformedProtobuf } from '../wire/protobuf/malformed-protobuf.js'
import { FIXED64, LENGTH, type ProtobufReader, VARINT } from '../wire/protobuf/reader.js'
import type { WrittenExemplar, WrittenSeries } from './samples.js'

// Exemplars and metadata of both versions. Their enums of types are alike (types.proto, write/v2/types.proto).

const KINDS: readonly MetricKind[] = ['unknown', 'counter', 'gauge', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset']
/** Endings of the series of one family. */
const PARTS: ReadonlyMap<MetricKind, RegExp> = new Map([
  ['histogram', /_(?:bucket|count|sum)$/],
  ['gaugehistogram', /_(?:bucket|gcount|gsum)$/],
  ['summary', /_(?:count|sum)$/]
])

function kindOf(type: number): MetricKind {
  return KINDS[type] ?? 'unknown'
}

/** `prometheus.MetricMetadata`. */
export function readMetadata(reader: ProtobufReader): MetricFacts {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let [type, name, help, unit] = [0, '', '', '']
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === VARINT) type = reader.uint32()
    else if (reader.field === 2 && reader.wireType === LENGTH) name = boundedText(reader.text())
    else if (reader.field === 4 && reader.wireType === LENGTH) help = boundedText(reader.text())
    else if (reader.field === 5 && reader.wireType === LENGTH) unit = boundedText(reader.text())
    else reader.skip()
  }
  reader.leave(outer)
  return { name, kind: kindOf(type), help, unit }
}

/** `prometheus.Exemplar`; `readLabel` reads one of its labels. */
export function readExemplar(
  reader: ProtobufReader,
  series: WrittenSeries,
  readLabel: (reader: ProtobufReader) => Label
): WrittenExemplar {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const labels: Label[] = []
  let [value, timestampMs] = [0, 0n]
  while (reader.next()) {
    if (reader.field === 1) addExemplarLabel(labels, readLabel(reader))
    else if (reader.field === 2 && reader.wireType === FIXED64) value = reader.double()
    else if (reader.field === 3 && reader.wireType === VARINT) timestampMs = reader.int64()
    else reader.skip()
  }
  reader.leave(outer)
  return { series, labels, timestampMs, value }
}

/** `io.prometheus.write.v2.Metadata` of a series: its type, and the symbols of its help and unit. */
export interface SeriesMetadata {
  readonly type: number
  readonly help: number
  readonly unit: number
}

export const NO_METADATA: SeriesMetadata = { type: 0, help: 0, unit: 0 }

export function readMetadataV2(reader: ProtobufReader): SeriesMetadata {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let [type, help, unit] = [0, 0, 0]
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === VARINT) type = reader.uint32()
    else if (reader.field === 3 && reader.wireType === VARINT) help = reader.uint32()
    else if (reader.field === 4 && reader.wireType === VARINT) unit = reader.uint32()
    else reader.skip()
  }
  reader.leave(outer)
  return { type, help, unit }
}

/** The metric family that the metadata of a series of this name describes. Throws `MalformedProtobuf`. */
export function factsOfSeries(name: string, { type, help, unit }: SeriesMetadata, symbols: readonly string[]): MetricFacts {
  const kind = kindOf(type)
  const [helpText, unitText] = [symbols[help], symbols[unit]]
  const isKnown = (help === 0 || helpText !== undefined) && (unit === 0 || unitText !== undefined)
  if (!isKnown) throw new MalformedProtobuf('metadata refers to an undefined symbol')
  const part = PARTS.get(kind)
  return { name: part === undefined ? name : name.replace(part, ''), kind, help: helpText ?? '', unit: unitText ?? '' }
}

/** `io.prometheus.write.v2.Exemplar`, within its message; `labelsOf` finds labels among the symbols. */
export function exemplarFieldsV2(
  reader: ProtobufReader,
  series: WrittenSeries,
  labelsOf: (references: readonly number[]) => readonly Label[]
): WrittenExemplar {
  const references: number[] = []
  let [value, timestampMs] = [0, 0n]
  while (reader.next()) {
    if (reader.field === 1) reader.repeated(references, VARINT, () => reader.uint32())
    else if (reader.field === 2 && reader.wireType === FIXED64) value = reader.double()
    else if (reader.field === 3 && reader.wireType === VARINT) timestampMs = reader.int64()
    else reader.skip()
  }
  return { series, labels: labelsOf(references), timestampMs, value }
}
