import { formatCompact } from './number.js'

const SMALL = 0.001
const PRECISE = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 })

function withExponent(value: number): string | null {
  return value !== 0 && Math.abs(value) < SMALL ? Number(value.toPrecision(3)).toExponential() : null
}

/** A sample with three significant digits: `1.21K`, `0.0167`, `2.5e-7`. */
export function formatSample(value: number): string {
  return withExponent(value) ?? formatCompact(value)
}

/** A measured number with six significant digits: `1,214.53`; small ones with three: `2.5e-7`. */
export function formatMeasured(value: number): string {
  return withExponent(value) ?? PRECISE.format(value)
}
