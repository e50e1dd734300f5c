/** The field that holds a sample's value. */
export const VALUE_FIELD = 'value'
/** The field that holds the bits of a value that line protocol cannot say. */
export const FLAG_FIELD = 'flag'
/**
 * Stands in `value` where `flag` holds the bits: for NaN of any payload, infinities, and this very number. A later plain
 * value leaves the old flag behind, which then means nothing. Near zero, so that a chart made in InfluxDB keeps its scale.
 */
export const FLAGGED = 1.1e-15

const scratch = new DataView(new ArrayBuffer(8))

/** The bits of a double as a signed integer. */
function doubleBits(value: number): bigint {
  scratch.setFloat64(0, value)
  return scratch.getBigInt64(0)
}

/** The fields of a line. Every double comes back bit by bit. */
export function fieldsOf(value: number): string {
  if (!Number.isFinite(value) || value === FLAGGED) return `${VALUE_FIELD}=${FLAGGED},${FLAG_FIELD}=${doubleBits(value)}i`
  return value === 0 && Object.is(value, -0) ? `${VALUE_FIELD}=-0` : `${VALUE_FIELD}=${value}`
}
