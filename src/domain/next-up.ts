const BITS = new DataView(new ArrayBuffer(8))

/** The next larger double of a finite one (IEEE 754, `nextUp`). */
export function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  BITS.setFloat64(0, value)
  BITS.setBigInt64(0, BITS.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return BITS.getFloat64(0)
}
