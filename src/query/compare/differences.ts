import { benjaminiHochberg } from '../statistics/false-discovery.js'
import { twoSidedTail } from '../statistics/rank-sum.js'
import { effectOfShares, LEAST_EFFECT, pOfShares, type CountedTwice } from '../statistics/shares.js'

/** What a difference is about. `field_value` without a value is the presence of the field. */
export type DifferenceKind = 'field_value' | 'measure' | 'pattern' | 'error_group' | 'metric'

/** Rows of one kind on both sides. `count` and `total` are of the side that is compared with the base. */
export interface Compared extends CountedTwice {
  readonly kind: DifferenceKind
  /** The field; of a pattern and an error group its field; of a metric PromQL. */
  readonly name: string
  /** The value, the id of the pattern or group; of a measure and a metric the numbers that are counted, such as `>=250`. */
  readonly value: string | null
  /** Of a measure or metric: the test of all its numbers, of which the counts are one cut. */
  readonly ranks?: { readonly delta: number; readonly p: number; readonly z?: number }
  /** Of the presence of numbers: one of the bounds. Other values of the field are not counted. */
  readonly bound?: number
  /** Rows of one trace among these, 1 when absent: they are not independent of each other. */
  readonly rowsPerTrace?: number
}

/** A significant difference. */
export interface Difference extends Compared {
  /** Binary logarithm of the ratio of both shares: 1 is twice as much. */
  readonly effect: number
  /** p-value corrected by Benjamini and Hochberg for everything that was tested. */
  readonly q: number
}

/**
 * Share of falsely named differences among those that are named; where the sides do not differ, share of comparisons that
 * name any. Stricter than for patterns alone: a reader has not selected these values.
 */
export const MOST_Q = 0.01
/** Cliff's delta below which numbers differ negligibly (Romano 2006). */
export const LEAST_DELTA = 0.147
/** As `LEAST_DELTA` for metrics, whose points are few and follow the traffic: where Romano's "small" ends. */
const LEAST_METRIC_DELTA = 0.33
/** Rows of both sides together: of fewer, no split is significant among hundreds of tests. */
const LEAST_ROWS = 5

/**
 * Rows that come together count as one: counts are divided by the rows of a trace (Rao and Scott 1981), the variance of ranks is
 * multiplied by them.
 */
function pOf({ ranks, rowsPerTrace = 1, count, total, baseCount, baseTotal }: Compared): number {
  if (ranks?.z !== undefined) return twoSidedTail(ranks.z / Math.sqrt(rowsPerTrace))
  if (ranks) return ranks.p
  const [a, b, c, d] = [count, total, baseCount, baseTotal].map(rows => Math.round(rows / rowsPerTrace))
  return pOfShares({ count: a!, total: b!, baseCount: c!, baseTotal: d! })
}

function isTestable({ count, baseCount, ranks }: Compared): boolean {
  return ranks !== undefined || count + baseCount >= LEAST_ROWS
}

function isLarge({ kind, effect, ranks }: Difference): boolean {
  const leastDelta = kind === 'metric' ? LEAST_METRIC_DELTA : LEAST_DELTA
  return Math.abs(effect) >= LEAST_EFFECT && (ranks === undefined || Math.abs(ranks.delta) >= leastDelta)
}

/** Each row of a present field has one of its values: where these differ, presence adds nothing. */
function withoutRepeats(differences: readonly Difference[]): readonly Difference[] {
  const explained = new Set(differences.filter(({ value }) => value !== null).map(({ name }) => name))
  return differences.filter(({ name, value }) => value !== null || !explained.has(name))
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function byEffect(a: Difference, b: Difference): number {
  return (
    Math.abs(b.effect) - Math.abs(a.effect) ||
    // What is new comes before what it replaced.
    b.effect - a.effect ||
    a.q - b.q ||
    compareStrings(a.name, b.name) ||
    compareStrings(a.value ?? '', b.value ?? '')
  )
}

/** What was tested, and the significant differences, largest effect first. */
export function significantDifferences(compared: readonly Compared[]): {
  readonly tested: number
  readonly differences: readonly Difference[]
} {
  const tested = compared.filter(isTestable)
  const qs = benjaminiHochberg(tested.map(pOf))
  const all = tested.map((one, i): Difference => ({ ...one, effect: effectOfShares(one), q: Math.min(qs[i]!, 1) }))
  const differences = withoutRepeats(all.filter(one => one.q <= MOST_Q && isLarge(one)))
  return { tested: tested.length, differences: differences.toSorted(byEffect) }
}
