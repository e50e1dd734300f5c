import type { Clock } from '../ports/clock.js'

const NS_PER_MS = 1_000_000n

/** The system's own clock. */
export const systemClock: Clock = {
  nowNs: () => BigInt(Date.now()) * NS_PER_MS,
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now()
}
