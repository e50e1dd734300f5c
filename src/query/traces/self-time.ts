import type { SpanTree, TreeSpan } from './span-tree.js'

/** A stretch of time in nanoseconds, `endNs` exclusive. */
export interface Interval {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** When the span ran. */
export function intervalOf({ timestampNs, durationNs }: TreeSpan): Interval {
  return { startNs: timestampNs, endNs: timestampNs + durationNs }
}

/** The part of `inner` within `outer`; empty (start = end) when there is none. */
export function clipped(inner: Interval, outer: Interval): Interval {
  const startNs = inner.startNs > outer.startNs ? inner.startNs : outer.startNs
  const endNs = inner.endNs < outer.endNs ? inner.endNs : outer.endNs
  return { startNs, endNs: endNs > startNs ? endNs : startNs }
}

/** Nanoseconds that at least one of the intervals covers; they come by start. */
function covered(intervals: readonly Interval[]): bigint {
  let total = 0n
  let reached: bigint | null = null
  for (const { startNs, endNs } of intervals) {
    const from = reached !== null && reached > startNs ? reached : startNs
    if (endNs > from) total += endNs - from
    if (reached === null || endNs > reached) reached = endNs
  }
  return total
}

/** Nanoseconds in which a span ran and none of its children did, per node of the tree. */
export function selfTimes<S extends TreeSpan>({ nodes }: SpanTree<S>): readonly bigint[] {
  return nodes.map(({ span, children }) => {
    const own = intervalOf(span)
    return span.durationNs - covered(children.map(child => clipped(intervalOf(nodes[child]!.span), own)))
  })
}
