// Prometheus marks the end of a series by a NaN of its own (value.StaleNaN); other NaNs are values.
const STALE_BITS = 0x7ff0000000000002n
const scratch = new DataView(new ArrayBuffer(8))

/** Whether a value says that its series has ended. */
export function isStaleMarker(value: number): boolean {
  if (!Number.isNaN(value)) return false
  scratch.setFloat64(0, value)
  return scratch.getBigUint64(0) === STALE_BITS
}
