const TWO_TO_32 = 4_294_967_296
// A double holds today's nanoseconds to 256 of them: half of that keeps whole milliseconds whole.
const HALF_ULP_NS = 512

/** Writes the times of samples as milliseconds, without a bigint for each. All who compare times of samples in milliseconds do it by these. */
export function writeMilliseconds(timestampsNs: BigInt64Array, into: Float64Array, at: number): void {
  const words = new Int32Array(timestampsNs.buffer, timestampsNs.byteOffset, timestampsNs.length * 2)
  for (let i = 0; i < timestampsNs.length; i++) {
    const ns = words[2 * i + 1]! * TWO_TO_32 + (words[2 * i]! >>> 0)
    into[at + i] = Math.floor((ns + HALF_ULP_NS) / 1e6)
  }
}
