import type { Label } from '../domain/metric-point.js'
import { MalformedProtobuf } from '../wire/protobuf/malformed-protobuf.js'
import { LENGTH, ProtobufReader, type MessageSlice, VARINT } from '../wire/protobuf/reader.js'
import { countedHistogram, sampleFields } from './read-sample.js'
import { exemplarFieldsV2, factsOfSeries, NO_METADATA, readMetadataV2 } from './read-notes.js'
import { WriteRequestBuilder, type WriteRequest, type WrittenSeries } from './samples.js'
import { addExemplarLabel, addLabel, checkSeriesBytes, RequestPace } from './bounds.js'
import { type KnownSeries, type KnownSymbol, labelsBytes } from './known-series.js'

const COUNTER = 1
/** Types of io.prometheus.write.v2 whose series only grow: counter, histogram and summary (their parts do). */
const GROWING: ReadonlySet<number> = new Set([COUNTER, 3, 5])
/** References of a remembered series: far above the limit of labels of a point. */
const MAX_REFERENCES = 256
/** Strings of a request: of 20 labels twice as many for each of ten thousand series. */
const MAX_SYMBOLS = 400_000

/** The table of symbols of a request. */
interface Symbols {
  readonly known: KnownSeries
  readonly list: readonly KnownSymbol[]
  readonly strings: readonly string[]
}

/** What remembered series are found by: what is stated of their type, and the numbers of their symbols. */
const numbers = new Float64Array(1 + MAX_REFERENCES)
const numberBytes = Buffer.from(numbers.buffer)

/**
 * An `io.prometheus.write.v2.Request` (remote write 2.0): strings are in a table of symbols. Yields between steps.
 * Throws `MalformedProtobuf` and `TooManySamples`.
 */
export function* decodeWriteRequestV2(body: Buffer, known: KnownSeries, maxRecords: number): Generator<void, WriteRequest> {
  const reader = new ProtobufReader(body, known.strings, MAX_SYMBOLS + 2 * maxRecords)
  const request = new WriteRequestBuilder(maxRecords)
  const pace = new RequestPace(request)
  const list: KnownSymbol[] = []
  const groups: MessageSlice[] = []
  while (reader.next()) {
    if (reader.field === 4 && reader.wireType === LENGTH) list.push(known.symbol(body, ...reader.slice()))
    else if (reader.field === 5) groups.push(reader.slice())
    else reader.skip()
    if (pace.isDue(reader.at)) yield
  }
  const symbols = { known, list, strings: list.map(({ text }) => text) }
  const seriesPace = new RequestPace(request)
  for (const group of groups) {
    checkSeriesBytes(group[1] - group[0])
    reader.within(group, () => readSeriesV2(reader, symbols, request))
    if (seriesPace.isDue(group[1])) yield
  }
  return request
}

function readSeriesV2(reader: ProtobufReader, symbols: Symbols, into: WriteRequestBuilder): void {
  const references: number[] = []
  const samples: MessageSlice[] = []
  const histograms: MessageSlice[] = []
  const exemplars: MessageSlice[] = []
  let metadata = NO_METADATA
  while (reader.next()) {
    if (reader.field === 1) reader.repeated(references, VARINT, () => reader.uint32())
    else if (reader.field === 2) samples.push(reader.slice())
    else if (reader.field === 4) exemplars.push(reader.slice())
    else if (reader.field === 5) metadata = readMetadataV2(reader)
    else if (reader.field === 3) histograms.push(reader.slice())
    else reader.skip()
  }
  const series = seriesOf(references, metadata.type, symbols)
  const name = series.labels.find(label => label.name === '__name__')?.value
  if (name !== undefined && metadata !== NO_METADATA) into.facts.push(factsOfSeries(name, metadata, symbols.strings))
  // A series without samples may still have metadata.
  into.count(Math.max(1, samples.length + histograms.length + exemplars.length))
  for (const slice of samples) reader.within(slice, () => void into.samples.push(sampleFields(reader, series)))
  for (const slice of histograms) reader.within(slice, () => void into.samples.push(countedHistogram(reader, series, into)))
  const ownLabels = (own: readonly number[]): readonly Label[] => labelsOf(own, symbols, addExemplarLabel)
  for (const slice of exemplars) {
    reader.within(slice, () => void into.exemplars.push(exemplarFieldsV2(reader, series, ownLabels)))
  }
}

function seriesOf(references: readonly number[], type: number, symbols: Symbols): WrittenSeries {
  const isCounter = type === 0 ? null : GROWING.has(type)
  if (references.length > MAX_REFERENCES) return { labels: labelsOf(references, symbols), isCounter, checked: null }
  numbers[0] = isCounter === null ? 0 : isCounter ? 1 : 2
  for (let i = 0; i < references.length; i++) numbers[i + 1] = symbols.list[references[i]!]?.number ?? 0
  const { bySymbols } = symbols.known
  const end = numbers.BYTES_PER_ELEMENT * (1 + references.length)
  const found = bySymbols.find(numberBytes, 0, end)
  if (found !== undefined) return found
  const series = { labels: labelsOf(references, symbols), isCounter, checked: null }
  bySymbols.keep(numberBytes, 0, end, series, labelsBytes(series.labels))
  return series
}

function labelsOf(references: readonly number[], { strings }: Symbols, add = addLabel): readonly Label[] {
  const labels: Label[] = []
  for (let i = 0; i + 1 < references.length; i += 2) {
    const [name, value] = [strings[references[i]!], strings[references[i + 1]!]]
    if (name === undefined || value === undefined) throw new MalformedProtobuf('a label refers to an undefined symbol')
    add(labels, { name, value })
  }
  return labels
}
