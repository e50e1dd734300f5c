import { GatewayError } from '../../domain/errors.js'
import { warningSentence, type Warning } from '../../domain/warning.js'

/** A counter that misses records would look like one that rises more slowly; `reasons` are the store's own. */
export function notWhole(name: string, reasons: readonly Warning[] = []): GatewayError {
  const why = reasons.length === 0 ? 'its store returned only some of the groups' : reasons.map(warningSentence).join('; ')
  return new GatewayError('query_unsupported', `${name} cannot be counted completely (${why}); add a label matcher`)
}

/** `what` is how many of what there are more than. */
export function tooMany(name: string, what: string): GatewayError {
  return new GatewayError('query_unsupported', `${name} has more than ${what}; add a label matcher`)
}

/** The limit of series of a metric, given to its store before anything is counted. */
export interface SeriesBound {
  readonly count: number
  /** The error for a metric that exceeds it. */
  refusal(name: string): GatewayError
}

/** Bounds series by their number alone. */
export function boundOfSeries(count: number): SeriesBound {
  return { count, refusal: name => tooMany(name, `${count} series`) }
}

/** Bounds series by the samples of all of them, too, of which each has up to `perSeries`: the lower bound counts. */
export function boundOfSamples(maxSeries: number, maxSamples: number, perSeries: number): SeriesBound {
  const count = Math.floor(maxSamples / perSeries)
  if (count >= maxSeries) return boundOfSeries(maxSeries)
  const refusal = (name: string): GatewayError => {
    const detail = `${name} exceeds the limit of ${maxSamples} samples; use a shorter time range or add label matchers`
    return new GatewayError('query_unsupported', detail)
  }
  return { count, refusal }
}
