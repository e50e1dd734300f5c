import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import { canonicalSpanId, spanIdSpellings, linkedTraceIdsOf } from '../domain/trace-ids.js'
import { cutByLimit } from './cut-by-limit.js'
import type { LogAnswer } from './log-query.js'
import type { LogSearch } from './log-search.js'
import type { WindowBounds } from './answer.js'
import { logWindow } from './traces/trace-logs.js'
import type { TraceReading } from './traces/trace-reading.js'

export interface TraceLogsQuery extends WindowBounds {
  readonly traceId: string
  readonly spanId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface TraceLogsAnswer {
  readonly traceId: string
  /** Whether the trace itself is stored. */
  readonly traceFound: boolean
  readonly logs: LogAnswer
  /** Logs per span of the trace, most first. */
  readonly bySpan: readonly { readonly spanId: string; readonly count: number }[]
  /** Logs of the trace without a span. */
  readonly unlinked: number
}

const MAX_TRACE_ID_CHARS = 128
/** Spans that are counted one by one; of a trace of more the answer says so, and its logs are all there. */
const MAX_SPANS = 1_000

/** Each span once, under the spelling that most logs have; most logs first. */
function countsBySpan(values: readonly { readonly value: string; readonly count: number }[]): TraceLogsAnswer['bySpan'] {
  const counts = new Map<string, { readonly spanId: string; readonly count: number }>()
  for (const { value, count } of values) {
    const id = canonicalSpanId(value) ?? value
    const known = counts.get(id)
    counts.set(id, { spanId: known?.spanId ?? value, count: (known?.count ?? 0) + count })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}

/** Logs of traces: endpoint 10. */
export class LogCorrelation {
  readonly #search: LogSearch
  readonly #traces: Pick<TraceReading, 'summaries'>

  constructor(deps: { readonly search: LogSearch; readonly traces: Pick<TraceReading, 'summaries'> }) {
    this.#search = deps.search
    this.#traces = deps.traces
  }

  /**
   * Logs of a trace, oldest first. Unless a window is given it is that of the trace, or the whole retention when the
   * trace itself is not stored. Ids mean the same in any capitalisation, with or without leading zeros.
   */
  async ofTrace(ns: Namespace, query: TraceLogsQuery, signal: AbortSignal): Promise<TraceLogsAnswer> {
    const { traceId, spanId, start, end, limit, cursor } = query
    if (traceId === '' || traceId.length > MAX_TRACE_ID_CHARS)
      throw new GatewayError('invalid_field', 'trace_id must be a trace id', { field: 'trace_id' })
    const trace = [...(await this.#traces.summaries(ns, [traceId], signal)).values()][0]
    const logs = await this.#search.search(
      ns,
      {
        ...{ start, end, limit, cursor, wholeRetention: true, total: true, order: 'asc' },
        otherwise: trace && logWindow(trace),
        conditions: {
          traceId: linkedTraceIdsOf(traceId),
          spanId: spanId === undefined ? undefined : spanIdSpellings(spanId)
        },
        // The facet leaves out the condition on its own field: all spans of the trace are counted.
        facets: [{ field: 'span_id', limit: MAX_SPANS }]
      },
      signal
    )
    const spans = logs.facets[0]!
    const cut = cutByLimit(spans.other > 0, 'spans with logs', MAX_SPANS)
    return {
      traceId,
      traceFound: trace !== undefined,
      logs: { ...logs, complete: logs.complete && cut.length === 0, warnings: [...logs.warnings, ...cut] },
      bySpan: countsBySpan(spans.values),
      unlinked: spans.missing
    }
  }
}
