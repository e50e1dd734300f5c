/** Timers, injected. */
export interface Timers {
  /** Calls `run` once after `ms`, unless the returned function is called first. */
  after(ms: number, run: () => void): () => void
}
