// Prometheus marks the end of a series by a NaN of its own (value.StaleNaN); other NaNs are values.
/** The bits of the marker. */
export const STALE_BITS = 0x7ff0000000000002n
const scratch = new DataView(new ArrayBuffer(8))

/** Whether a value states that its series has ended. */
export function isStaleMarker(value: number): boolean {
  if (!Number.isNaN(value)) return false
  scratch.setFloat64(0, value)
  return scratch.getBigUint64(0) === STALE_BITS
}

const STALE_HIGH = Number(STALE_BITS >> 32n)
const STALE_LOW = Number(STALE_BITS & 0xffffffffn)

/** A test of the samples of one series for these markers, by their bits: as a number, one could have lost them. */
export function staleTest(values: Float64Array): (i: number) => boolean {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  return i => {
    const value = values[i]!
    return value !== value && words[2 * i] === STALE_LOW && words[2 * i + 1] === STALE_HIGH
  }
}
