import type { TreeSpan } from './span-tree.js'

/** Indices of the spans whose service, operation or id has the text, case-insensitive; empty for an empty text. */
export function findSpans(tree: readonly TreeSpan[], text: string): readonly number[] {
  const searched = text.trim().toLowerCase()
  if (searched === '') return []
  // Many spans share few names.
  const known = new Map<string, boolean>()
  const has = (name: string): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    const result = name.toLowerCase().includes(searched)
    known.set(name, result)
    return result
  }
  return tree
    .filter(({ service, operation, spanId }) => has(service) || has(operation) || spanId.startsWith(searched))
    .map(({ index }) => index)
}

/** The next of some ascending indices after `at`, or the previous one; wraps around. Null without one. */
export function neighbour(indices: readonly number[], at: number, direction: 'next' | 'previous'): number | null {
  if (direction === 'next') return indices.find(index => index > at) ?? indices[0] ?? null
  return indices.findLast(index => index < at) ?? indices.at(-1) ?? null
}
