import { clipped, type Interval, intervalOf } from './self-time.js'
import type { SpanTree, TreeSpan } from './span-tree.js'

/** A stretch of the critical path, and the span that was then what everything waited for. */
export interface PathSegment extends Interval {
  /** Position in the tree. */
  readonly node: number
}

/** What is still to be walked: a span from the end of a stretch back to its start. */
interface Stretch extends Interval {
  readonly node: number
}

/** The root that lasts longest; of equals the earliest. */
function longestRoot<S extends TreeSpan>({ nodes, roots }: SpanTree<S>): number | null {
  let longest: number | null = null
  for (const root of roots) if (longest === null || nodes[root]!.span.durationNs > nodes[longest]!.span.durationNs) longest = root
  return longest
}

/** Spans that are looked at in one step: some tenths of a millisecond. */
const SPANS_PER_STEP = 500

/** The children that a span waited for, last first: each had ended when the one after it began. */
function* waitedFor<S extends TreeSpan>({ nodes }: SpanTree<S>, stretch: Stretch): Generator<void, readonly Stretch[]> {
  const within: Stretch[] = []
  for (const [i, node] of nodes[stretch.node]!.children.entries()) {
    if (i > 0 && i % SPANS_PER_STEP === 0) yield
    const { startNs, endNs } = clipped(intervalOf(nodes[node]!.span), stretch)
    if (endNs > startNs) within.push({ node, startNs, endNs })
  }
  const candidates = within.toSorted((a, b) => (a.endNs !== b.endNs ? (a.endNs > b.endNs ? -1 : 1) : b.node - a.node))
  const chosen: Stretch[] = []
  let untilNs = stretch.endNs
  for (const candidate of candidates) {
    if (candidate.endNs > untilNs) continue
    chosen.push(candidate)
    untilNs = candidate.startNs
  }
  return chosen
}

/**
 * The critical path of a trace: from the end of its longest root backwards, always into the child that ended last before
 * what came next. The segments are adjacent over the whole root, in order of time; shortening any of them could have
 * shortened the trace. Children count only while their parent ran. Yields between steps of the work.
 */
export function* criticalPathSteps<S extends TreeSpan>(tree: SpanTree<S>): Generator<void, readonly PathSegment[]> {
  const root = longestRoot(tree)
  if (root === null) return []
  const backwards: PathSegment[] = []
  const open: (Stretch & { readonly isOwn: boolean })[] = [{ node: root, ...intervalOf(tree.nodes[root]!.span), isOwn: false }]
  let walked = 0
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    if (++walked % SPANS_PER_STEP === 0) yield
    const { node, startNs, isOwn } = stretch
    let { endNs } = stretch
    if (isOwn) {
      backwards.push({ node, startNs, endNs })
      continue
    }
    const parts: typeof open = []
    for (const child of yield* waitedFor(tree, stretch)) {
      if (child.endNs < endNs) parts.push({ node, startNs: child.endNs, endNs, isOwn: true })
      parts.push({ ...child, isOwn: false })
      endNs = child.startNs
    }
    if (startNs < endNs) parts.push({ node, startNs, endNs, isOwn: true })
    for (const part of parts.toReversed()) open.push(part)
  }
  return backwards.toReversed()
}
