// Writes protobuf by hand, so that tests spell out which bytes they send.

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}

function tag(field: number, wireType: number): Buffer {
  return varint(BigInt(field * 8 + wireType))
}

/** A varint field: int64, uint32, enum, bool. */
export function int(field: number, value: bigint | number): Buffer {
  return Buffer.concat([tag(field, 0), varint(BigInt(value))])
}

/** A length-delimited field: text, bytes, or a message of these fields. */
export function message(field: number, ...content: readonly (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(content.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([tag(field, 2), varint(BigInt(bytes.length)), bytes])
}

/** A fixed64 field: times, counts. */
export function fixed64(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt.asIntN(64, value))
  return Buffer.concat([tag(field, 1), bytes])
}

/** A double field. */
export function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([tag(field, 1), bytes])
}

/** A fixed32 field. */
export function fixed32(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return Buffer.concat([tag(field, 5), bytes])
}

/** A `KeyValue` of OTLP whose value is this `AnyValue`. */
export function keyValue(field: number, key: string, value: Buffer): Buffer {
  return message(field, message(1, key), message(2, value))
}
