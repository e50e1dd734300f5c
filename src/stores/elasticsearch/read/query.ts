/** A clause of the query language of Elasticsearch and OpenSearch. */
export type Query = Readonly<Record<string, unknown>>

/** Matches every record. */
export const ALL: Query = Object.freeze({ match_all: {} })
/** Matches none. */
export const NONE: Query = Object.freeze({ match_none: {} })

interface Conjunction {
  readonly filter?: readonly Query[]
  readonly must_not?: readonly Query[]
}

/** The parts of a clause that only demands and excludes; null for any other. */
function conjunctionOf(query: Query): Conjunction | null {
  const bool = query['bool'] as (Conjunction & { readonly should?: unknown }) | undefined
  return bool && bool.should === undefined ? bool : null
}

function alternativesOf(query: Query): readonly Query[] {
  const bool = query['bool'] as { readonly should?: readonly Query[] } | undefined
  return bool?.should ?? [query]
}

function conjunction(filter: readonly Query[], excluded: readonly Query[]): Query {
  if (filter.length === 0 && excluded.length === 0) return ALL
  if (filter.length === 1 && excluded.length === 0) return filter[0]!
  return { bool: { ...(filter.length > 0 && { filter }), ...(excluded.length > 0 && { must_not: excluded }) } }
}

/** Records that match all; flat, because engines bound how deep clauses nest. */
export function every(queries: readonly Query[]): Query {
  const filter: Query[] = []
  const excluded: Query[] = []
  for (const query of queries) {
    if (query === NONE) return NONE
    if (query === ALL) continue
    const parts = conjunctionOf(query)
    filter.push(...(parts ? (parts.filter ?? []) : [query]))
    excluded.push(...(parts?.must_not ?? []))
  }
  return conjunction(filter, excluded)
}

/** Records that match any. */
export function some(queries: readonly Query[]): Query {
  if (queries.includes(ALL)) return ALL
  const should = queries.filter(query => query !== NONE).flatMap(alternativesOf)
  if (should.length < 2) return should[0] ?? NONE
  return { bool: { should, minimum_should_match: 1 } }
}

/** Records that do not match. */
export function none(query: Query): Query {
  if (query === ALL) return NONE
  if (query === NONE) return ALL
  const parts = conjunctionOf(query)
  // The opposite of exclusions alone is any of them.
  if (parts && (parts.filter ?? []).length === 0) return some(parts.must_not ?? [])
  return { bool: { must_not: alternativesOf(query) } }
}

/** How many clauses a query holds, and how deep they nest. */
export function measure(query: Query): { readonly clauses: number; readonly depth: number } {
  const bool = query['bool'] as Conjunction & { readonly should?: readonly Query[] }
  if (!bool) return { clauses: 1, depth: 1 }
  const parts = [...(bool.filter ?? []), ...(bool.must_not ?? []), ...(bool.should ?? [])].map(measure)
  return {
    clauses: parts.reduce((sum, part) => sum + part.clauses, 1),
    depth: 1 + Math.max(...parts.map(part => part.depth))
  }
}

function partsOf(query: Query): readonly Query[] {
  const parts = conjunctionOf(query)
  return parts ? [...(parts.filter ?? []), ...(parts.must_not ?? []).map(none)] : [query]
}

/** What all of the queries demand, clause by clause, and what each demands beyond it. */
export function factor(queries: readonly Query[]): { readonly common: Query; readonly rest: readonly Query[] } {
  const keyed = queries.map(query => new Map(partsOf(query).map(part => [JSON.stringify(part), part])))
  const shared = [...(keyed[0] ?? [])].filter(([key]) => keyed.every(parts => parts.has(key)))
  const keys = new Set(shared.map(([key]) => key))
  const rest = keyed.map(parts => every([...parts].filter(([key]) => !keys.has(key)).map(([, part]) => part)))
  return { common: every(shared.map(([, part]) => part)), rest }
}
