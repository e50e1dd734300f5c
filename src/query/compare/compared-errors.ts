import type { NamespaceId } from '../../domain/ids.js'
import { allOf, type Field, type Filter } from '../../domain/filter.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Cut, Warning } from '../../domain/warning.js'
import type { EventStore } from '../../ports/event-store.js'
import { cutOf } from './compared-counts.js'
import type { Compared } from './differences.js'
import { countSide, type SideScope, valueCounts } from './side-counts.js'

/** Error groups that each side lists, most frequent first. */
export const MAX_COMPARED_GROUPS = 200
const FINGERPRINT: Field = { in: 'known', name: 'fingerprint' }
const MAX_MESSAGE = 200

/** Two windows. `rows`: logs or spans of the same services in them, which the counts of errors are set against. */
export interface ErrorWindows {
  readonly base: TimeRange
  readonly other: TimeRange
  readonly rows: { readonly base: number; readonly other: number }
}

/** What is compared, and what restricts it. */
export interface ComparedSignal {
  readonly compared: readonly Compared[]
  readonly warnings: readonly Warning[]
}

function tooManyGroups(groups: string): Cut {
  return {
    kind: 'cap',
    detail: `of ${groups} error groups the most frequent ${MAX_COMPARED_GROUPS} of each side were compared`,
    limit: MAX_COMPARED_GROUPS,
    remedy: 'Add conditions, or use shorter windows.'
  }
}

/**
 * Counts of error groups in both windows. Totals are rows and errors of the group together, as an error need not be one of the
 * rows: the test is of errors for as many rows.
 */
export async function comparedErrors(
  events: Pick<EventStore, 'searchErrors'>,
  ns: NamespaceId,
  { base, other, rows, filter }: ErrorWindows & { readonly filter: Filter },
  signal: AbortSignal
): Promise<ComparedSignal> {
  const search = (...requested: Parameters<EventStore['searchErrors']>) => events.searchErrors(...requested)
  const scopes: readonly SideScope[] = [base, other].map(range => ({ ns, range, filter }))
  const counted = { categories: [{ field: FINGERPRINT, limit: MAX_COMPARED_GROUPS }], measures: [] }
  const [before, after] = await Promise.all(scopes.map(scope => countSide(search, scope, counted, signal)))
  const [[baseCounts], [counts]] = await Promise.all([
    valueCounts(search, scopes[0]!, { own: before!, other: after! }, signal),
    valueCounts(search, scopes[1]!, { own: after!, other: before! }, signal)
  ])
  const listed = new Set([before!, after!].flatMap(({ facets }) => facets[0]!.values.map(({ value }) => value)))
  const compared = [...listed].flatMap((fingerprint): readonly Compared[] => {
    const [count, baseCount] = [counts!(fingerprint), baseCounts!(fingerprint)]
    if (count === null || baseCount === null) return []
    const totals = { total: rows.other + count, baseTotal: rows.base + baseCount }
    return [{ kind: 'error_group', name: FINGERPRINT.name, value: fingerprint, count, baseCount, ...totals }]
  })
  const groups = cutOf(after!.facets[0]!) ?? cutOf(before!.facets[0]!)
  const cut = groups === null ? [] : [tooManyGroups(groups)]
  return { compared, warnings: [...before!.warnings, ...after!.warnings, ...cut] }
}

/** Type and message of error groups, by fingerprint. */
export async function errorTitles(
  events: Pick<EventStore, 'errorGroups'>,
  ns: NamespaceId,
  { fingerprints, range }: { readonly fingerprints: readonly string[]; readonly range: TimeRange },
  signal: AbortSignal
): Promise<ReadonlyMap<string, string>> {
  if (fingerprints.length === 0) return new Map()
  const filter = allOf([{ kind: 'in', field: FINGERPRINT, values: [...fingerprints] }])
  const { groups } = await events.errorGroups(ns, { range, filter, limit: fingerprints.length }, signal)
  return new Map(
    groups.map(({ fingerprint, type, message }) => [
      fingerprint,
      [type, message.slice(0, MAX_MESSAGE)].filter(text => text !== '').join(': ')
    ])
  )
}
