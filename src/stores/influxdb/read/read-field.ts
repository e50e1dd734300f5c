import { GatewayError } from '../../../domain/errors.js'
import type { Label } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import { statusOf, storeError } from '../client/influx-errors.js'
import type { InfluxQueries } from '../client/influx-queries.js'
import { decodeText } from '../line/encoded-text.js'
import { FLAG_FIELD, HISTOGRAM_FIELD, VALUE_FIELD } from '../line/field-values.js'
import type { BucketPlace } from '../places/bucket-places.js'
import { storedSeriesKey } from '../series/series.js'
import { AnnotatedCsvReader } from './annotated-csv.js'
import { narrow, type Narrowing } from './narrowing.js'
import { SampleColumns } from './sample-columns.js'
import { pinnedTags, selectRequest } from './select-request.js'
import type { RequestedSeries } from './requested-series.js'
import type { WindowChoice } from './window-choice.js'

/** Which samples to read; `labels` are the names of those labels that a matcher mentions. */
export interface SamplesRequest {
  readonly place: BucketPlace
  readonly range: TimeRange
  readonly series: readonly RequestedSeries[]
  readonly labels: ReadonlySet<string>
  readonly maxSamples: number
}

/** One field of them, whole or chosen by InfluxDB. */
export interface FieldRequest extends SamplesRequest {
  readonly field: string
  readonly choice?: WindowChoice | null
}

/** Columns of a result that are not labels. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['', 'result', 'table', '_time', '_value', '_measurement'])

const VALUE_KINDS: Readonly<Record<string, 'double' | 'bits' | 'text'>> = {
  [VALUE_FIELD]: 'double',
  [FLAG_FIELD]: 'bits',
  [HISTOGRAM_FIELD]: 'text'
}

type Columns = ReadonlyMap<string, SampleColumns>

/** One field's samples by the key of the series; `maxSamples` bounds all of them. */
export async function readField(queries: InfluxQueries, request: FieldRequest, signal: AbortSignal): Promise<Columns> {
  const found = new Map<string, SampleColumns>()
  const place = (key: string): SampleColumns => {
    const samples = found.get(key) ?? new SampleColumns()
    found.set(key, samples)
    return samples
  }
  await readTables(queries, request, { place, boundOf: 'response' }, signal)
  return found
}

/**
 * One field's samples, handed over series by series, so that what is left of each is all that stays; `maxSamples` bounds
 * each. Returns the keys of series whose tables did not follow each other: they came in parts.
 */
export async function readSeriesBySeries(
  queries: InfluxQueries,
  request: FieldRequest,
  take: (key: string, samples: SampleColumns) => void,
  signal: AbortSignal
): Promise<ReadonlySet<string>> {
  const [taken, parted] = [new Set<string>(), new Set<string>()]
  let open: { readonly key: string; readonly samples: SampleColumns } | null = null
  const close = (): void => {
    if (open === null) return
    taken.add(open.key)
    take(open.key, open.samples)
    open = null
  }
  const place = (key: string): SampleColumns | null => {
    if (open?.key === key) return open.samples
    close()
    if (taken.has(key)) parted.add(key)
    else open = { key, samples: new SampleColumns() }
    return open?.samples ?? null
  }
  await readTables(queries, request, { place, boundOf: 'place' }, signal)
  close()
  return parted
}

interface Places {
  /** Where the samples of a requested series go. */
  readonly place: (key: string) => SampleColumns | null
  readonly boundOf: 'response' | 'place'
}

async function readTables(
  queries: InfluxQueries,
  request: FieldRequest,
  { place, boundOf }: Places,
  signal: AbortSignal
): Promise<void> {
  const { series, labels, maxSamples, field } = request
  const requested = new Set(series.map(({ key }) => key))
  const narrowing = narrow(series, labels)
  const openTable = (columns: readonly string[], cells: readonly string[]): SampleColumns | null => {
    // The request to InfluxDB matches more than the selector: each table is compared with the series that matched.
    const key = tableKey(columns, cells, narrowing)
    return requested.has(key) ? place(key) : null
  }
  const reader = new AnnotatedCsvReader({ valueKind: VALUE_KINDS[field]!, maxSamples, boundOf, openTable })
  const { place: bucket, range, choice } = request
  try {
    const body = selectRequest({ ...bucket, range, field, narrowing, choice: choice ?? null })
    await queries.query(body, signal, chunk => reader.push(chunk))
  } catch (error) {
    signal.throwIfAborted()
    // Nothing was stored yet, the bucket went with its namespace, or it was deleted: the caller knows which.
    if (statusOf(error) === 404) throw new GatewayError('not_found', 'the bucket does not exist')
    throw storeError(error, 'reading samples')
  }
  reader.finish()
}

/** The identity of a table's series: the conditions of the request, and the columns of the table. */
function tableKey(columns: readonly string[], cells: readonly string[], narrowing: Narrowing): string {
  const measurement = columns.indexOf('_measurement')
  const name = measurement < 0 ? narrowing.metrics![0]! : decodeText(cells[measurement]!)
  const labels: Label[] = [...pinnedTags(narrowing)]
  columns.forEach((column, i) => {
    if (!OWN_COLUMNS.has(column) && cells[i] !== '') labels.push({ name: decodeText(column), value: decodeText(cells[i]!) })
  })
  return storedSeriesKey({ name, labels: labels.sort((a, b) => (a.name < b.name ? -1 : 1)) })
}
