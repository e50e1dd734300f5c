/** Time for the agent. The wall clock jumps, so durations are measured by one that does not. */
export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number
  /** Milliseconds since some moment; never goes back. */
  elapsedMs(): number
}

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now(), elapsedMs: () => performance.now() }
