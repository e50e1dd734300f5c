import type { EncodedHistogram } from '../../../domain/native-histogram/encode.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { InfluxClient } from '../client/influx-client.js'
import { FLAG_FIELD, FLAGGED, HISTOGRAM_BITS, HISTOGRAM_FIELD, VALUE_FIELD } from '../line/field-values.js'
import { readField, type SamplesRequest } from './read-field.js'
import type { SampleColumns } from './sample-columns.js'
import { withFlags } from './with-flags.js'

/** The samples of the series that have some in the range, in the order of `series`. */
export async function readSamples(
  client: InfluxClient,
  request: SamplesRequest,
  signal: AbortSignal
): Promise<readonly SeriesSamples[]> {
  const values = await readField(client, { ...request, field: VALUE_FIELD }, signal)
  const flagged = new Set(request.series.filter(({ key }) => values.get(key)?.values.includes(FLAGGED)))
  const ofFlags = { ...request, series: [...flagged], field: FLAG_FIELD }
  const flags = flagged.size === 0 ? null : await readField(client, ofFlags, signal)
  const read = request.series.flatMap(series => {
    const found = values.get(series.key)
    if (!found) return []
    const { name, type, labels, key } = series
    const { timestampsNs, values: doubles } = flags && flagged.has(series) ? withFlags(found, flags.get(key)) : found
    return [{ key, samples: { name, type, labels, timestampsNs, values: doubles } }]
  })
  const marked = flags === null ? [] : read.filter(({ samples }) => bitsOf(samples).includes(HISTOGRAM_BITS))
  if (marked.length === 0) return read.map(({ samples }) => samples)
  const keys = new Set(marked.map(({ key }) => key))
  const having = request.series.filter(({ key }) => keys.has(key))
  const texts = await readField(client, { ...request, series: having, field: HISTOGRAM_FIELD }, signal)
  return read.map(({ key, samples }) => (keys.has(key) ? withHistograms(samples, texts.get(key)) : samples))
}

/** The bits of the values. */
export function bitsOf({ values }: Pick<SeriesSamples, 'values'>): BigInt64Array {
  return new BigInt64Array(values.buffer, values.byteOffset, values.length)
}

/** Puts the texts in place of the marks that stand for them. A text without a mark is left over from what was replaced. */
function withHistograms(samples: SeriesSamples, found: SampleColumns | undefined): SeriesSamples {
  const byTime = new Map(found?.texts.map((text, i) => [found.timestampsNs[i]!, text as EncodedHistogram] as const))
  const histograms = new Map<number, EncodedHistogram>()
  for (const [i, bits] of bitsOf(samples).entries()) {
    const histogram = bits === HISTOGRAM_BITS ? byTime.get(samples.timestampsNs[i]!) : undefined
    if (histogram !== undefined) histograms.set(i, histogram)
  }
  return { ...samples, histograms }
}
