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

/** The part of `inner` within `outer`; empty (start = end) if they do not overlap. */
export function clipped(inner: Interval, outer: Interval): Interval {
  const startNs = inner.startNs > outer.startNs ? inner.startNs : outer.startNs
  const endNs = inner.endNs < outer.endNs ? inner.endNs : outer.endNs
  return { startNs, endNs: endNs > startNs ? endNs : startNs }
}

/** Spans that are looked at in one step: some tenths of a millisecond. */
const SPANS_PER_STEP = 500

/** Nanoseconds of a span that at least one of its children covers; they come by start. */
function* covered(own: Interval, children: Iterable<TreeSpan>): Generator<void, bigint> {
  let total = 0n
  let reached: bigint | null = null
  let looked = 0
  for (const child of children) {
    if (++looked % SPANS_PER_STEP === 0) yield
    const { startNs, endNs } = clipped(intervalOf(child), own)
    const from = reached !== null && reached > startNs ? reached : startNs
    if (endNs > from) total += endNs - from
    if (reached === null || endNs > reached) reached = endNs
  }
  return total
}

/** Nanoseconds in which a span ran and none of its children did, per node of the tree. Yields between steps of the work. */
export function* selfTimeSteps<S extends TreeSpan>({ nodes }: SpanTree<S>): Generator<void, readonly bigint[]> {
  const times: bigint[] = []
  for (const { span, children } of nodes) {
    if (times.length % SPANS_PER_STEP === 0) yield
    const spans = children.map(child => nodes[child]!.span)
    times.push(span.durationNs - (yield* covered(intervalOf(span), spans)))
  }
  return times
}
