import type { Signal } from '../api/generated/SavedView.js'
import type { SearchValues } from './search-codec.js'

/** Pages that have saved views: name in the path, and the telemetry by which their views are listed. */
const SIGNALS: Readonly<Record<string, Signal>> = {
  logs: 'LOGS',
  traces: 'SPANS',
  metrics: 'METRICS',
  rum: 'RUM',
  errors: 'ERRORS'
}

/** Key of the address that names a saved view. */
export const VIEW_KEY = 'v'

/** Telemetry of the list at a path; null for pages without saved views, details of a list among them. */
export function signalOfPath(pathname: string): Signal | null {
  const page = /\/n\/[^/]+\/([^/]+)\/?$/.exec(pathname)?.[1] ?? ''
  return Object.hasOwn(SIGNALS, page) ? SIGNALS[page]! : null
}

/** The query string of a page as a view keeps it: without the open record, the live state and the view that it came from. */
export function stateOf({ sel: _selected, live: _live, [VIEW_KEY]: _view, ...kept }: SearchValues): Record<string, unknown> {
  return kept
}

/** The query string of a stored state. Others wrote it: members that are not strings are left out. */
export function searchOf(state: Readonly<Record<string, unknown>>): SearchValues {
  const isText = (value: unknown): value is string => typeof value === 'string'
  const entries = Object.entries(state).flatMap(([key, value]): (readonly [string, string | readonly string[]])[] => {
    if (isText(value)) return [[key, value]]
    return Array.isArray(value) && value.every(isText) ? [[key, value]] : []
  })
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__' && key !== VIEW_KEY))
}
