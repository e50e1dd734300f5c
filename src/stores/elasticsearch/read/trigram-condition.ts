import { GatewayError, unreachable } from '../../../domain/errors.js'
import type { SubstringSearch } from '../../../ports/index-catalog.js'
import { toNeedle } from '../document/trigrams.js'
import { ALL, every, type Query } from './query.js'
import { exactly, within, type Verdict } from './verdict.js'

function query(field: string, substring: string): Query {
  const needle = toNeedle(substring)
  switch (needle.kind) {
    case 'everything':
      return ALL
    case 'prefix':
      return { prefix: { [field]: { value: needle.text } } }
    case 'term':
      return { term: { [field]: { value: needle.text } } }
    case 'phrase':
      return { match_phrase: { [field]: { query: needle.text } } }
    default:
      return unreachable(needle)
  }
}

/** Records that hold all trigrams of the substring, wherever. */
function anywhere(field: string, substring: string): Verdict {
  const needle = toNeedle(substring)
  if (needle.kind !== 'phrase') return exactly(query(field, substring))
  const grams = [...new Set(needle.text.split(' '))]
  return within(every(grams.map(gram => ({ term: { [field]: { value: gram } } }))))
}

/** A substring of a string whose trigrams are indexed, case-insensitive. Throws `unsupported_by_store` where none are. */
export function containsByTrigrams(field: string, substring: string, search: SubstringSearch): Verdict {
  switch (search) {
    case 'exact':
      return exactly(query(field, substring))
    case 'approximate':
      return anywhere(field, substring)
    case 'off':
      throw new GatewayError('unsupported_by_store', 'substring search is off for this namespace', {
        suggestions: ['search by fields', 'prefix', 'the placement settings of the namespace']
      })
    default:
      return unreachable(search)
  }
}
