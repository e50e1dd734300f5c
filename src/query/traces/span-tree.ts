/** What the tree of a trace needs of a span. */
export interface TreeSpan {
  readonly spanId: string
  /** Null for a root. */
  readonly parentSpanId: string | null
  readonly timestampNs: bigint
  readonly durationNs: bigint
}

/** A span at its place in the tree. Spans are named by their position in `SpanTree.nodes`. */
export interface TreeNode<S extends TreeSpan> {
  readonly span: S
  /** 0 for a root. */
  readonly depth: number
  /** Null for the roots of the tree, whatever parent their spans name. */
  readonly parent: number | null
  /** By start. */
  readonly children: readonly number[]
}

/** The spans of a trace in the order in which a reader shows them: parents before their children, siblings by start. */
export interface SpanTree<S extends TreeSpan> {
  readonly nodes: readonly TreeNode<S>[]
  /** Positions of the roots, by start. */
  readonly roots: readonly number[]
}

/** How far the walk is in the children of one span. */
interface Open {
  readonly at: number
  readonly below: readonly number[]
  next: number
}

function byStart(a: TreeSpan, b: TreeSpan): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.spanId < b.spanId ? -1 : a.spanId > b.spanId ? 1 : 0
}

/** Spans that are looked at in one step: some tenths of a millisecond. */
const SPANS_PER_STEP = 500

/** The first span of each id: stores give each id once. */
function* placesById(sorted: readonly TreeSpan[]): Generator<void, ReadonlyMap<string, number>> {
  const places = new Map<string, number>()
  for (const [place, { spanId }] of sorted.entries()) {
    if (place % SPANS_PER_STEP === 0) yield
    if (!places.has(spanId)) places.set(spanId, place)
  }
  return places
}

/** The place of each span's parent; null where it names none, itself, or one that is not there. */
function* parentPlaces(sorted: readonly TreeSpan[]): Generator<void, readonly (number | null)[]> {
  const places = yield* placesById(sorted)
  const parents: (number | null)[] = []
  for (const [place, { parentSpanId }] of sorted.entries()) {
    if (place % SPANS_PER_STEP === 0) yield
    const parent = parentSpanId === null ? undefined : places.get(parentSpanId)
    parents.push(parent === undefined || parent === place ? null : parent)
  }
  return parents
}

/**
 * The tree of a trace. A span whose parent is not there is a root; spans that are each other's ancestors hang from the
 * earliest of them, which becomes a root. Every span appears once. No recursion: traces may be deep. Yields between steps
 * of the work.
 */
export function* spanTreeSteps<S extends TreeSpan>(spans: readonly S[]): Generator<void, SpanTree<S>> {
  const sorted = spans.toSorted(byStart)
  yield
  const parents = yield* parentPlaces(sorted)
  const below: number[][] = sorted.map(() => [])
  for (const [place, parent] of parents.entries()) if (parent !== null) below[parent]!.push(place)
  yield
  const walk = new Walk(sorted, below)
  for (const [place, parent] of parents.entries()) if (parent === null) yield* walk.from(place)
  // A span that no root leads to is in a cycle or below one.
  for (const place of sorted.keys()) yield* walk.from(place)
  yield
  return walk.tree()
}

class Walk<S extends TreeSpan> {
  readonly #sorted: readonly S[]
  readonly #below: readonly (readonly number[])[]
  readonly #nodes: { span: S; depth: number; parent: number | null; children: number[] }[] = []
  readonly #seen: Uint8Array

  constructor(sorted: readonly S[], below: readonly (readonly number[])[]) {
    this.#sorted = sorted
    this.#below = below
    this.#seen = new Uint8Array(sorted.length)
  }

  *from(root: number): Generator<void> {
    if (this.#seen[root]) return
    const open: Open[] = [this.#enter(root, null)]
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.next === 0 && this.#nodes.length % SPANS_PER_STEP === 0) yield
      const child = top.below[top.next++]
      if (child === undefined) open.pop()
      else if (!this.#seen[child]) open.push(this.#enter(child, top.at))
    }
  }

  tree(): SpanTree<S> {
    const nodes = this.#nodes
    const roots = [...nodes.keys()].filter(at => nodes[at]!.parent === null)
    return { nodes, roots: roots.toSorted((a, b) => byStart(nodes[a]!.span, nodes[b]!.span)) }
  }

  #enter(place: number, parent: number | null): Open {
    this.#seen[place] = 1
    const at = this.#nodes.length
    const above = parent === null ? null : this.#nodes[parent]!
    above?.children.push(at)
    this.#nodes.push({ span: this.#sorted[place]!, depth: above === null ? 0 : above.depth + 1, parent, children: [] })
    return { at, below: this.#below[place]!, next: 0 }
  }
}
