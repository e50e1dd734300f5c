/** Time and chance, injected: nothing below `app.ts` reads the system's own. */
export interface Clock {
  /** Unix nanoseconds. May repeat and go backwards. */
  nowNs(): bigint
  /** Unix milliseconds of the same clock. */
  nowMs(): number
  /** Milliseconds on a clock that never goes backwards; only differences mean something. */
  monotonicMs(): number
}
