const view = new DataView(new ArrayBuffer(8))
const SIGN = 0x80000000
const HALF_DIGITS = 8
// Added to a half, it gives all eight digits behind a one.
const ALL_DIGITS = 0x100000000

function half(bits: number): string {
  return ((bits >>> 0) + ALL_DIGITS).toString(16).slice(-HALF_DIGITS)
}

/** 16 hex digits that sort as the numbers do: the IEEE double with the sign bit flipped, of negative ones all bits. */
export function sortableNumber(value: number): string {
  // -0 equals 0.
  view.setFloat64(0, value === 0 ? 0 : value)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  return value < 0 ? half(~high) + half(~low) : half(high ^ SIGN) + half(low)
}
