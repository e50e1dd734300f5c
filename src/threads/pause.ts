import type { Timers } from '../ports/timers.js'

/** Resolves after `ms`; rejects with the reason of the signal when that ends first. */
export function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const abort = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    const cancel = timers.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    signal.addEventListener('abort', abort, { once: true })
  })
}
