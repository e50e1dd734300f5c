import { formatCompact } from '../format/number.js'

const SMALL = 0.001

/** A sample with three significant digits: `1.21K`, `0.0167`, `2.5e-7`. */
export function formatSample(value: number): string {
  return value !== 0 && Math.abs(value) < SMALL ? Number(value.toPrecision(3)).toExponential() : formatCompact(value)
}
