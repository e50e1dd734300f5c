import type { Label } from '../domain/metric-point.js'
import { LENGTH, ProtobufReader } from '../wire/protobuf/reader.js'
import { countedHistogram, sampleFields } from './read-sample.js'
import { readExemplar, readMetadata } from './read-notes.js'
import { addLabel, checkSeriesBytes, boundedText, RequestPace } from './bounds.js'
import { WriteRequestBuilder, type WriteRequest, type WrittenSample, type WrittenSeries } from './samples.js'
import { type KnownSeries, labelsBytes } from './known-series.js'

/** Tag of `labels` within a series. */
const LABELS_TAG = 0x0a

/**
 * A `prometheus.WriteRequest` (remote write 1.0), read in steps, and the event loop runs in between. Throws
 * `MalformedProtobuf` and `TooManySamples`.
 */
export function* decodeWriteRequest(body: Buffer, known: KnownSeries, maxRecords: number): Generator<void, WriteRequest> {
  const reader = new ProtobufReader(body, known.strings)
  const request = new WriteRequestBuilder(maxRecords)
  const pace = new RequestPace(request)
  while (reader.next()) {
    if (reader.field === 1) readSeries(reader, request, known)
    else if (reader.field === 3) readFacts(reader, request)
    else reader.skip()
    if (pace.isDue(reader.at)) yield
  }
  return request
}

function readFacts(reader: ProtobufReader, into: WriteRequestBuilder): void {
  into.count()
  into.facts.push(readMetadata(reader))
}

function readSeries(reader: ProtobufReader, into: WriteRequestBuilder, known: KnownSeries): void {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const { at } = reader
  checkSeriesBytes(reader.left)
  const { samples, exemplars, records } = into
  const [sampleCount, exemplarCount] = [samples.length, exemplars.length]
  if (!readBehindLabels(reader, into, seriesOf(reader, known))) {
    into.back(sampleCount, exemplarCount, records)
    reader.back(at)
    readScattered(reader, into)
  }
  reader.leave(outer)
}

/** The series of a message that begins with its labels, as all senders write it. */
function seriesOf(reader: ProtobufReader, known: KnownSeries): WrittenSeries {
  const start = reader.at
  const end = reader.passRun(LABELS_TAG)
  const found = known.byLabels.find(reader.bytes, start, end)
  if (found !== undefined) return found
  const labels: Label[] = []
  reader.within([start, end], () => {
    while (reader.next()) addLabel(labels, readLabel(reader))
  })
  const series: WrittenSeries = { labels, isCounter: null, checked: null }
  known.byLabels.keep(reader.bytes, start, end, series, labelsBytes(labels))
  return series
}

/** What follows the labels; false when more labels do. */
function readBehindLabels(reader: ProtobufReader, into: WriteRequestBuilder, series: WrittenSeries): boolean {
  while (reader.next()) {
    if (reader.field === 1) return false
    readOfSeries(reader, into, series)
  }
  return true
}

/** Fields may come in any order (protobuf.dev, encoding). */
function readScattered(reader: ProtobufReader, into: WriteRequestBuilder): void {
  const labels: Label[] = []
  const series: WrittenSeries = { labels, isCounter: null, checked: null }
  while (reader.next()) {
    if (reader.field === 1) addLabel(labels, readLabel(reader))
    else readOfSeries(reader, into, series)
  }
}

function readOfSeries(reader: ProtobufReader, into: WriteRequestBuilder, series: WrittenSeries): void {
  if (reader.field === 2) {
    into.count()
    into.samples.push(readSample(reader, series))
  } else if (reader.field === 3) {
    into.count()
    into.exemplars.push(readExemplar(reader, series, readLabel))
  } else if (reader.field === 4) {
    into.count()
    into.samples.push(readHistogram(reader, series, into))
  } else reader.skip()
}

function readLabel(reader: ProtobufReader): Label {
  reader.expect(LENGTH)
  const outer = reader.enter()
  let name = ''
  let value = ''
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === LENGTH) name = boundedText(reader.text())
    else if (reader.field === 2 && reader.wireType === LENGTH) value = boundedText(reader.text())
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

function readHistogram(reader: ProtobufReader, series: WrittenSeries, into: WriteRequestBuilder): WrittenSample {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const sample = countedHistogram(reader, series, into)
  reader.leave(outer)
  return sample
}
