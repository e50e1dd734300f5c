import { allOf, type Filter } from '../domain/filter.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Total } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { LogStore } from '../ports/log-store.js'
import { explainFilter } from './search-language/explain-filter.js'

/** One condition of a search that found nothing, and how many rows match without it. */
export interface ConditionCount {
  /** In words: `level is "error"`. */
  readonly condition: string
  readonly rowsWithout: Total
}

/** Conditions that are left out one at a time; each is a search of its own. */
export const MAX_CONDITIONS_COUNTED = 8

/** Parts that must all hold. */
function conditionsOf(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.of : [filter]
}

/** For each condition of a filter the rows that match all others; empty when rows match as it is, or it has none. */
export async function conditionCounts(
  logs: Pick<LogStore, 'search'>,
  ns: NamespaceId,
  { filter, range }: { readonly filter: Filter; readonly range: TimeRange },
  signal: AbortSignal
): Promise<readonly ConditionCount[]> {
  const count = async (of: Filter): Promise<Total> => (await logs.search(ns, { range, filter: of, total: true }, signal)).total!
  const conditions = conditionsOf(filter)
  if (conditions.length === 0 || (await count(filter)).value > 0) return []
  const counted: ConditionCount[] = []
  for (const condition of conditions.slice(0, MAX_CONDITIONS_COUNTED)) {
    const rowsWithout = await count(allOf(conditions.filter(other => other !== condition)))
    counted.push({ condition: explainFilter(condition), rowsWithout })
  }
  return counted.toSorted((a, b) => b.rowsWithout.value - a.rowsWithout.value)
}
