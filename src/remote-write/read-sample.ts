import { FIXED64, type ProtobufReader, VARINT } from '../wire/protobuf/reader.js'
import { histogramFields } from './read-histogram.js'
import type { WriteRequestBuilder, WrittenSample, WrittenSeries } from './samples.js'

// `Sample` and `Histogram` of both versions, within their messages.

export function sampleFields(reader: ProtobufReader, series: WrittenSeries): WrittenSample {
  let value = 0
  let timestampMs = 0n
  while (reader.next()) {
    if (reader.field === 1 && reader.wireType === FIXED64) value = reader.double()
    else if (reader.field === 2 && reader.wireType === VARINT) timestampMs = reader.int64()
    else reader.skip()
  }
  return { series, timestampMs, value }
}

/** A histogram, counted by what it takes. Throws `TooManySamples`. */
export function countedHistogram(reader: ProtobufReader, series: WrittenSeries, into: WriteRequestBuilder): WrittenSample {
  const histogram = histogramFields(reader)
  into.countHistogram(histogram)
  return { series, timestampMs: histogram.timestampMs, value: histogram.sum, histogram }
}
