import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { SampleWindows } from '../../../ports/metric-store.js'
import { tooManySamples } from '../../shared/read-refusals.js'
import { windowSamples } from '../../metrics/window-samples.js'
import type { InfluxQueries } from '../client/influx-queries.js'
import { FLAG_FIELD, FLAGGED, HISTOGRAM_BITS, VALUE_FIELD } from '../line/field-values.js'
import type { FoundSamples } from './packed-samples.js'
import { type FieldRequest, readSeriesBySeries, type SamplesRequest } from './read-field.js'
import { bitsOf, type SamplesBySeries, readSamples } from './read-samples.js'
import { type WindowChoice, windowChoice } from './window-choice.js'
import { type SampleBits, withFlags } from './with-flags.js'

/** Which windows are read. */
export interface WindowsRequest extends SamplesRequest {
  readonly windows: SampleWindows
}

type Columns = Pick<SeriesSamples, 'timestampsNs' | 'values'>

/**
 * What windows need of the series. Each is thinned once its rows have come; `maxSamples` holds for the rows of each and for
 * what is left of all. Flags come first: where a series has none, InfluxDB may choose samples itself. Series with histograms,
 * and those of which a flag changed meanwhile, are read whole.
 */
export async function readWindows(
  queries: InfluxQueries,
  request: WindowsRequest,
  signal: AbortSignal
): Promise<SamplesBySeries> {
  const reading = new WindowsReading(queries, request, signal)
  const flags = await reading.flags()
  const choice = windowChoice(request.range, request.windows)
  const chosen = choice === null ? [] : request.series.filter(({ key }) => !flags.has(key))
  if (choice !== null && chosen.length > 0) await reading.values(chosen, flags, choice)
  const others = choice === null ? request.series : request.series.filter(({ key }) => flags.has(key))
  if (others.length > 0) await reading.values(others, flags, null)
  return reading.finish()
}

class WindowsReading {
  readonly #queries: InfluxQueries
  readonly #request: WindowsRequest
  readonly #signal: AbortSignal
  readonly #kept: SamplesBySeries = new Map()
  readonly #whole = new Set<string>()
  #samples = 0

  constructor(queries: InfluxQueries, request: WindowsRequest, signal: AbortSignal) {
    this.#queries = queries
    this.#request = request
    this.#signal = signal
  }

  /** The flags within windows of the series that have any. */
  async flags(): Promise<ReadonlyMap<string, SampleBits>> {
    const found = new Map<string, SampleBits>()
    let samples = 0
    const parted = await this.#read({ field: FLAG_FIELD }, (key, columns) => {
      const within = this.#within(columns)
      samples += within.values.length
      this.#refuseMore(samples)
      found.set(key, { timestampsNs: within.timestampsNs, bits: bitsOf(within) })
    })
    for (const key of parted) this.#whole.add(key)
    return found
  }

  /** Reads values of some of the series. */
  async values(
    series: WindowsRequest['series'],
    flags: ReadonlyMap<string, SampleBits>,
    choice: WindowChoice | null
  ): Promise<void> {
    // Of what one part of the series has in common, conditions keep the rows of the others away.
    const isPart = series.length < this.#request.series.length
    const labels = isPart ? new Set(series.flatMap(one => one.labels.map(({ name }) => name))) : this.#request.labels
    const parted = await this.#read({ field: VALUE_FIELD, series, labels, choice }, (key, columns) => {
      const samples = this.#thinned(columns, flags.get(key))
      if (samples === null) this.#whole.add(key)
      else this.#keep(key, samples)
    })
    for (const key of parted) this.#whole.add(key)
  }

  /** What was kept, and the series that had to be read whole. */
  async finish(): Promise<SamplesBySeries> {
    const { windows, series } = this.#request
    const whole = series.filter(({ key }) => this.#whole.has(key))
    for (const { key } of whole) this.#kept.delete(key)
    this.#samples = [...this.#kept.values()].reduce((sum, { values }) => sum + values.length, 0)
    if (whole.length === 0) return this.#kept
    const read = await readSamples(this.#queries, { ...this.#request, series: whole }, this.#signal)
    for (const [key, one] of read) this.#keep(key, one.histograms === undefined ? windowSamples(one, windows) : one)
    return this.#kept
  }

  #read(
    more: Pick<FieldRequest, 'field'> & Partial<FieldRequest>,
    take: (key: string, samples: Columns) => void
  ): Promise<ReadonlySet<string>> {
    return readSeriesBySeries(this.#queries, { ...this.#request, ...more }, take, this.#signal)
  }

  #within({ timestampsNs, values }: Columns): Columns {
    return windowSamples({ timestampsNs, values }, { ...this.#request.windows, keep: 'all' })
  }

  /** Null when the series must be read whole. */
  #thinned({ timestampsNs, values }: Columns, flags: SampleBits | undefined): FoundSamples | null {
    const { windows } = this.#request
    if (!values.includes(FLAGGED)) return windowSamples({ timestampsNs, values }, windows)
    const within = this.#within({ timestampsNs, values })
    const samples = withFlags({ timestampsNs: within.timestampsNs, bits: bitsOf(within) }, flags)
    const isComplete = samples.values.length === within.values.length
    return isComplete && !bitsOf(samples).includes(HISTOGRAM_BITS) ? windowSamples(samples, windows) : null
  }

  #keep(key: string, samples: FoundSamples): void {
    this.#samples += samples.values.length
    this.#refuseMore(this.#samples)
    this.#kept.set(key, samples)
  }

  #refuseMore(samples: number): void {
    const { maxSamples } = this.#request
    if (samples > maxSamples) throw tooManySamples(maxSamples)
  }
}
