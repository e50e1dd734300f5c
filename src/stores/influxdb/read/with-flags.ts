import { FLAGGED } from '../line/field-values.js'
import type { SampleColumns } from './sample-columns.js'

/** Times in order and the bits of a value each. */
export type SampleBits = Pick<SampleColumns, 'timestampsNs' | 'bits'>

const NO_FLAGS: SampleBits = { timestampsNs: new BigInt64Array(0), bits: new BigInt64Array(0) }
const POINTER = new BigInt64Array(Float64Array.of(FLAGGED).buffer)[0]!

/**
 * Puts the bits that the flags hold in place of the values that point to them. A flag without such a value is left over
 * from a sample that was replaced. A value without its flag was deleted while it was read: it is left out.
 */
export function withFlags(
  { timestampsNs, bits }: SampleBits,
  flags: SampleBits = NO_FLAGS
): Pick<SampleColumns, 'timestampsNs' | 'values'> {
  const times = timestampsNs.slice()
  const whole = bits.slice()
  let kept = 0
  let flag = 0
  for (let i = 0; i < times.length; i++) {
    const isFlagged = bits[i] === POINTER
    if (isFlagged) {
      while (flag < flags.bits.length && flags.timestampsNs[flag]! < times[i]!) flag++
      if (flags.timestampsNs[flag] !== times[i]) continue
    }
    times[kept] = times[i]!
    whole[kept] = isFlagged ? flags.bits[flag]! : bits[i]!
    kept++
  }
  return { timestampsNs: times.subarray(0, kept), values: new Float64Array(whole.buffer, 0, kept) }
}
