import { readMeasure } from '../measures/measure-choice.js'
import { one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

const SHOWN = ['list', 'patterns', 'compare', 'measure'] as const
/** What of a search is shown: its rows, its patterns, what changed, or measures of its fields. */
export type Shown = (typeof SHOWN)[number]

/** What an address shows: a live tail (`live`), or a search as `view` names it. */
export interface LogView {
  readonly isLive: boolean
  readonly shown: Shown
  readonly problems: readonly AddressProblem[]
}

/** Reads `live` and `view`. */
export function readView(search: SearchValues): LogView {
  const live = one(search, 'live')
  const view = one(search, 'view')
  const shown = SHOWN.find(name => name === view) ?? 'list'
  const problems: AddressProblem[] = []
  if (live !== null && live !== '1') problems.push({ key: 'live', value: live, instead: 'the search' })
  if (view !== null && view !== shown) problems.push({ key: 'view', value: view, instead: 'the list' })
  if (shown === 'measure') problems.push(...readMeasure(search).problems)
  return { isLive: live === '1', shown, problems }
}
