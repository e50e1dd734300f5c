import { grouped } from './grouped.js'
import type { TreeSpan } from './span-tree.js'

/** Totals of the spans with the same service and name. */
export interface OperationTotals {
  readonly service: string
  readonly operation: string
  readonly spans: number
  readonly errors: number
  readonly totalMs: number
  readonly selfMs: number
  readonly meanMs: number
  readonly maxMs: number
  /** The longest of them. */
  readonly longestSpanId: string
}

/** Operations of a trace, most self time first. */
export function operationsOf(tree: readonly TreeSpan[]): readonly OperationTotals[] {
  const groups = grouped(tree, ({ service, operation }) => `${service}\u0000${operation}`)
  return [...groups.values()]
    .map(spans => {
      const longest = spans.reduce((most, span) => (span.durationMs > most.durationMs ? span : most))
      const totalMs = spans.reduce((sum, { durationMs }) => sum + durationMs, 0)
      return {
        service: longest.service,
        operation: longest.operation,
        spans: spans.length,
        errors: spans.filter(({ isError }) => isError).length,
        totalMs,
        selfMs: spans.reduce((sum, { selfMs }) => sum + (selfMs ?? 0), 0),
        meanMs: totalMs / spans.length,
        maxMs: longest.durationMs,
        longestSpanId: longest.spanId
      }
    })
    .toSorted((a, b) => b.selfMs - a.selfMs)
}
