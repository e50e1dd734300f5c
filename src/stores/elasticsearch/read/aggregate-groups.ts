import type { AggregateRequest } from '../../../domain/aggregate.js'
import { compareKeys } from '../../../domain/string-order.js'
import type { Cut } from '../../../domain/warning.js'
import type { DocumentKind } from '../document/field-names.js'
import { type GroupTerms, groupTerms, termsAggregation } from './group-terms.js'
import type { SearchContext } from './pages.js'
import { every, none, type Query } from './query.js'
import type { AggregationResult, Aggregations } from './search-engine.js'
import { anyTerm } from './term-condition.js'

/** Values of one field that are listed, those with most records first. The engine refuses more than 65,536 groups. */
export const MAX_LISTED_VALUES = 10_000

type Key = readonly (string | null)[]

/** A group, and the records that are in it. */
export interface ListedGroup {
  readonly key: Key
  readonly count: number
  readonly query: Query
}

/** The groups of some records. */
export interface ListedGroups {
  /** Most records first, ties by key. */
  readonly groups: readonly ListedGroup[]
  readonly isCut: boolean
}

/** States that only some groups were ranked. */
export function groupsCut(limit: number): Cut {
  return {
    kind: 'cap',
    detail: `only the ${limit} groups with most records were ranked`,
    limit,
    remedy: 'Add conditions, or group by fields with fewer values.'
  }
}

/** Values of the first field, those of the next one in each, and so on; next to them records without the field. */
function nested([group, ...further]: readonly GroupTerms[]): Aggregations {
  if (!group) return {}
  const aggs = nested(further)
  const values = { terms: termsAggregation(group, MAX_LISTED_VALUES, MAX_LISTED_VALUES), aggs }
  return { values, without: { filter: none(group.present), aggs } }
}

type Nested = Readonly<Record<'values' | 'without', AggregationResult | undefined>>

/** Adds up the records of each key: a value may have several terms, but each record has it under one. */
class KeyCounts {
  readonly counts = new Map<string, { readonly key: Key; count: number }>()
  isCut = false

  add(terms: readonly GroupTerms[], result: AggregationResult, before: Key = []): void {
    const group = terms[before.length]
    if (!group) {
      this.#count(before, result.doc_count ?? 0)
      return
    }
    const { values, without } = result as unknown as Nested
    this.isCut ||= (values?.sum_other_doc_count ?? 0) > 0
    for (const bucket of values?.buckets ?? []) this.add(terms, bucket, [...before, group.valueOf(String(bucket.key))])
    if (without) this.add(terms, without, [...before, null])
  }

  #count(key: Key, count: number): void {
    if (count === 0) return
    const text = JSON.stringify(key)
    const known = this.counts.get(text)
    if (known) known.count += count
    else this.counts.set(text, { key, count })
  }
}

function groupQuery(terms: readonly GroupTerms[], key: Key, query: Query): Query {
  const parts = terms.map((group, i) => {
    const value = key[i]!
    return value === null ? none(group.present) : anyTerm(group.field, group.termsOf(value))
  })
  return every([query, ...parts])
}

/** The groups of the records that a query finds. Throws `unsupported_by_store` for more than the engine lists. */
export async function listGroups(
  { engine, scope, signal }: SearchContext,
  { kind, query, request }: { readonly kind: DocumentKind; readonly query: Query; readonly request: AggregateRequest }
): Promise<ListedGroups> {
  const terms = request.groupBy.map(field => groupTerms(field, kind))
  const body = { query: scope.confine(query), size: 0, track_total_hits: false, aggs: nested(terms) }
  const { aggregations } = await engine.search(scope.target.indices, body, signal)
  const found = new KeyCounts()
  if (aggregations) found.add(terms, aggregations)
  const sorted = [...found.counts.values()].sort((a, b) => b.count - a.count || compareKeys(a.key, b.key))
  return {
    groups: sorted.map(({ key, count }) => ({ key, count, query: groupQuery(terms, key, query) })),
    isCut: found.isCut
  }
}
