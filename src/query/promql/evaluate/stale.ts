// Prometheus marks the end of a series by a NaN of its own (value.StaleNaN); other NaNs are values.
const STALE_HIGH = 0x7ff00000
const STALE_LOW = 0x00000002

/** A test of the samples of one series for stale markers, by their bits. */
export function staleTest(values: Float64Array): (i: number) => boolean {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  return i => {
    const value = values[i]!
    return value !== value && words[2 * i] === STALE_LOW && words[2 * i + 1] === STALE_HIGH
  }
}
