import type { TracePageQuery } from '../api/generated/TracePage.js'
import { buildTree, type TreeSpan } from './span-tree.js'

/** A trace as the page reads it. */
export type Trace = NonNullable<TracePageQuery['trace']>

/** Bits of `TraceOutline.flags`. */
const FLAGS = { error: 1, critical: 2, isParentMissing: 4, hasException: 8 } as const

/** The spans of an outline in the order of the tree. */
export function treeOf({ outline }: Pick<Trace, 'outline'>): readonly TreeSpan[] {
  const { serviceNames, operationNames } = outline
  return buildTree(
    outline.spanIds.map((spanId, index) => {
      const flags = outline.flags[index]!
      return {
        spanId,
        parent: outline.parents[index] ?? null,
        service: serviceNames[outline.services[index]!]!,
        operation: operationNames[outline.operations[index]!]!,
        startMs: outline.starts[index]!,
        durationMs: outline.durations[index]!,
        selfMs: outline.selfTimes[index] ?? null,
        isError: (flags & FLAGS.error) !== 0,
        isCritical: (flags & FLAGS.critical) !== 0,
        isParentMissing: (flags & FLAGS.isParentMissing) !== 0,
        hasException: (flags & FLAGS.hasException) !== 0,
        logCount: outline.logCounts[index]!
      }
    })
  )
}
