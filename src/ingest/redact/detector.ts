/** Part `[start, end)` of a string that is to be replaced. */
export interface Finding {
  readonly start: number
  readonly end: number
}

/**
 * Finds one kind of secret. Looks at a bounded number of characters for each that triggers it, or at none twice: the time
 * that a string takes grows with its length alone.
 */
export interface Detector {
  /** Names what was found, in the mark and in counters. */
  readonly name: string
  /** ASCII characters at which it looks. */
  readonly triggers: string
  /** Called before each string; absent: it remembers nothing. */
  begin?(): void
  /** What there is to replace around `at`, where `text` has a trigger; never before `from`. */
  find(text: string, at: number, from: number): Finding | null
}
