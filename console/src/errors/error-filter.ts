import type { ExceptionState } from '../api/generated/ErrorGroups.js'
import { all, one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** States in the order of their urgency. */
export const STATES: readonly ExceptionState[] = ['REGRESSED', 'OPEN', 'RESOLVED', 'IGNORED']

/** Which groups the page lists; null for no condition. */
export interface ErrorFilter {
  readonly query: string | null
  readonly services: string[] | null
  readonly states: ExceptionState[] | null
  readonly problems: readonly AddressProblem[]
}

function stateOf(value: string): ExceptionState | null {
  return STATES.find(state => state === value.toUpperCase()) ?? null
}

/** Reads `q`, and `service` and `status`, both repeatable. An unknown state is left out and reported. */
export function readErrorFilter(search: SearchValues): ErrorFilter {
  const values = all(search, 'status')
  const states = values.map(stateOf).filter(state => state !== null)
  const services = [...all(search, 'service')]
  return {
    query: one(search, 'q'),
    services: services.length > 0 ? services : null,
    states: states.length > 0 ? states : null,
    problems: values
      .filter(value => stateOf(value) === null)
      .map(value => ({ key: 'status', value, instead: states.length > 0 ? 'the other states' : 'all states' }))
  }
}
