const NS_PER_MS = 1_000_000
// 2^32 nanoseconds: so many whole milliseconds, and the rest in nanoseconds.
const MS_PER_WORD = 4_294
const NS_PER_WORD = 967_296

/**
 * Writes the times of samples in whole milliseconds, rounded down, without a bigint for each: both halves of a 64-bit word stay
 * below 2^53. All code that compares times of samples in milliseconds uses this function.
 */
export function writeMilliseconds(timestampsNs: BigInt64Array, into: Float64Array, at: number): void {
  const words = new Int32Array(timestampsNs.buffer, timestampsNs.byteOffset, timestampsNs.length * 2)
  for (let i = 0; i < timestampsNs.length; i++) {
    const high = words[2 * i + 1]!
    into[at + i] = high * MS_PER_WORD + Math.floor((high * NS_PER_WORD + (words[2 * i]! >>> 0)) / NS_PER_MS)
  }
}
