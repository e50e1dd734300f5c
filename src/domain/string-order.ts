/** Order of strings by code point, as all engines sort them. */
export function compareStrings(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Order of groups by their values, one after the other; missing ones last. Both have as many. */
export function compareKeys(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]!
    if (left === right) continue
    if (left === null || right === null) return left === null ? 1 : -1
    return compareStrings(left, right)
  }
  return 0
}
