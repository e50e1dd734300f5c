import type { FlameNode } from './flame.js'

/** A box of the flame graph: left edge and width as shares of the picture. */
export interface FlameBox {
  readonly node: FlameNode
  readonly left: number
  readonly width: number
}

/** Boxes that are in the page, and how many nodes are too narrow or too deep for it. */
export interface FlameView {
  readonly boxes: readonly FlameBox[]
  readonly hidden: number
  /** Number of rows. */
  readonly rows: number
}

/** Narrower boxes cannot be seen. */
const MIN_SHARE = 0.001
const MAX_ROWS = 200
const MAX_BOXES = 2_000

/** The ancestors of a node, the root first. */
function ancestors(nodes: readonly FlameNode[], node: FlameNode): readonly FlameNode[] {
  const above: FlameNode[] = []
  for (let at = node.parent; at !== null; at = nodes[at]!.parent) above.unshift(nodes[at]!)
  return above
}

/** What is seen with `focus` as wide as the picture, and its ancestors above it; all roots side by side without a focus. */
export function flameView(nodes: readonly FlameNode[], focus: FlameNode | null): FlameView {
  const roots = nodes.filter(({ parent }) => parent === null)
  const start = focus?.start ?? 0
  const value = focus?.value ?? roots.reduce((sum, root) => sum + root.value, 0)
  const above = focus ? ancestors(nodes, focus).map(node => ({ node, left: 0, width: 1 })) : []
  const end = start + value
  const inside = nodes.filter(
    node => (focus === null || node.depth >= focus.depth) && node.start >= start && node.start + node.value <= end * (1 + 1e-9)
  )
  const fitting = inside
    .map(node => ({ node, left: value > 0 ? (node.start - start) / value : 0, width: value > 0 ? node.value / value : 0 }))
    .filter(({ node, width }) => width >= MIN_SHARE && node.depth < MAX_ROWS)
    .slice(0, MAX_BOXES)
  const boxes = [...above, ...fitting]
  const rows = boxes.reduce((most, { node }) => Math.max(most, node.depth + 1), 0)
  return { boxes, hidden: inside.length - fitting.length, rows }
}

/** The box that an arrow key moves to from another one; the same one without a box in that direction. */
export function flameTarget(key: string, boxes: readonly FlameBox[], from: FlameNode): FlameNode | null {
  const others = boxes.map(({ node }) => node)
  if (key === 'ArrowUp') return others.find(({ index }) => index === from.parent) ?? from
  const ofParent = (parent: number | null): FlameNode[] =>
    others.filter(node => node.parent === parent).toSorted((a, b) => a.start - b.start)
  if (key === 'ArrowDown') return ofParent(from.index)[0] ?? from
  const siblings = ofParent(from.parent)
  const at = siblings.findIndex(({ index }) => index === from.index)
  if (key === 'ArrowLeft') return siblings[at - 1] ?? from
  if (key === 'ArrowRight') return siblings[at + 1] ?? from
  return null
}
