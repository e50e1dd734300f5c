import type { Filter } from '../../../domain/filter.js'
import type { DocumentKind } from '../document/field-names.js'
import { compileFilter } from './compile-filter.js'
import { decide, MAX_VERIFIED, tooManyToVerify } from './decide.js'
import type { SearchContext } from './pages.js'
import type { Query } from './query.js'
import { isExact } from './verdict.js'

/** A query that finds exactly what matches, if need be after a look at records. Throws `unsupported_by_store` for too many. */
export async function decidedQuery(context: SearchContext, kind: DocumentKind, filter: Filter): Promise<Query> {
  const verdict = compileFilter(filter, { kind, search: context.scope.target.search })
  if (isExact(verdict)) return verdict.maybe
  const queries = await decide(context, kind, [{ filter, verdict }])
  if (!queries) throw tooManyToVerify(MAX_VERIFIED)
  return queries[0]!
}
