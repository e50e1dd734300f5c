import { GatewayError } from '../../../domain/errors.js'
import type { Field, Filter } from '../../../domain/filter.js'
import { matcherOf } from '../../../domain/match-filter.js'
import type { RecordId } from '../../../domain/ids.js'
import type { DocumentSource } from '../document/document-reader.js'
import { ID, type DocumentKind } from '../document/field-names.js'
import { MAX_PAGE, readPages, type SearchContext } from './pages.js'
import { some, type Query } from './query.js'
import { membersOf, valuesOf } from './document-values.js'
import { regexOf } from './regex-predicate.js'
import { anyTerm } from './term-condition.js'
import { isExact, type Verdict } from './verdict.js'

/** A filter, and how far the engine can decide it. */
export interface JudgedFilter {
  readonly filter: Filter
  readonly verdict: Verdict
}

/** Records that are looked at one by one for the sake of one query. */
export const MAX_VERIFIED = 50_000

/** All fields that a filter names. */
export function fieldsOfFilter(filter: Filter): readonly Field[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap(fieldsOfFilter)
    case 'not':
      return fieldsOfFilter(filter.of)
    default:
      return [filter.field]
  }
}

/** Members of documents that deciding the filters needs. */
export function neededMembers(filters: readonly Filter[], kind: DocumentKind): readonly string[] {
  return membersOf(filters.flatMap(fieldsOfFilter), kind)
}

/** Whether a filter holds for a document. */
export function documentMatcher(filter: Filter, kind: DocumentKind): (source: DocumentSource) => boolean {
  return matcherOf(filter, { valuesOf: valuesOf(kind), regexOf })
}

/** `unsupported_by_store`: more records than may be looked at. */
export function tooManyToVerify(limit: number): GatewayError {
  return new GatewayError(
    'unsupported_by_store',
    `this store must check the filter record by record, and more than ${limit} records could match`,
    { suggestions: ['a shorter time range', 'a further condition on an indexed field', 'contains instead of regex'] }
  )
}

/**
 * Decides filters by looking at the records that the engine is in doubt about; each comes back as a query that finds
 * exactly its matches. Null when there are more than `MAX_VERIFIED` of them.
 */
export async function decide(
  context: SearchContext,
  kind: DocumentKind,
  requested: readonly JudgedFilter[]
): Promise<readonly Query[] | null> {
  const open = requested.filter(({ verdict }) => !isExact(verdict))
  const found = new Map(open.map(each => [each, [] as RecordId[]]))
  const matchers = open.map(each => ({ matches: documentMatcher(each.filter, kind), ids: found.get(each)! }))
  const query = some(open.map(({ verdict }) => verdict.doubt))
  const members = neededMembers(
    open.map(({ filter }) => filter),
    kind
  )
  let seen = 0
  for await (const page of readPages(context, { query, order: 'desc', size: MAX_PAGE / 2, after: undefined, members })) {
    seen += page.length
    if (seen > MAX_VERIFIED) return null
    for (const { matches, ids } of matchers) ids.push(...page.filter(matches).map(source => source[ID] as RecordId))
  }
  return requested.map(each => some([each.verdict.sure, anyTerm(ID, found.get(each) ?? [])]))
}
