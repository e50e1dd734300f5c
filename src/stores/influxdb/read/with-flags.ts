import { FLAGGED } from '../line/field-values.js'

/** Times in order and a value each. */
export interface Samples {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
}

const NO_FLAGS: Samples = { timestampsNs: new BigInt64Array(0), values: new Float64Array(0) }

/**
 * Puts the bits that the flags hold in place of the values that point to them. A flag without such a value is left over
 * from a sample that was replaced. A value without its flag was deleted while it was read: it is left out.
 */
export function withFlags({ timestampsNs, values }: Samples, flags: Samples = NO_FLAGS): Samples {
  const times = timestampsNs.slice()
  const bits = new BigInt64Array(values.slice().buffer)
  const flagBits = new BigInt64Array(flags.values.buffer, flags.values.byteOffset, flags.values.length)
  let kept = 0
  let flag = 0
  for (let i = 0; i < times.length; i++) {
    const isFlagged = values[i] === FLAGGED
    if (isFlagged) {
      while (flag < flagBits.length && flags.timestampsNs[flag]! < times[i]!) flag++
      if (flags.timestampsNs[flag] !== times[i]) continue
    }
    times[kept] = times[i]!
    bits[kept] = isFlagged ? flagBits[flag]! : bits[i]!
    kept++
  }
  return { timestampsNs: times.subarray(0, kept), values: new Float64Array(bits.buffer, 0, kept) }
}
