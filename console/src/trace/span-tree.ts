/** A span of the waterfall. Times in milliseconds since the start of the trace. */
export interface TreeSpan {
  /** Position in the order of the tree: parents before children, siblings by start. */
  readonly index: number
  readonly spanId: string
  /** Index of the parent; null for roots and for spans whose parent is not stored. */
  readonly parent: number | null
  /** Distance from its root, from 0. */
  readonly depth: number
  readonly service: string
  readonly operation: string
  readonly startMs: number
  readonly durationMs: number
  readonly selfMs: number | null
  readonly isError: boolean
  /** Whether it determines the duration of the trace in some section. */
  readonly isCritical: boolean
  readonly isParentMissing: boolean
  readonly hasException: boolean
  readonly logCount: number
  /** Index after the last descendant: `index + 1` for a leaf. */
  readonly end: number
}

/** A span as a list in tree order has it. */
export type SpanFacts = Omit<TreeSpan, 'index' | 'depth' | 'end'>

/** Adds depth and extent of the subtrees to spans in tree order. */
export function buildTree(facts: readonly SpanFacts[]): readonly TreeSpan[] {
  const depths = facts.map(() => 0)
  for (const [index, { parent }] of facts.entries()) if (parent !== null) depths[index] = depths[parent]! + 1
  const ends = facts.map((_, index) => index + 1)
  for (let index = facts.length - 1; index >= 0; index--) {
    const { parent } = facts[index]!
    if (parent !== null) ends[parent] = Math.max(ends[parent]!, ends[index]!)
  }
  return facts.map((span, index) => ({ ...span, index, depth: depths[index]!, end: ends[index]! }))
}

/** Spans that are not inside a folded one. */
export function visibleSpans(tree: readonly TreeSpan[], folded: ReadonlySet<string>): readonly TreeSpan[] {
  const visible: TreeSpan[] = []
  for (let index = 0; index < tree.length;) {
    const span = tree[index]!
    visible.push(span)
    index = folded.has(span.spanId) ? span.end : index + 1
  }
  return visible
}

/** The ids of all ancestors of a span: unfold them to show it. */
export function ancestorsOf(tree: readonly TreeSpan[], index: number): readonly string[] {
  const ids: string[] = []
  for (let parent = tree[index]?.parent ?? null; parent !== null; parent = tree[parent]!.parent) ids.push(tree[parent]!.spanId)
  return ids
}
