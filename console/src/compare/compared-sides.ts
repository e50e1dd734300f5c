import type { CompareInput } from '../api/generated/WhatChanged.js'
import type { ChosenValues } from '../query/with-values.js'
import type { TimeWindow } from '../url/time-window.js'

/** What a page shows, as a comparison of two windows needs it. */
export interface ComparedSearch {
  readonly signal: 'LOGS' | 'SPANS'
  readonly window: TimeWindow
  /** Search language. */
  readonly query: string
  /** By name of field. */
  readonly chosen: ChosenValues
  /** What of the page is not compared, as a sentence. */
  readonly omitted?: string
}

/** The request that compares a search with the same one in the window `before`. */
export function comparedSides({ signal, window, query, chosen }: ComparedSearch, before: TimeWindow): CompareInput {
  const where = Object.entries(chosen).flatMap(([field, values]) =>
    values?.length ? [{ field, op: 'IN' as const, values: [...values] }] : []
  )
  const conditions = { query: query === '' ? null : query, where }
  return { signal, base: { range: before, ...conditions }, other: { range: window, ...conditions } }
}
