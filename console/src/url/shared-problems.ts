import { resolveZone } from '../format/instant.js'
import { one, type SearchValues } from './search-codec.js'
import type { AddressProblem } from './time-window.js'
import { REFRESH_INTERVALS } from './use-window.js'

/** Values of the keys that all pages read (`tz`, `refresh`) and that cannot be used. */
export function sharedProblems(search: SearchValues): AddressProblem[] {
  const [tz, refresh] = [one(search, 'tz'), one(search, 'refresh')]
  const problems: AddressProblem[] = []
  if (tz !== null && resolveZone(tz) === null) problems.push({ key: 'tz', value: tz, instead: 'local time' })
  if (refresh !== null && !REFRESH_INTERVALS.includes(refresh))
    problems.push({ key: 'refresh', value: refresh, instead: 'no automatic refresh' })
  return problems
}
