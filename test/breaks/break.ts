/** A promise broken on purpose: one place of the sources changed, and the tests that must then fail. */
export interface Break {
  /** What no longer holds. */
  readonly promise: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Pattern of test paths for Jest; they must pass without the break and fail with it. */
  readonly tests: string
}
