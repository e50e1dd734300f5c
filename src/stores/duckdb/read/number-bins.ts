/**
 * Numbers are counted in bins whose bounds grow by one hundredth: a number and the middle of its bin differ by half a percent
 * at most. Bin 0 is the number 0, negative ones are below. The first and the last bin of a sign have no such bound: all that
 * is nearer to 0 than a trillionth, and from 10^18 on.
 */
const BINS_PER_E = 100
const FIRST = Math.floor(Math.log(1e-12) * BINS_PER_E)
const LAST = Math.floor(Math.log(1e18) * BINS_PER_E)
/** Number of the last bin of a sign; the first is 1. */
const BINS = LAST - FIRST + 1

/** Upper bound of |estimate - number| / |number| for bins with a bound: e^0.005 - 1, and what logarithms are rounded by. */
export const BIN_ERROR = 0.00502

/** SQL of the bin of a DOUBLE that is not NULL. */
export function binSql(value: string): string {
  const place = `greatest(1, least(${BINS}, floor(ln(abs(${value})) * ${BINS_PER_E}) - ${FIRST} + 1))`
  return `CASE WHEN ${value} = 0 THEN 0 ELSE CAST(sign(${value}) * ${place} AS INTEGER) END`
}

/** The number that represents those of a bin. */
export function middleOf(bin: number): number {
  return bin === 0 ? 0 : Math.sign(bin) * Math.exp((Math.abs(bin) - 1 + FIRST + 0.5) / BINS_PER_E)
}

/** Whether numbers of a bin are within `BIN_ERROR` of its middle. */
export function isBoundedBin(bin: number): boolean {
  const place = Math.abs(bin)
  return bin === 0 || (place > 1 && place < BINS)
}
