/**
 * A length of time in nanoseconds: a number, or its digits where a double would lose some of them (beyond 2^53, some 104
 * days), as any whole number of a response ("Time" in docs/conventions.md).
 */
export function nsJson(ns: bigint): number | string {
  const number = Number(ns)
  return Number.isSafeInteger(number) ? number : String(ns)
}
