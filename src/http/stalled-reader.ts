import type { Timers } from '../ports/timers.js'

/** Milliseconds that the reader of a streamed response may take for one part of it. */
export const MAX_STALL_MS = 60_000

/** The same parts; calls `onStall` when the next one is not requested in time. */
export async function* endedWhenStalled<Part>(
  parts: AsyncGenerator<Part, void, undefined>,
  timers: Timers,
  onStall: () => void
): AsyncGenerator<Part, void, undefined> {
  for await (const part of parts) {
    const cancel = timers.after(MAX_STALL_MS, onStall)
    try {
      yield part
    } finally {
      cancel()
    }
  }
}
