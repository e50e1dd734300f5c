import { GatewayError } from '../../domain/errors.js'

/** The refusal of a read that matches more series than its caller can take. */
export function tooManySeries(maxSeries: number): GatewayError {
  return new GatewayError('query_unsupported', `the query matches more than ${maxSeries} series: add a label`)
}

/** The refusal of a read of more samples than its caller can take. */
export function tooManySamples(maxSamples: number): GatewayError {
  const detail = `the query would read more than ${maxSamples} samples: narrow the time range or the labels`
  return new GatewayError('query_unsupported', detail)
}
