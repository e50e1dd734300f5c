import type { HostState } from '../api/generated/HostRows.js'
import { all, one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** States from the healthiest on. */
export const STATES: readonly HostState[] = ['ACTIVE', 'STALE', 'GONE']

/** Which hosts the page lists. */
export interface HostFilter {
  /** A part of the name; null for all. */
  readonly contains: string | null
  /** Null for all. */
  readonly states: HostState[] | null
  readonly problems: readonly AddressProblem[]
}

/** Characters of a search that the API takes. */
const MAX_CONTAINS = 256

function stateOf(value: string): HostState | null {
  return STATES.find(state => state === value.toUpperCase()) ?? null
}

/** Reads `q` and `status`, which is repeatable. An unknown state is left out and reported; a long search is cut and reported. */
export function readHostFilter(search: SearchValues): HostFilter {
  const values = all(search, 'status')
  const states = values.map(stateOf).filter(state => state !== null)
  const typed = one(search, 'q') ?? ''
  const contains = typed.slice(0, MAX_CONTAINS)
  const unknown = values
    .filter(value => stateOf(value) === null)
    .map(value => ({ key: 'status', value, instead: states.length > 0 ? 'the other states' : 'all states' }))
  const tooLong = typed.length > MAX_CONTAINS ? [{ key: 'q', value: typed, instead: `its first ${MAX_CONTAINS} characters` }] : []
  return {
    contains: contains === '' ? null : contains,
    states: states.length > 0 ? states : null,
    problems: [...unknown, ...tooLong]
  }
}
