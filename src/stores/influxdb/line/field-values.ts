import type { MetricPoint } from '../../../domain/metric-point.js'

/** The field that holds a sample's value. */
export const VALUE_FIELD = 'value'
/** The field for the bits of a value that line protocol cannot express. */
export const FLAG_FIELD = 'flag'
/** The field that holds a native histogram as its encoded text. */
export const HISTOGRAM_FIELD = 'histogram'
/** The bits in `flag`, those of a NaN, that mark the sample as a histogram. */
export const HISTOGRAM_BITS = 0x7ff8000000000068n
/**
 * The content of `value` where `flag` has the bits: for NaN of any payload, infinities, and this very number. A later plain
 * value leaves the old flag behind, which then means nothing. Near zero, so that a chart made in InfluxDB keeps its scale.
 */
export const FLAGGED = 1.1e-15

const scratch = new DataView(new ArrayBuffer(8))

/** The bits of a double as a signed integer. */
function doubleBits(value: number): bigint {
  scratch.setFloat64(0, value)
  return scratch.getBigInt64(0)
}

function flagged(bits: bigint): string {
  return `${VALUE_FIELD}=${FLAGGED},${FLAG_FIELD}=${bits}i`
}

/**
 * The fields of a line. Every double comes back bit by bit, but the NaN that marks histograms, as another NaN. The strings
 * of histograms are base64: nothing in them needs an escape.
 */
export function pointFields({ value, histogram }: Pick<MetricPoint, 'value' | 'histogram'>): string {
  if (histogram !== undefined) return `${flagged(HISTOGRAM_BITS)},${HISTOGRAM_FIELD}="${histogram}"`
  if (!Number.isFinite(value) || value === FLAGGED) {
    const bits = doubleBits(value)
    return flagged(bits === HISTOGRAM_BITS ? doubleBits(Number.NaN) : bits)
  }
  return value === 0 && Object.is(value, -0) ? `${VALUE_FIELD}=-0` : `${VALUE_FIELD}=${value}`
}
