import type { FacetAnswer, FacetQuery, HistogramAnswer, HistogramQuery } from '../src/query/log-query.js'
import type { DurationHistogram, TraceAnswer, TraceQuery } from '../src/query/traces/trace-query.js'
import { Distinct, OneTurn } from './one-turn.js'

/** The parts of a `TraceQuery` that selected fields decide. */
export type TraceParts = Pick<TraceQuery, 'rows' | 'total' | 'histograms' | 'durations' | 'facets'>

interface TraceWants {
  rows: boolean
  total: boolean
  readonly histograms: Distinct<HistogramQuery>
  readonly durations: Distinct<number>
  readonly facets: Distinct<FacetQuery>
}

function nothing(): TraceWants {
  return { rows: false, total: false, histograms: new Distinct(), durations: new Distinct(), facets: new Distinct() }
}

/** What stands behind a `TraceConnection`: one question, asked when all that is selected is known. */
export class TraceCollector {
  readonly #turn: OneTurn<TraceWants, TraceAnswer>

  constructor(search: (parts: TraceParts) => Promise<TraceAnswer>) {
    this.#turn = new OneTurn(nothing, async ({ rows, total, histograms, durations, facets }) =>
      search({ rows, total, histograms: histograms.values, durations: durations.values, facets: facets.values })
    )
  }

  async rows(): Promise<TraceAnswer> {
    return this.#turn.want(wants => (wants.rows = true))
  }

  async total(): Promise<TraceAnswer> {
    return this.#turn.want(wants => (wants.total = true))
  }

  /** Window, warnings and time of the answer, with no part of its own. */
  async facts(): Promise<TraceAnswer> {
    return this.#turn.want(() => undefined)
  }

  async histogram(query: HistogramQuery): Promise<HistogramAnswer> {
    let place = 0
    const { histograms } = await this.#turn.want(wants => (place = wants.histograms.place(query)))
    return histograms[place]!
  }

  async durations(buckets: number): Promise<DurationHistogram> {
    let place = 0
    const { durations } = await this.#turn.want(wants => (place = wants.durations.place(buckets)))
    return durations[place]!
  }

  async facets(queries: readonly FacetQuery[]): Promise<FacetAnswer[]> {
    let places: number[] = []
    const { facets } = await this.#turn.want(wants => (places = queries.map(query => wants.facets.place(query))))
    return places.map(place => facets[place]!)
  }
}
