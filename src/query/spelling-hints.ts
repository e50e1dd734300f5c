import { fold } from '../domain/case-folding.js'
import { isGatewayError } from '../domain/errors.js'
import { MATCH_ALL, type Field, type Filter, valuesOfCondition } from '../domain/filter.js'
import type { NamespaceId } from '../domain/ids.js'
import { nearest } from '../domain/nearest.js'
import type { SearchRequest, SearchResult } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import { leavesOf } from './empty-hints.js'

/** A search that found nothing, and how its store is searched. */
export interface UnfoundValues {
  readonly ns: NamespaceId
  readonly filter: Filter
  readonly range: TimeRange
  readonly search: (ns: NamespaceId, request: SearchRequest, signal: AbortSignal) => Promise<SearchResult<unknown>>
}

/** Time that a hint may take: the result, which is found already, waits for it. */
const HINT_TIMEOUT_MS = 1_000
/** Fields of a query whose values are looked up. */
const MAX_FIELDS = 3
/** Most frequent values of a field that are compared. */
const MAX_VALUES = 200
/** Values of one field of which a hint speaks. */
const MAX_WANTED = 3
/** Fields of which every record has another value. */
const UNIQUE: ReadonlySet<string> = new Set(['message', 'trace_id', 'span_id', 'parent_span_id', 'id', 'timestamp', 'duration'])

interface SearchedField {
  readonly field: Field
  readonly values: Set<string>
}

function requestedValues(filter: Filter): readonly SearchedField[] {
  const byField = new Map<string, SearchedField>()
  for (const leaf of leavesOf(filter)) {
    if (leaf.kind !== 'eq' && leaf.kind !== 'in' && leaf.kind !== 'text') continue
    if (UNIQUE.has(leaf.field.name)) continue
    const key = JSON.stringify(leaf.field)
    const requested = byField.get(key) ?? { field: leaf.field, values: new Set() }
    byField.set(key, requested)
    for (const value of valuesOfCondition(leaf)) requested.values.add(value)
  }
  return [...byField.values()].slice(0, MAX_FIELDS)
}

function hintsOf({ field, values: requested }: SearchedField, there: readonly string[]): readonly string[] {
  const known = new Set(there)
  return [...requested]
    .filter(value => !known.has(value))
    .slice(0, MAX_WANTED)
    .flatMap(value => {
      const folded = fold(value)
      const sameLetters = there.find(each => fold(each) === folded)
      const meant = sameLetters ?? nearest(value, there)
      if (meant === null) return []
      const why = sameLetters === undefined ? 'did you mean' : 'values are case-sensitive, did you mean'
      return [`no ${field.name} is ${JSON.stringify(value)} in this window: ${why} ${JSON.stringify(meant)}?`]
    })
}

/**
 * Reports which values that a search names are spelt differently in the window, by one look at the most frequent values of at
 * most three fields in the same namespace. Empty when the store refuses or takes longer than `timeoutMs`.
 */
export async function spellingHints(
  { ns, filter, range, search }: UnfoundValues,
  signal: AbortSignal,
  timeoutMs = HINT_TIMEOUT_MS
): Promise<readonly string[]> {
  const requested = requestedValues(filter)
  if (requested.length === 0) return []
  const facets = requested.map(({ field }) => ({ field, filter: MATCH_ALL, limit: MAX_VALUES }))
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const found = await search(ns, { range, filter: MATCH_ALL, facets }, AbortSignal.any([signal, timeout]))
    return requested.flatMap((one, i) => hintsOf(one, found.facets?.[i]?.values.map(({ value }) => value) ?? []))
  } catch (error) {
    signal.throwIfAborted()
    // The result is returned without an explanation.
    if (timeout.aborted || isGatewayError(error)) return []
    throw error
  }
}
