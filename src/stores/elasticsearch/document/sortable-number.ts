const view = new DataView(new ArrayBuffer(8))
const SIGN = 0x80000000
// Numbers beyond 31 bits are slow to write in hex; every log with numbers passes here.
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function half(bits: number): string {
  return HEX[bits >>> 24]! + HEX[(bits >>> 16) & 0xff]! + HEX[(bits >>> 8) & 0xff]! + HEX[bits & 0xff]!
}

/** 16 hex digits that sort as the numbers do: the IEEE double with the sign bit flipped, of negative ones all bits. */
export function sortableNumber(value: number): string {
  // -0 equals 0.
  view.setFloat64(0, value === 0 ? 0 : value)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  return value < 0 ? half(~high) + half(~low) : half(high ^ SIGN) + half(low)
}
