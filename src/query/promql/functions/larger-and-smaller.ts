/** As Go's math.Max: an infinity wins over NaN. */
export function largerOf(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b)
}

/** As Go's math.Min. */
export function smallerOf(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b)
}
