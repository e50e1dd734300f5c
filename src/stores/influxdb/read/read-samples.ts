import type { EncodedHistogram } from '../../../domain/native-histogram/encode.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import { Pace } from '../../../threads/pace.js'
import type { InfluxQueries } from '../client/influx-queries.js'
import { FLAG_FIELD, FLAGGED, HISTOGRAM_BITS, HISTOGRAM_FIELD, VALUE_FIELD } from '../line/field-values.js'
import type { FoundSamples } from './packed-samples.js'
import { readField, type SamplesRequest } from './read-field.js'
import type { SampleColumns } from './sample-columns.js'
import type { RequestedSeries } from './requested-series.js'
import { withFlags } from './with-flags.js'

/** Samples that are looked at before other reads have their turn: some milliseconds. */
const SAMPLES_AT_ONCE = 500_000

/** What was found, by the key of the series. */
export type SamplesBySeries = Map<string, FoundSamples>

/** The samples of the series that have some in the range. */
export async function readSamples(
  queries: InfluxQueries,
  request: SamplesRequest,
  signal: AbortSignal
): Promise<SamplesBySeries> {
  const pace = new Pace(SAMPLES_AT_ONCE, signal)
  const columns = await readField(queries, { ...request, field: VALUE_FIELD }, signal)
  const found: SamplesBySeries = new Map()
  const flagged: RequestedSeries[] = []
  for (const series of request.series) {
    const samples = columns.get(series.key)
    if (samples === undefined) continue
    const { timestampsNs, values } = samples
    found.set(series.key, { timestampsNs, values })
    if (values.includes(FLAGGED)) flagged.push(series)
    if (pace.isDue(values.length)) await pace.rest()
  }
  if (flagged.length === 0) return found
  const flags = await readField(queries, { ...request, series: flagged, field: FLAG_FIELD }, signal)
  const marked: RequestedSeries[] = []
  for (const series of flagged) {
    const samples = withFlags(columns.get(series.key)!, flags.get(series.key))
    found.set(series.key, samples)
    if (bitsOf(samples).includes(HISTOGRAM_BITS)) marked.push(series)
    if (pace.isDue(samples.values.length)) await pace.rest()
  }
  if (marked.length === 0) return found
  const strings = await readField(queries, { ...request, series: marked, field: HISTOGRAM_FIELD }, signal)
  for (const { key } of marked) {
    const samples = found.get(key)!
    found.set(key, { ...samples, histograms: histogramsOf(samples, strings.get(key)) })
    if (pace.isDue(samples.values.length)) await pace.rest()
  }
  return found
}

/** The bits of the values. */
export function bitsOf({ values }: Pick<SeriesSamples, 'values'>): BigInt64Array {
  return new BigInt64Array(values.buffer, values.byteOffset, values.length)
}

/** Strings by the marks that represent them. A string without a mark is left over from a replaced sample. */
function histogramsOf(samples: FoundSamples, found: SampleColumns | undefined): ReadonlyMap<number, EncodedHistogram> {
  const byTime = new Map(found?.strings.map((text, i) => [found.timestampsNs[i]!, text as EncodedHistogram] as const))
  const histograms = new Map<number, EncodedHistogram>()
  for (const [i, bits] of bitsOf(samples).entries()) {
    const histogram = bits === HISTOGRAM_BITS ? byTime.get(samples.timestampsNs[i]!) : undefined
    if (histogram !== undefined) histograms.set(i, histogram)
  }
  return histograms
}
