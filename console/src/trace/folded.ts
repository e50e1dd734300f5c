import type { TreeSpan } from './span-tree.js'

/** Spans at a depth that have children: folding them shows `levels` levels of the tree. */
export function foldedToLevel(tree: readonly TreeSpan[], levels: number): readonly string[] {
  return tree.filter(span => span.depth === levels - 1 && span.end > span.index + 1).map(({ spanId }) => spanId)
}

/** Spans of a service that have children. */
export function foldedToService(tree: readonly TreeSpan[], service: string): readonly string[] {
  return tree.filter(span => span.service === service && span.end > span.index + 1).map(({ spanId }) => spanId)
}
