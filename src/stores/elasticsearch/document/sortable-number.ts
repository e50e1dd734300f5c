const bytes = Buffer.alloc(8)

/** 16 hex digits that sort as the numbers do: the IEEE double with the sign bit flipped, of negative ones all bits. */
export function sortableNumber(value: number): string {
  // -0 equals 0.
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  const isNegative = (bytes[0]! & 0x80) !== 0
  const [high, low] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  const [first, second] = isNegative ? [~high, ~low] : [high ^ 0x80000000, low]
  return (first! >>> 0).toString(16).padStart(8, '0') + (second! >>> 0).toString(16).padStart(8, '0')
}
