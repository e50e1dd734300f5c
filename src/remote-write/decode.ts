import type { MetricFacts } from '../domain/metric-facts.js'
import type { Label } from '../domain/metric-point.js'
import { FIXED64, InternedTexts, LENGTH, MalformedProtobuf, ProtobufReader, type Slice, VARINT } from '../protobuf/reader.js'
import { histogramFields } from './read-histogram.js'
import { exemplarFieldsV2, factsOfSeries, NO_METADATA, readExemplar, readMetadata, readMetadataV2 } from './read-notes.js'
import type { WriteRequest, WrittenExemplar, WrittenSample, WrittenSeries } from './samples.js'

const COUNTER = 1
/** Types of io.prometheus.write.v2 whose series only grow: counter, histogram and summary (their parts do). */
const GROWING: ReadonlySet<number> = new Set([COUNTER, 3, 5])

interface Request {
  readonly samples: WrittenSample[]
  readonly exemplars: WrittenExemplar[]
  readonly facts: MetricFacts[]
}

const newRequest = (): Request => ({ samples: [], exemplars: [], facts: [] })

/** A `prometheus.WriteRequest` (remote write 1.0). Throws `MalformedProtobuf`. */
export function decodeWriteRequest(body: Buffer): WriteRequest {
  const reader = new ProtobufReader(body, new InternedTexts())
  const request = newRequest()
  while (reader.next()) {
    if (reader.field === 1) readSeries(reader, request)
    else if (reader.field === 3) request.facts.push(readMetadata(reader))
    else reader.skip()
  }
  return request
}

function readSeries(reader: ProtobufReader, into: Request): void {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const labels: Label[] = []
  const series: WrittenSeries = { labels, isCounter: null }
  while (reader.next()) {
    if (reader.field === 1) labels.push(readLabel(reader))
    else if (reader.field === 2) into.samples.push(readSample(reader, series))
    else if (reader.field === 3) into.exemplars.push(readExemplar(reader, series, readLabel))
    else if (reader.field === 4) into.samples.push(readHistogram(reader, series))
    else reader.skip()
  }
  reader.leave(outer)
}

function readLabel(reader: ProtobufReader): Label {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let name = ''
  let value = ''
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === LENGTH) name = reader.text()
    else if (reader.field === 2 && reader.wireType === LENGTH) value = reader.text()
    else reader.skip()
  }
  reader.leave(outer)
  return { name, value }
}

function readSample(reader: ProtobufReader, series: WrittenSeries): WrittenSample {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const sample = sampleFields(reader, series)
  reader.leave(outer)
  return sample
}

function readHistogram(reader: ProtobufReader, series: WrittenSeries): WrittenSample {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const sample = histogramSample(reader, series)
  reader.leave(outer)
  return sample
}

function histogramSample(reader: ProtobufReader, series: WrittenSeries): WrittenSample {
  const histogram = histogramFields(reader)
  return { series, timestampMs: histogram.timestampMs, value: histogram.sum, histogram }
}

/** An `io.prometheus.write.v2.Request` (remote write 2.0): texts stand in a table of symbols. Throws `MalformedProtobuf`. */
export function decodeWriteRequestV2(body: Buffer): WriteRequest {
  const reader = new ProtobufReader(body, new InternedTexts())
  const request = newRequest()
  const symbols: string[] = []
  const groups: Slice[] = []
  while (reader.next()) {
    if (reader.field === 4 && reader.wireType === LENGTH) symbols.push(reader.text())
    else if (reader.field === 5) groups.push(reader.slice())
    else reader.skip()
  }
  for (const group of groups) reader.within(group, () => readSeriesV2(reader, symbols, request))
  return request
}

function readSeriesV2(reader: ProtobufReader, symbols: readonly string[], into: Request): void {
  const references: number[] = []
  const samples: Slice[] = []
  const histograms: Slice[] = []
  const exemplars: Slice[] = []
  let metadata = NO_METADATA
  while (reader.next()) {
    if (reader.field === 1) reader.repeated(references, VARINT, () => reader.uint32())
    else if (reader.field === 2) samples.push(reader.slice())
    else if (reader.field === 4) exemplars.push(reader.slice())
    else if (reader.field === 5) metadata = readMetadataV2(reader)
    else if (reader.field === 3) histograms.push(reader.slice())
    else reader.skip()
  }
  const labels = labelsOf(references, symbols)
  const series: WrittenSeries = { labels, isCounter: metadata.type === 0 ? null : GROWING.has(metadata.type) }
  const name = labels.find(label => label.name === '__name__')?.value
  if (name !== undefined && metadata !== NO_METADATA) into.facts.push(factsOfSeries(name, metadata, symbols))
  for (const slice of samples) reader.within(slice, () => void into.samples.push(sampleFields(reader, series)))
  for (const slice of histograms) reader.within(slice, () => void into.samples.push(histogramSample(reader, series)))
  const ownLabels = (own: readonly number[]): readonly Label[] => labelsOf(own, symbols)
  for (const slice of exemplars) {
    reader.within(slice, () => void into.exemplars.push(exemplarFieldsV2(reader, series, ownLabels)))
  }
}

function sampleFields(reader: ProtobufReader, series: WrittenSeries): WrittenSample {
  let value = 0
  let timestampMs = 0n
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === FIXED64) value = reader.double()
    else if (reader.field === 2 && reader.wireType === VARINT) timestampMs = reader.int64()
    else reader.skip()
  }
  return { series, timestampMs, value }
}

function labelsOf(references: readonly number[], symbols: readonly string[]): readonly Label[] {
  const labels: Label[] = []
  for (let i = 0; i + 1 < references.length; i += 2) {
    const [name, value] = [symbols[references[i]!], symbols[references[i + 1]!]]
    if (name === undefined || value === undefined) throw new MalformedProtobuf('a label refers to a symbol that is not there')
    labels.push({ name, value })
  }
  return labels
}
