import { Pace } from '../threads/pace.js'

/** Bytes that are copied without yielding to the event loop: a few milliseconds, most of them for new pages of memory. */
const COPIED_AT_ONCE = 4 * 1024 * 1024

/** All chunks in one buffer that shares no memory with them; of many bytes other work runs between the copies. */
export async function joinInSlices(chunks: readonly Buffer[], bytes: number): Promise<Buffer> {
  if (bytes <= COPIED_AT_ONCE) return Buffer.concat(chunks, bytes)
  const whole = Buffer.allocUnsafeSlow(bytes)
  const pace = new Pace(COPIED_AT_ONCE)
  let end = 0
  for (const chunk of chunks) {
    end += chunk.copy(whole, end)
    if (pace.isDue(chunk.length)) await pace.rest()
  }
  // What reads the whole of it begins in an iteration of its own.
  await pace.rest()
  return whole
}
