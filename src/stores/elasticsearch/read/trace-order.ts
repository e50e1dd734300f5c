import type { TraceSummary } from '../../../domain/span.js'
import type { TraceConditions, TraceSearchRequest } from '../../../ports/trace-store.js'

type Rows = TraceSearchRequest['rows']

function keyOf({ startNs, durationNs }: TraceSummary, by: Rows['by']): bigint {
  return by === 'start' ? startNs : durationNs
}

function compare(aKey: bigint, aId: string, bKey: bigint, bId: string): number {
  if (aKey !== bKey) return aKey < bKey ? -1 : 1
  return aId < bId ? -1 : aId > bId ? 1 : 0
}

/** Compares traces as the rows are sorted. */
export function inOrder({ by, order }: Rows): (a: TraceSummary, b: TraceSummary) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => sign * compare(keyOf(a, by), a.traceId, keyOf(b, by), b.traceId)
}

/** Whether a trace stands behind the last page. */
export function follows({ by, order, after }: Rows): (trace: TraceSummary) => boolean {
  if (!after) return () => true
  const sign = order === 'asc' ? 1 : -1
  return trace => sign * compare(keyOf(trace, by), trace.traceId, after.key, after.traceId) > 0
}

/** Whether a trace as a whole is what was requested. */
export function satisfies(trace: TraceSummary, { minDurationNs, maxDurationNs, hasError }: TraceConditions): boolean {
  const { durationNs, errorSpanCount } = trace
  if (minDurationNs !== undefined && durationNs < minDurationNs) return false
  if (hasError !== undefined && errorSpanCount > 0 !== hasError) return false
  return maxDurationNs === undefined || durationNs <= maxDurationNs
}
