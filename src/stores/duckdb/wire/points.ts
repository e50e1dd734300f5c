import type { NamespaceId } from '../../../domain/ids.js'
import type { Label, MetricPoint } from '../../../domain/metric-point.js'
import type { Batch } from '../../../ports/append.js'
import { seriesKey } from '../../../domain/series-key.js'
import { Pace } from '../../../threads/pace.js'
import type { NumberedSeries, PointsAppend, SentSeries } from './calls.js'
import { encodeBigints, encodeIntegers, encodeStrings } from './columns.js'
import { isHistogramMark, markHistogram } from './histogram-mark.js'

/** Points whose series are looked up without yielding to the event loop: some milliseconds. */
export const POINTS_AT_ONCE = 8_192

/** Labels in the form of the `series` table. */
export function storedLabels(labels: readonly Label[]): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, value]))
}

/** Values of points; those of histograms are the mark, and nothing else is. */
function valuesOf(items: readonly MetricPoint[]): Float64Array {
  const values = new Float64Array(items.length)
  for (let i = 0; i < items.length; i++) values[i] = items[i]!.value
  const words = new Uint32Array(values.buffer)
  for (let i = 0; i < items.length; i++) {
    if (items[i]!.histogram !== undefined) markHistogram(values, i)
    else if (isHistogramMark(words[2 * i]!, words[2 * i + 1]!)) values[i] = Number.NaN
  }
  return values
}

/** A series that the store has named, and its position in a request. */
export interface KnownId extends NumberedSeries {
  /** The request that was made last with it. */
  request: number
  position: number
}

let requests = 0

/** The series of one request, each once. */
class SeriesList {
  readonly sent: SentSeries[] = []
  readonly #idOf: (key: string) => KnownId | undefined
  readonly #request = ++requests
  readonly #named = new Map<string, number>()

  constructor(idOf: (key: string) => KnownId | undefined) {
    this.#idOf = idOf
  }

  positionOf(point: MetricPoint): number {
    const key = point.key ?? seriesKey(point)
    const known = this.#idOf(key)
    if (known === undefined) return this.#positionOfNamed(key, point)
    if (known.request !== this.#request) {
      known.request = this.#request
      known.position = this.sent.push(known) - 1
    }
    return known.position
  }

  #positionOfNamed(key: string, { type }: MetricPoint): number {
    const present = this.#named.get(key)
    if (present !== undefined) return present
    const position = this.sent.push({ key, type }) - 1
    this.#named.set(key, position)
    return position
  }
}

const UNKNOWN = (): undefined => undefined

/** The frame of one request of points: each series is named once, by its id where `idOf` knows it. */
export function pointsAppend(
  ns: NamespaceId,
  batch: Batch<MetricPoint>,
  idOf: (key: string) => KnownId | undefined = UNKNOWN
): PointsAppend {
  const list = new SeriesList(idOf)
  const series = encodeIntegers(batch.items, point => list.positionOf(point))
  return appendOf(ns, batch, { sent: list.sent, series })
}

/**
 * As `pointsAppend`; the event loop goes on between slices of the points. A series that another request names meanwhile may
 * be named twice.
 */
export async function pointsAppendInSlices(
  ns: NamespaceId,
  batch: Batch<MetricPoint>,
  idOf: (key: string) => KnownId | undefined = UNKNOWN
): Promise<PointsAppend> {
  const { items } = batch
  const list = new SeriesList(idOf)
  const series = new Int32Array(items.length)
  const pace = new Pace(POINTS_AT_ONCE)
  for (let i = 0; i < items.length; i++) {
    if (pace.isDue()) await pace.rest()
    series[i] = list.positionOf(items[i]!)
  }
  await pace.rest()
  return appendOf(ns, batch, { sent: list.sent, series })
}

function appendOf(
  ns: NamespaceId,
  { ingestId, items }: Batch<MetricPoint>,
  { sent, series }: { readonly sent: readonly SentSeries[]; readonly series: Int32Array }
): PointsAppend {
  return {
    kind: 'points',
    ns,
    ingestId,
    rows: items.length,
    seriesList: sent,
    series,
    ts: encodeBigints(items, point => point.timestampNs),
    value: valuesOf(items),
    histogram: encodeStrings(items, point => point.histogram ?? null),
    index: encodeIntegers(items, point => point.index)
  }
}

/** The same identity from what the `series` table holds. */
export function storedSeriesKey(name: string, json: string): { key: string; labels: readonly Label[] } {
  const labels = (JSON.parse(json) as [string, string][]).map(([label, value]) => ({ name: label, value }))
  return { key: seriesKey({ name, labels }), labels }
}
