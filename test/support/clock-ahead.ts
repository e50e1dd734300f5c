import type { Clock } from '../../src/ports/clock.js'

/** The system's clock, which a test puts forward. */
export class ClockAhead implements Clock {
  aheadMs = 0

  nowMs(): number {
    return Date.now() + this.aheadMs
  }

  nowNs(): bigint {
    return BigInt(this.nowMs()) * 1_000_000n
  }

  monotonicMs(): number {
    return performance.now() + this.aheadMs
  }
}
