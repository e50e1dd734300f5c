import { GatewayError } from '../../domain/errors.js'

/** `what` is how many of what there are more than. */
export function tooMany(name: string, what: string): GatewayError {
  return new GatewayError('query_unsupported', `${name} has more than ${what}: add a matcher`)
}

/** A counter that misses records would look like one that rises more slowly; `reasons` are the store's own. */
export function notWhole(name: string, reasons: readonly string[] = []): GatewayError {
  const why = reasons.length === 0 ? 'its store looked at some of the groups only' : reasons.join('; ')
  return new GatewayError('query_unsupported', `${name} cannot be counted whole (${why}): add a matcher`)
}
