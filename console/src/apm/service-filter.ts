import type { ServiceOrder } from '../api/generated/ApmServices.js'
import { one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** Orders of the list of services: value of the address, order of the API, and name. */
export const ORDERS: readonly (readonly [value: string, order: ServiceOrder, name: string])[] = [
  ['requests', 'RATE', 'Most requests'],
  ['errors', 'ERROR_RATE', 'Highest error rate'],
  ['p95', 'P95', 'Slowest (p95)'],
  ['p99', 'P99', 'Slowest (p99)'],
  ['name', 'NAME', 'Name']
]

/** Which services the page lists. */
export interface ServiceFilter {
  /** A part of the name; empty for all. */
  readonly contains: string
  /** A value of `ORDERS`. */
  readonly sort: string
  readonly orderBy: ServiceOrder
  readonly problems: readonly AddressProblem[]
}

/** Reads `q` and `sort`. An unknown order is reported, and the first one taken. */
export function readServiceFilter(search: SearchValues): ServiceFilter {
  const value = one(search, 'sort')
  const found = ORDERS.find(([name]) => name === value?.toLowerCase())
  const [sort, orderBy, name] = found ?? ORDERS[0]!
  const problems = value !== null && !found ? [{ key: 'sort', value, instead: `"${name}"` }] : []
  return { contains: one(search, 'q') ?? '', sort, orderBy, problems }
}
