import type { Filter } from '../../../domain/filter.js'
import type { Position } from '../../../domain/search.js'
import type { TraceSummary } from '../../../domain/span.js'
import type { TraceSearchRequest } from '../../../ports/trace-store.js'
import { readRows } from './read-rows.js'
import { ORDER_COLUMNS, positionOf } from './record-order.js'
import type { Scope } from './source.js'
import { SPANS } from './stored-span.js'
import { summarizeTraces } from './trace-summaries.js'

/** Beyond so many traces looked at it costs less to rank all that match. */
const MAX_CANDIDATES = 2_000
const FIRST_SPANS = 32
const MAX_SPANS_AT_ONCE = 8_192

/** Whether a trace as a whole is requested. */
function meets({ conditions, rows }: TraceSearchRequest, trace: TraceSummary): boolean {
  const { startNs, durationNs, traceId, errorSpanCount } = trace
  const { minDurationNs, maxDurationNs, hasError } = conditions
  if (minDurationNs !== undefined && durationNs < minDurationNs) return false
  if (maxDurationNs !== undefined && durationNs > maxDurationNs) return false
  if (hasError !== undefined && errorSpanCount > 0 !== hasError) return false
  const { after } = rows
  return !after || startNs < after.key || (startNs === after.key && traceId < after.traceId)
}

function newestFirst(a: TraceSummary, b: TraceSummary): number {
  if (a.startNs !== b.startNs) return a.startNs > b.startNs ? -1 : 1
  return a.traceId > b.traceId ? -1 : 1
}

/** Matching spans, newest first, in growing pieces. */
class MatchingSpans {
  readonly #scope: Scope
  readonly #filter: Filter
  #count: number
  #after: Position | undefined
  /** No span beyond what was read matches. */
  isExhausted = false

  constructor(scope: Scope, filter: Filter, firstCount: number) {
    this.#scope = scope
    this.#filter = filter
    this.#count = firstCount
  }

  /** Start of the oldest span read. */
  get oldestNs(): bigint | undefined {
    return this.#after?.timestampNs
  }

  /** Trace ids of the next spans. */
  async next(): Promise<readonly string[]> {
    const rows = await readRows(this.#scope, {
      fields: SPANS.fields,
      filter: this.#filter,
      order: 'desc',
      limit: this.#count,
      columns: [...ORDER_COLUMNS, 'trace_id'],
      isNarrow: true,
      ...(this.#after && { after: this.#after })
    })
    this.isExhausted = rows.length < this.#count
    this.#count = Math.min(this.#count * 2, MAX_SPANS_AT_ONCE)
    const last = rows.at(-1)
    if (last) this.#after = positionOf(last)
    return rows.map(row => row['trace_id'] as string)
  }
}

/**
 * The first `limit` traces by start, newest first. A trace starts no later than any of its spans, so once all matching
 * spans back to a time have been seen, every trace that started after it is known. Null when too many had to be looked at.
 */
export async function newestTraces(
  everything: Scope,
  inRange: Scope,
  request: TraceSearchRequest,
  limit: number
): Promise<readonly TraceSummary[] | null> {
  const spans = new MatchingSpans(inRange, request.filter, Math.max(FIRST_SPANS, limit * 2))
  const seen = new Set<string>()
  const requested: TraceSummary[] = []
  while (!spans.isExhausted) {
    const fresh = [...new Set(await spans.next())].filter(id => !seen.has(id))
    for (const id of fresh) seen.add(id)
    if (seen.size > MAX_CANDIDATES) return null
    for (const summary of (await summarizeTraces(everything, fresh)).values())
      if (meets(request, summary)) requested.push(summary)
    const isFinal = ({ startNs }: TraceSummary) => spans.oldestNs === undefined || startNs > spans.oldestNs
    if (requested.filter(isFinal).length >= limit) break
  }
  return requested.sort(newestFirst).slice(0, limit)
}
