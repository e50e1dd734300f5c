import type { FacetCounts, FacetQuery, HistogramCounts, HistogramQuery } from '../src/query/log-query.js'
import type { DurationHeatmap } from '../src/query/traces/duration-heatmap.js'
import type { DurationHistogram, TracePoints, TraceSearchPage, TraceQuery } from '../src/query/traces/trace-query.js'
import { Distinct, FieldBatch } from './field-batch.js'

/** The parts of a `TraceQuery` that selected fields decide. */
export type TraceParts = Pick<TraceQuery, 'rows' | 'total' | 'histograms' | 'durations' | 'heatmaps' | 'points' | 'facets'>

interface TraceSelection {
  rows: boolean
  total: boolean
  readonly histograms: Distinct<HistogramQuery>
  readonly durations: Distinct<number>
  readonly heatmaps: Distinct<number>
  readonly points: Distinct<number>
  readonly facets: Distinct<FacetQuery>
}

function nothing(): TraceSelection {
  return {
    ...{ rows: false, total: false, histograms: new Distinct(), durations: new Distinct() },
    ...{ heatmaps: new Distinct(), points: new Distinct(), facets: new Distinct() }
  }
}

/** Source of a `TraceConnection`: one query, which runs when the selection is known. */
export class TraceCollector {
  readonly #batch: FieldBatch<TraceSelection, TraceSearchPage>

  constructor(search: (parts: TraceParts) => Promise<TraceSearchPage>) {
    this.#batch = new FieldBatch(nothing, async ({ rows, total, ...several }) => {
      const { histograms, durations, heatmaps, points, facets } = several
      return search({
        ...{ rows, total, histograms: histograms.values, durations: durations.values },
        ...{ heatmaps: heatmaps.values, points: points.values, facets: facets.values }
      })
    })
  }

  async rows(): Promise<TraceSearchPage> {
    return this.#batch.select(selection => (selection.rows = true))
  }

  async total(): Promise<TraceSearchPage> {
    return this.#batch.select(selection => (selection.total = true))
  }

  /** Window, warnings and time of the result, with no part of its own. */
  async facts(): Promise<TraceSearchPage> {
    return this.#batch.select(() => undefined)
  }

  async histogram(query: HistogramQuery): Promise<HistogramCounts> {
    let place = 0
    const { histograms } = await this.#batch.select(selection => (place = selection.histograms.place(query)))
    return histograms[place]!
  }

  async durations(buckets: number): Promise<DurationHistogram> {
    let place = 0
    const { durations } = await this.#batch.select(selection => (place = selection.durations.place(buckets)))
    return durations[place]!
  }

  async heatmap(buckets: number): Promise<DurationHeatmap> {
    let place = 0
    const { heatmaps } = await this.#batch.select(selection => (place = selection.heatmaps.place(buckets)))
    return heatmaps[place]!
  }

  async points(limit: number): Promise<TracePoints> {
    let place = 0
    const { points } = await this.#batch.select(selection => (place = selection.points.place(limit)))
    return points[place]!
  }

  async facets(queries: readonly FacetQuery[]): Promise<FacetCounts[]> {
    let places: number[] = []
    const { facets } = await this.#batch.select(selection => (places = queries.map(query => selection.facets.place(query))))
    return places.map(place => facets[place]!)
  }
}
