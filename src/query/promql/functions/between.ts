/** A time between two samples. */
export interface Line {
  readonly fromMs: number
  readonly toMs: number
  readonly atMs: number
}

/** The value on the line between two samples. */
export function between(before: number, after: number, { fromMs, toMs, atMs }: Line): number {
  return before + ((after - before) * (atMs - fromMs)) / (toMs - fromMs)
}
