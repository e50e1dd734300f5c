import type { Filter } from '../../../domain/filter.js'
import type { DocumentSource } from '../document/document-reader.js'
import type { DocumentKind } from '../document/field-names.js'
import { compileFilter } from './compile-filter.js'
import { documentMatcher, decide, MAX_VERIFIED, tooManyToVerify } from './decide.js'
import type { SearchContext } from './pages.js'
import type { Query } from './query.js'
import { isExact } from './verdict.js'

/** How to find what matches: by the engine's query, and by a look at each record where that is not enough. */
export interface Decider {
  /** Finds all that can match. */
  readonly query: Query
  /** Whether a record does; null when the query alone decides. */
  readonly matches: ((source: DocumentSource) => boolean) | null
}

/** The decider of a filter. Throws as `compileFilter`. */
export function deciderOf({ scope }: SearchContext, kind: DocumentKind, filter: Filter): Decider {
  const verdict = compileFilter(filter, { kind, search: scope.target.search })
  return { query: verdict.maybe, matches: isExact(verdict) ? null : documentMatcher(filter, kind) }
}

/** A query that finds exactly what matches, if need be after a look at records. Throws `unsupported_by_store` for too many. */
export async function decidedQuery(context: SearchContext, kind: DocumentKind, filter: Filter): Promise<Query> {
  const verdict = compileFilter(filter, { kind, search: context.scope.target.search })
  if (isExact(verdict)) return verdict.maybe
  const queries = await decide(context, kind, [{ filter, verdict }])
  if (!queries) throw tooManyToVerify(MAX_VERIFIED)
  return queries[0]!
}
