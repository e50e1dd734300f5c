import { formatInstantNs, parseInstantNs } from '../format/instant.js'
import { one, type SearchValues } from './search-codec.js'
import { type AddressProblem, resolveBound, type TimeWindow } from './time-window.js'

/** A window that the window of the page is compared with. */
export interface Comparison {
  readonly window: TimeWindow
  /** How much later the window of the page starts, in milliseconds. */
  readonly shiftMs: number
  /** `window before`. */
  readonly name: string
}

/** The comparison of an address, and a value that could not be used. */
export interface ReadComparison {
  readonly comparison: Comparison | null
  readonly problems: readonly AddressProblem[]
}

/** Values of the key `cmp` by name. It also takes `from..to`, both bounds as `from` and `to` have them. */
export const COMPARISONS: readonly (readonly [value: string, name: string])[] = [
  ['prev', 'window before'],
  ['day', 'day before'],
  ['week', 'week before']
]

/** What a view of differences compares with when the address names nothing. */
export const WINDOW_BEFORE = 'prev'

const NS_PER_MS = 1_000_000n
const SHIFT_NS: Readonly<Record<string, bigint>> = { day: 86_400_000_000_000n, week: 604_800_000_000_000n }

function between(text: string, nowMs: number): TimeWindow | null {
  const bounds = text.split('..')
  const [from, to] = bounds.map(bound => resolveBound(bound, nowMs))
  if (bounds.length !== 2 || from == null || to == null || from >= to) return null
  return { from: formatInstantNs(from), to: formatInstantNs(to) }
}

/** Reads `cmp`. `prev` is the window of the same length that ends where the one of the page starts. */
export function readComparison(search: SearchValues, window: TimeWindow, nowMs: number): ReadComparison {
  const value = one(search, 'cmp')
  if (value === null) return { comparison: null, problems: [] }
  const [start, end] = [parseInstantNs(window.from)!, parseInstantNs(window.to)!]
  const named = COMPARISONS.find(([key]) => key === value.toLowerCase())
  const shiftNs = named ? (SHIFT_NS[named[0]] ?? end - start) : 0n
  const compared = named ? { from: formatInstantNs(start - shiftNs), to: formatInstantNs(end - shiftNs) } : between(value, nowMs)
  if (!compared) return { comparison: null, problems: [{ key: 'cmp', value, instead: 'no comparison' }] }
  const shiftMs = Number((start - parseInstantNs(compared.from)!) / NS_PER_MS)
  return { comparison: { window: compared, shiftMs, name: named?.[1] ?? 'compared window' }, problems: [] }
}
