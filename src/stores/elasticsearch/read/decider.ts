import type { Filter } from '../../../domain/filter.js'
import type { Source } from '../document/document-reader.js'
import type { DocumentKind } from '../document/field-names.js'
import { compileFilter } from './compile-filter.js'
import { documentMatcher } from './decide.js'
import type { SearchContext } from './pages.js'
import type { Query } from './query.js'
import { isExact } from './verdict.js'

/** How to find what matches: by the engine's query, and by a look at each record where that is not enough. */
export interface Decider {
  /** Finds all that can match. */
  readonly query: Query
  /** Whether a record does; null when the query alone decides. */
  readonly matches: ((source: Source) => boolean) | null
}

/** The decider of a filter. Throws as `compileFilter`. */
export function deciderOf({ scope }: SearchContext, kind: DocumentKind, filter: Filter): Decider {
  const verdict = compileFilter(filter, { kind, search: scope.target.search })
  return { query: verdict.maybe, matches: isExact(verdict) ? null : documentMatcher(filter, kind) }
}
