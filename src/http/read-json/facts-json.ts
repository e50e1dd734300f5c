import type { Total } from '../../domain/search.js'
import { windowReply } from '../../domain/time-range.js'
import type { ResultFacts, Page } from '../../query/result.js'
import type { ListFacts } from '../read-schemas.js'
import { warningSentence } from '../../domain/warning.js'

/** Milliseconds that something took, to the microsecond. */
export function tookJson(tookMs: number): number {
  return Math.round(tookMs * 1000) / 1000
}

/** `{complete, window, warnings, stats}` of every list ("Lists" in docs/conventions.md). */
export function factsJson({ complete, window, warnings, tookMs }: ResultFacts): Omit<ListFacts, 'page' | 'total'> {
  return { complete, window: windowReply(window), warnings: warnings.map(warningSentence), stats: { took_ms: tookJson(tookMs) } }
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
