import { GatewayError } from '../../domain/errors.js'

/** A fault in a query text; `at` is the index of the character at fault, told from 1 in the sentence. */
export function queryError(sentence: string, at: number, suggestions: readonly string[] = []): GatewayError {
  return new GatewayError('invalid_query', `${sentence} (at character ${at + 1} of the query)`, {
    field: 'query',
    suggestions,
    members: { position: at }
  })
}
