import { GatewayError } from '../../domain/errors.js'

/** An error in a query string; `at` is the index of the wrong character, counted from 1 in the message. */
export function queryError(sentence: string, at: number, suggestions: readonly string[] = []): GatewayError {
  return new GatewayError('invalid_query', `${sentence} (at character ${at + 1} of the query)`, {
    field: 'query',
    suggestions,
    members: { position: at }
  })
}
