import type { EncodedHistogram } from '../../../domain/native-histogram/encode.js'
import { FLAG_FIELD, FLAGGED, HISTOGRAM_BITS, HISTOGRAM_FIELD, VALUE_FIELD } from '../line/field-values.js'
import { decodeText } from '../line/encoded-text.js'
import { seriesKey, type Series } from '../series/series.js'
import type { InfluxClient } from '../client/influx-client.js'
import { statusOf, storeError } from '../client/influx-errors.js'
import type { BucketPlace } from '../places/bucket-places.js'
import type { Label, SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import { AnnotatedCsvReader } from './annotated-csv.js'
import { narrow, type Narrowing } from './narrowing.js'
import { SampleColumns } from './sample-columns.js'
import { pinnedTags, selectRequest } from './select-request.js'
import { withFlags } from './with-flags.js'

/** Which samples to read; `labels` are the names of those labels that a matcher mentions. */
export interface SamplesRequest {
  readonly place: BucketPlace
  readonly range: TimeRange
  readonly series: readonly Series[]
  readonly labels: ReadonlySet<string>
  readonly maxSamples: number
}

type Columns = ReadonlyMap<string, SampleColumns>

/** Columns of an answer that are no labels. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['', 'result', 'table', '_time', '_value', '_measurement'])

/** The samples of the series that have some in the range, in the order of `series`. */
export async function readSamples(
  client: InfluxClient,
  request: SamplesRequest,
  signal: AbortSignal
): Promise<readonly SeriesSamples[]> {
  const values = await readField(client, request, VALUE_FIELD, signal)
  const flagged = request.series.filter(({ key }) => values.get(key)?.values.includes(FLAGGED))
  const flags = flagged.length === 0 ? null : await readField(client, { ...request, series: flagged }, FLAG_FIELD, signal)
  const read = request.series.flatMap(series => {
    const found = values.get(series.key)
    if (!found) return []
    const { name, type, labels, key } = series
    const { timestampsNs, values: doubles } = flags && flagged.includes(series) ? withFlags(found, flags.get(key)) : found
    return [{ key, samples: { name, type, labels, timestampsNs, values: doubles } }]
  })
  const marked = flags === null ? [] : read.filter(({ samples }) => bitsOf(samples).includes(HISTOGRAM_BITS))
  if (marked.length === 0) return read.map(({ samples }) => samples)
  const keys = new Set(marked.map(({ key }) => key))
  const having = request.series.filter(({ key }) => keys.has(key))
  const texts = await readField(client, { ...request, series: having }, HISTOGRAM_FIELD, signal)
  return read.map(({ key, samples }) => (keys.has(key) ? withHistograms(samples, texts.get(key)) : samples))
}

function bitsOf({ values }: SeriesSamples): BigInt64Array {
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

const VALUE_KINDS: Readonly<Record<string, 'double' | 'bits' | 'text'>> = {
  [VALUE_FIELD]: 'double',
  [FLAG_FIELD]: 'bits',
  [HISTOGRAM_FIELD]: 'text'
}

/** One field's samples by the key of the series. */
async function readField(
  client: InfluxClient,
  { place, range, series, labels, maxSamples }: SamplesRequest,
  field: string,
  signal: AbortSignal
): Promise<Columns> {
  const wanted = new Set(series.map(({ key }) => key))
  const narrowing = narrow(series, labels)
  const found = new Map<string, SampleColumns>()
  const reader = new AnnotatedCsvReader({
    valueKind: VALUE_KINDS[field]!,
    maxSamples,
    openTable: (columns, cells) => {
      // What InfluxDB was asked for is more than what is wanted: each table is held against the series that matched.
      const key = tableKey(columns, cells, narrowing)
      if (!wanted.has(key)) return null
      const samples = found.get(key) ?? new SampleColumns()
      found.set(key, samples)
      return samples
    }
  })
  try {
    await client.query(selectRequest({ ...place, range, field, narrowing }), signal, chunk => reader.push(chunk))
  } catch (error) {
    signal.throwIfAborted()
    // No bucket: nothing was stored yet, or it went with its namespace.
    if (statusOf(error) === 404) return new Map()
    throw storeError(error, 'reading samples')
  }
  reader.finish()
  return found
}

/** The identity of a table's series: what the request fixed, and what its columns say. */
function tableKey(columns: readonly string[], cells: readonly string[], narrowing: Narrowing): string {
  const measurement = columns.indexOf('_measurement')
  const name = measurement < 0 ? narrowing.metrics![0]! : decodeText(cells[measurement]!)
  const labels: Label[] = [...pinnedTags(narrowing)]
  columns.forEach((column, i) => {
    if (!OWN_COLUMNS.has(column) && cells[i] !== '') labels.push({ name: decodeText(column), value: decodeText(cells[i]!) })
  })
  return seriesKey({ name, labels: labels.sort((a, b) => (a.name < b.name ? -1 : 1)) })
}
