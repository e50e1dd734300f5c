import { GatewayError } from '../../domain/errors.js'

/** The refusal of a read that matches more series than its caller can take. */
export function tooManySeries(maxSeries: number): GatewayError {
  return new GatewayError('query_unsupported', `the query exceeds the limit of ${maxSeries} series; add a label matcher`)
}

/** The refusal of a read of more samples than its caller can take. */
export function tooManySamples(maxSamples: number): GatewayError {
  const detail = `the query exceeds the limit of ${maxSamples} samples; use a shorter time range or fewer series`
  return new GatewayError('query_unsupported', detail)
}
