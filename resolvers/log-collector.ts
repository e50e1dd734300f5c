import type { FacetAnswer, FacetQuery, HistogramAnswer, HistogramQuery, LogAnswer, LogQuery } from '../src/query/log-query.js'
import { Distinct, OneTurn } from './one-turn.js'

/** The parts of a `LogQuery` that selected fields decide. */
export type LogParts = Pick<LogQuery, 'rows' | 'total' | 'histograms' | 'facets'>

interface LogWants {
  rows: boolean
  total: boolean
  readonly histograms: Distinct<HistogramQuery>
  readonly facets: Distinct<FacetQuery>
}

function nothing(): LogWants {
  return { rows: false, total: false, histograms: new Distinct(), facets: new Distinct() }
}

/** What stands behind a `LogConnection`: one question, asked when all that is selected is known. */
export class LogCollector {
  readonly #turn: OneTurn<LogWants, LogAnswer>

  constructor(search: (parts: LogParts) => Promise<LogAnswer>) {
    this.#turn = new OneTurn(nothing, async ({ rows, total, histograms, facets }) =>
      search({ rows, total, histograms: histograms.values, facets: facets.values })
    )
  }

  async rows(): Promise<LogAnswer> {
    return this.#turn.want(wants => (wants.rows = true))
  }

  async total(): Promise<LogAnswer> {
    return this.#turn.want(wants => (wants.total = true))
  }

  /** Window, warnings and time of the answer, with no part of its own. */
  async facts(): Promise<LogAnswer> {
    return this.#turn.want(() => undefined)
  }

  async histogram(query: HistogramQuery): Promise<HistogramAnswer> {
    let place = 0
    const { histograms } = await this.#turn.want(wants => (place = wants.histograms.place(query)))
    return histograms[place]!
  }

  async facets(queries: readonly FacetQuery[]): Promise<FacetAnswer[]> {
    let places: number[] = []
    const { facets } = await this.#turn.want(wants => (places = queries.map(query => wants.facets.place(query))))
    return places.map(place => facets[place]!)
  }
}
