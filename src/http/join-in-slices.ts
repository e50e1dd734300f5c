import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Bytes that are copied without yielding to the event loop: a few milliseconds, most of them for new pages of memory. */
const COPIED_AT_ONCE = 4 * 1024 * 1024

/** All chunks in one buffer that shares no memory with them; of many bytes other work runs between the copies. */
export async function joinInSlices(chunks: readonly Buffer[], bytes: number): Promise<Buffer> {
  if (bytes <= COPIED_AT_ONCE) return Buffer.concat(chunks, bytes)
  const whole = Buffer.allocUnsafeSlow(bytes)
  let end = 0
  let pauseAt = COPIED_AT_ONCE
  for (const chunk of chunks) {
    if (end >= pauseAt) {
      await yieldToEventLoop()
      pauseAt = end + COPIED_AT_ONCE
    }
    end += chunk.copy(whole, end)
  }
  // What reads the whole of it begins in an iteration of its own.
  await yieldToEventLoop()
  return whole
}
