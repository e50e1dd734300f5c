/** The shortest and the longest duration that have buckets of their own: 1 us and 1,000 s. */
const SHORTEST_NS = 1e3
const LONGEST_NS = 1e12

/**
 * The upper bounds of `buckets` logarithmic buckets of durations, in nanoseconds, one less than there are buckets: the
 * last holds what lasts longer. They do not depend on the data, so that two histograms can be laid on each other.
 */
export function durationBounds(buckets: number): readonly bigint[] {
  const steps = Math.max(buckets - 2, 1)
  const factor = (LONGEST_NS / SHORTEST_NS) ** (1 / steps)
  return Array.from({ length: buckets - 1 }, (_, i) => BigInt(Math.round(SHORTEST_NS * factor ** i)))
}
