import type { FieldFilter, RumFilter } from '../api/generated/RumSummary.js'
import type { RumDimension } from '../api/generated/RumBreakdown.js'
import { all, one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** A dimension of the breakdown: value of the key `by`, which is the key of its filter too, dimension of the API, and name. */
export interface DimensionInfo {
  readonly key: string
  readonly by: RumDimension
  readonly name: string
}

/** Dimensions in the order of the page. */
export const DIMENSIONS: readonly DimensionInfo[] = [
  { key: 'page', by: 'PAGE_GROUP', name: 'Page' },
  { key: 'url', by: 'PAGE_URL', name: 'URL' },
  { key: 'browser', by: 'BROWSER', name: 'Browser' },
  { key: 'device', by: 'DEVICE_TYPE', name: 'Device' },
  { key: 'country', by: 'COUNTRY', name: 'Country' },
  { key: 'os', by: 'OS', name: 'Operating system' },
  { key: 'connection', by: 'CONNECTION_TYPE', name: 'Connection' },
  { key: 'release', by: 'RELEASE', name: 'Release' }
]

/** Keys of the address that filter page views by a value. */
export const FILTER_KEYS: readonly string[] = [...DIMENSIONS.map(({ key }) => key), 'session']

/** Fields of page views for keys that the filter of the API has no member for. */
const FIELDS: Readonly<Record<string, string>> = {
  page: 'page_group',
  url: 'page_url',
  connection: 'connection_type',
  release: 'release'
}

/** The filter of an address: `q` and the keys of `FILTER_KEYS`, each repeatable. */
export function readRumFilter(search: SearchValues): RumFilter {
  const listOf = (key: string): string[] | null => (all(search, key).length > 0 ? [...all(search, key)] : null)
  const where = Object.entries(FIELDS)
    .map(([key, field]) => ({ field, values: listOf(key) }))
    .filter((condition): condition is { field: string; values: string[] } => condition.values !== null)
    .map(({ field, values }): FieldFilter => ({ field, op: 'IN', values }))
  const query = one(search, 'q') ?? ''
  const filter: RumFilter = {
    query: query === '' ? null : query,
    browsers: listOf('browser'),
    deviceTypes: listOf('device'),
    countries: listOf('country'),
    os: listOf('os'),
    sessionId: one(search, 'session'),
    where: where.length > 0 ? where : null
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null))
}

/** Reads `by`. An unknown dimension is reported, and pages taken. */
export function readDimension(search: SearchValues): {
  readonly info: DimensionInfo
  readonly problems: readonly AddressProblem[]
} {
  const value = one(search, 'by')
  const info = DIMENSIONS.find(({ key }) => key === value?.toLowerCase())
  if (info) return { info, problems: [] }
  return { info: DIMENSIONS[0]!, problems: value === null ? [] : [{ key: 'by', value, instead: 'pages' }] }
}
