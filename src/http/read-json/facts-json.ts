import type { Total } from '../../domain/search.js'
import { type TimeRange, windowReply } from '../../domain/time-range.js'
import { formatNs } from '../../domain/timestamp.js'
import { cutsOf } from '../../query/cuts.js'
import type { ResultFacts, Page } from '../../query/result.js'
import type { ListFacts } from '../read-schemas.js'
import { warningSentence } from '../../domain/warning.js'

/** Milliseconds that something took, to the microsecond. */
export function tookJson(tookMs: number): number {
  return Math.round(tookMs * 1000) / 1000
}

/** Facts of a result; those about hosts have no window. */
type FactsOfAny = Omit<ResultFacts, 'window'> & { readonly window?: TimeRange }

/** `{complete, warnings, stats}`: `cuts` has the reasons of `warnings` that made a result incomplete. */
export function completenessJson(facts: FactsOfAny): Pick<ListFacts, 'complete' | 'warnings' | 'stats'> {
  const cuts = cutsOf(facts).map(({ window, ...cut }) => ({
    ...cut,
    window: window && { start: formatNs(window.startNs), end: formatNs(window.endNs) }
  }))
  const { complete, warnings, tookMs } = facts
  return { complete, warnings: warnings.map(warningSentence), stats: { took_ms: tookJson(tookMs), cuts } }
}

/** `{complete, window, warnings, stats}` of every list ("Lists" in docs/conventions.md). */
export function factsJson(facts: ResultFacts): Omit<ListFacts, 'page' | 'total'> {
  return { ...completenessJson(facts), window: windowReply(facts.window) }
}

/** Where a page of a list ends. */
export function placeJson({ nextCursor, previousCursor, hasMore, limit }: Page): ListFacts['page'] {
  const previous = previousCursor !== undefined && { previous_cursor: previousCursor }
  return { next_cursor: nextCursor, ...previous, has_more: hasMore, limit }
}

/** `{page, total}` of every list. */
export function pageJson(page: Page, total: Total | null): Pick<ListFacts, 'page' | 'total'> {
  return { page: placeJson(page), total }
}

/** The page of a list that is given out whole up to a limit. */
export function wholePage(hasMore: boolean, limit: number): Page {
  return { nextCursor: null, hasMore, limit }
}
