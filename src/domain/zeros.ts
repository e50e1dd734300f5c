/** Counts that have not been counted yet: one for each bucket. */
export function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}
