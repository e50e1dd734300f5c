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
