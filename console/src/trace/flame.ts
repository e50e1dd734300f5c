import type { TreeSpan } from './span-tree.js'

/** All spans with the same path of operations from the root. `value` is the self time of them and of all below, in ms. */
export interface FlameNode {
  /** Position in the list of nodes; a parent comes before its children. */
  readonly index: number
  readonly parent: number | null
  readonly depth: number
  readonly service: string
  readonly operation: string
  readonly spans: number
  readonly errors: number
  readonly selfMs: number
  readonly value: number
  /** Left edge in the sum of all self times, in ms. */
  readonly start: number
  /** One of the spans: the longest. */
  readonly spanId: string
}

interface OpenNode {
  readonly parent: number | null
  readonly depth: number
  readonly service: string
  readonly operation: string
  readonly children: Map<string, number>
  spans: number
  errors: number
  selfMs: number
  value: number
  start: number
  longest: TreeSpan
}

/** Merges spans by their path. Children are next to each other, largest first; without recursion, so any depth works. */
export function flameNodes(tree: readonly TreeSpan[]): readonly FlameNode[] {
  const nodes: OpenNode[] = []
  const roots = new Map<string, number>()
  const nodeOf: number[] = []
  for (const span of tree) {
    const parent = span.parent === null ? null : nodeOf[span.parent]!
    const siblings = parent === null ? roots : nodes[parent]!.children
    const key = `${span.service}\u0000${span.operation}`
    let at = siblings.get(key)
    if (at === undefined) {
      at = nodes.length
      siblings.set(key, at)
      const depth = parent === null ? 0 : nodes[parent]!.depth + 1
      const { service, operation } = span
      nodes.push({
        ...{ parent, depth, service, operation, children: new Map(), longest: span },
        ...{ spans: 0, errors: 0, selfMs: 0, value: 0, start: 0 }
      })
    }
    const node = nodes[at]!
    node.spans++
    node.errors += span.isError ? 1 : 0
    node.selfMs += span.selfMs ?? 0
    if (span.durationMs > node.longest.durationMs) node.longest = span
    nodeOf.push(at)
  }
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    node.value += node.selfMs
    if (node.parent !== null) nodes[node.parent]!.value += node.value
  }
  place(nodes, roots, 0)
  for (const node of nodes) place(nodes, node.children, node.start)
  return nodes.map(({ children: _children, longest, ...node }, index) => ({ ...node, index, spanId: longest.spanId }))
}

/** Sets the left edges of siblings, largest first. */
function place(nodes: readonly OpenNode[], siblings: ReadonlyMap<string, number>, start: number): void {
  let at = start
  for (const index of [...siblings.values()].toSorted((a, b) => nodes[b]!.value - nodes[a]!.value)) {
    nodes[index]!.start = at
    at += nodes[index]!.value
  }
}
