import { GatewayError } from '../../domain/errors.js'
import { queryTimeout } from '../timed-pages.js'
import { PromqlTimeout } from './evaluate/budget.js'
import { PromqlBadQuery, PromqlExecutionError } from './promql-error.js'

/** What an evaluation threw, in the terms of edges that are not those of Prometheus; other errors as they are. */
export function promqlToGatewayError(error: unknown, timeoutMs: number): unknown {
  const about = { field: 'query', cause: error }
  if (error instanceof PromqlBadQuery) return new GatewayError('invalid_query', error.message, about)
  if (error instanceof PromqlExecutionError) return new GatewayError('query_unsupported', error.message, about)
  return error instanceof PromqlTimeout ? queryTimeout(timeoutMs) : error
}
