/** Terms of the series and steps of the continued fraction below; both have converged to double precision long before. */
const MOST_STEPS = 100
/** Below this the series converges fast, beyond it the continued fraction does. */
const SERIES_UP_TO = 2.5

/** Abramowitz and Stegun 26.2.11: the area between 0 and z. */
function areaFromZero(z: number): number {
  let term = z
  let sum = z
  for (let i = 1; i < MOST_STEPS && Math.abs(term) > Number.EPSILON * Math.abs(sum); i++) {
    term *= (z * z) / (2 * i + 1)
    sum += term
  }
  return (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

/** Abramowitz and Stegun 26.2.14, evaluated from its far end; z > 0. */
function tailBeyond(z: number): number {
  let fraction = z
  for (let i = MOST_STEPS; i > 0; i--) fraction = z + i / fraction
  return Math.exp((-z * z) / 2) / (fraction * Math.sqrt(2 * Math.PI))
}

/** The probability that a standard normal variable is further from 0 than `z` on either side; keeps its digits far out. */
export function twoSidedTail(z: number): number {
  const distance = Math.abs(z)
  return distance < SERIES_UP_TO ? 1 - 2 * areaFromZero(distance) : 2 * tailBeyond(distance)
}

/** Result of the two-sided rank-sum test of Wilcoxon, Mann and Whitney. */
export interface RankSum {
  /** Pairs (value, baseline value) in which the value is the larger one; a tie counts half. */
  readonly u: number
  /** Cliff's delta: -1 when every value is below the whole baseline, 1 when above, 0 when neither. */
  readonly delta: number
  readonly p: number
}

interface Ranked {
  readonly u: number
  /** Sum over groups of equal numbers of t^3 - t. */
  readonly ties: number
}

/** How many of the sorted values from `from` on equal the one at `from`. */
function runAt(sorted: Float64Array, from: number, value: number): number {
  let to = from
  while (to < sorted.length && sorted[to] === value) to++
  return to - from
}

/** Both sorted, merged: each value counts the baseline's values below it, and half of those equal to it. */
function rankedTogether(values: Float64Array, baseline: Float64Array): Ranked {
  let u = 0
  let ties = 0
  for (let i = 0, j = 0; i < values.length || j < baseline.length;) {
    const value = Math.min(values[i] ?? Infinity, baseline[j] ?? Infinity)
    const [own, others] = [runAt(values, i, value), runAt(baseline, j, value)]
    u += own * (j + others / 2)
    ties += (own + others) ** 3 - (own + others)
    i += own
    j += others
  }
  return { u, ties }
}

/** n over k, rounded once it is beyond 2^53. */
function choose(n: number, k: number): number {
  let product = 1
  for (let i = 1; i <= Math.min(k, n - k); i++) product = Math.round((product * (n - Math.min(k, n - k) + i)) / i)
  return product
}

/**
 * How many of the arrangements of n values among m others have each U from 0 to n * m: the coefficients of the Gaussian
 * binomial coefficient, multiplied out factor by factor.
 */
function arrangements(n: number, m: number): Float64Array {
  const counts = new Float64Array(n * m + 1)
  counts[0] = 1
  for (let i = 1; i <= n; i++) {
    for (let u = n * m; u >= m + i; u--) counts[u]! -= counts[u - m - i]!
    for (let u = i; u <= n * m; u++) counts[u]! += counts[u - i]!
  }
  return counts
}

function exactP(u: number, counts: Float64Array, all: number): number {
  const below = Math.min(u, counts.length - 1 - u)
  let sum = 0
  for (let i = 0; i <= below; i++) sum += counts[i]!
  return Math.min(1, (2 * sum) / all)
}

/**
 * Compares values with a baseline. Without ties and with few values p is exact; else it comes from the normal approximation
 * with the corrections for ties and continuity, and is never smaller than any arrangement could make it. `inflation` (at
 * least 1) multiplies the variance of U: what neighboring samples that resemble each other add to it. Values are finite; neither side may be empty.
 * Throws `RangeError` for a value that is not finite: it has no rank.
 */
export function rankSumTest(values: readonly number[], baseline: readonly number[], inflation = 1): RankSum {
  if (![...values, ...baseline].every(Number.isFinite)) throw new RangeError('only finite values have ranks')
  const [n, m] = [values.length, baseline.length]
  const { u, ties } = rankedTogether(Float64Array.from(values).sort(), Float64Array.from(baseline).sort())
  const delta = (2 * u) / (n * m) - 1
  const all = choose(n + m, n)
  if (ties === 0 && inflation === 1 && all <= Number.MAX_SAFE_INTEGER) return { u, delta, p: exactP(u, arrangements(n, m), all) }
  const total = n + m
  const variance = (inflation * n * m * (total + 1 - ties / (total * (total - 1)))) / 12
  if (!(variance > 0)) return { u, delta: 0, p: 1 }
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5)
  return { u, delta, p: Math.min(1, Math.max(twoSidedTail(distance / Math.sqrt(variance)), 2 / all)) }
}
