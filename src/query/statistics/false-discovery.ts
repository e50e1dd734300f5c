/**
 * p-values corrected for their number by the procedure of Benjamini and Hochberg (1995), in the order given: calling all with
 * a corrected value of at most q "moved" is wrong for an expected share of at most q of those so called.
 */
export function benjaminiHochberg(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p)
  const corrected: number[] = Array.from(pValues)
  let least = 1
  for (const [i, { p, index }] of order.entries()) {
    least = Math.min(least, (p * pValues.length) / (pValues.length - i))
    corrected[index] = least
  }
  return corrected
}
