import { one, type SearchValues } from './search-codec.js'

/** Keys that keep their meaning on every page. */
const SHARED_KEYS = ['from', 'to', 'tz', 'refresh', 'cmp']

/** The query string of a link to another page: the window and the zone of this one, and `values`; null removes a key. */
export function pageSearch(search: SearchValues, values: Readonly<Record<string, string | null>> = {}): SearchValues {
  const shared = Object.fromEntries(SHARED_KEYS.map(key => [key, one(search, key)]))
  return Object.fromEntries(Object.entries({ ...shared, ...values }).filter((pair): pair is [string, string] => pair[1] !== null))
}
