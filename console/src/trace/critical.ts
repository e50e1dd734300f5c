import type { Section } from './sections.js'
import type { TreeSpan } from './span-tree.js'

/**
 * The sections in which each span of the critical path determines the duration of the trace, by index. The outline marks the
 * spans with such a section; a span waits for its children on the path while they run, and works itself for the rest. Children
 * count only while their parent runs.
 */
export function criticalSections(tree: readonly TreeSpan[]): ReadonlyMap<number, readonly Section[]> {
  const isOnPath = tree.map(({ isCritical }) => isCritical)
  // A span that waits for its children all the time has no section of its own, but is on the path.
  for (const { index, parent } of tree.toReversed()) if (isOnPath[index] && parent !== null) isOnPath[parent] = true
  const stretches = new Map<number, Section>()
  const children = new Map<number, Section[]>()
  for (const span of tree) {
    if (!isOnPath[span.index]) continue
    const parent = span.parent === null ? undefined : stretches.get(span.parent)
    const startMs = Math.max(span.startMs, parent?.startMs ?? -Infinity)
    const endMs = Math.min(span.startMs + span.durationMs, parent?.endMs ?? Infinity)
    stretches.set(span.index, { startMs, endMs })
    children.set(span.index, [])
    if (span.parent !== null) children.get(span.parent)!.push({ startMs, endMs })
  }
  return new Map([...stretches].map(([index, stretch]) => [index, without(stretch, children.get(index)!)]))
}

/** What remains of a section without some parts of it. */
function without({ startMs, endMs }: Section, parts: readonly Section[]): readonly Section[] {
  const rest: Section[] = []
  let at = startMs
  for (const part of parts.toSorted((a, b) => a.startMs - b.startMs)) {
    if (part.startMs > at) rest.push({ startMs: at, endMs: part.startMs })
    at = Math.max(at, part.endMs)
  }
  if (endMs > at) rest.push({ startMs: at, endMs })
  return rest
}
