import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import {
  canonicalSpanId,
  canonicalTraceId,
  isShortTraceId,
  linkedTraceIds,
  linkedTraceIdsOf,
  spanIdSpellings
} from '../domain/trace-ids.js'
import { cutByLimit } from './cut-by-limit.js'
import type { LogSearchResult } from './log-query.js'
import type { LogSearch } from './log-search.js'
import type { WindowBounds } from './result.js'
import type { TraceLink, TraceLinks } from './traces/trace-links.js'
import { logWindow, type TraceLogs } from './traces/trace-logs.js'
import { distinctWarnings, type Warning } from '../domain/warning.js'

/** Which logs of a trace are requested. */
export interface TraceLogsQuery extends WindowBounds {
  readonly traceId: string
  readonly spanId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Logs of a trace with their counts by span. */
export interface TraceLogsResult {
  /** As it was given; that of the trace where that was found by its last 16 digits. */
  readonly traceId: string
  /** Whether the trace itself is stored. */
  readonly traceFound: boolean
  readonly logs: LogSearchResult
  /** Logs per span of the trace, most first. */
  readonly bySpan: readonly { readonly spanId: string; readonly count: number }[]
  /** Logs of the trace without a span. */
  readonly unlinked: number
}

const MAX_TRACE_ID_CHARS = 128
/** Spans that are counted one by one; for a trace of more the result is marked so, and its logs are complete. */
const MAX_SPANS = 1_000

/** Each span once, under the spelling that most logs have; most logs first. */
function countsBySpan(values: readonly { readonly value: string; readonly count: number }[]): TraceLogsResult['bySpan'] {
  const counts = new Map<string, { readonly spanId: string; readonly count: number }>()
  for (const { value, count } of values) {
    const id = canonicalSpanId(value) ?? value
    const known = counts.get(id)
    counts.set(id, { spanId: known?.spanId ?? value, count: (known?.count ?? 0) + count })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}

/** Whether a log of the page, or one of the pages after it, may have only the last 16 digits of the trace id. */
function canHaveShortIds({ rows, page }: LogSearchResult): boolean {
  return page.hasMore || rows.some(({ traceId }) => isShortTraceId(canonicalTraceId(traceId ?? '') ?? ''))
}

/** What `LogCorrelation` needs. */
export interface LogCorrelationDeps {
  readonly search: LogSearch
  readonly links: Pick<TraceLinks, 'summaries'>
  readonly traceLogs: Pick<TraceLogs, 'shared'>
}

/** Logs of traces. */
export class LogCorrelation {
  readonly #deps: LogCorrelationDeps

  constructor(deps: LogCorrelationDeps) {
    this.#deps = deps
  }

  /**
   * Logs of a trace, oldest first. Unless a window is given it is that of the trace, or the whole retention when the
   * trace itself is not stored. Ids mean the same in any capitalization, with or without leading zeros. Logs with only the
   * last 16 digits of the id belong to the trace, and an id of 64 bits to the one trace that has these last.
   */
  async ofTrace(ns: Namespace, query: TraceLogsQuery, signal: AbortSignal): Promise<TraceLogsResult> {
    const { traceId, spanId, start, end, limit, cursor } = query
    if (traceId === '' || traceId.length > MAX_TRACE_ID_CHARS)
      throw new GatewayError('invalid_field', 'trace_id must be a trace id', { field: 'trace_id' })
    const link = (await this.#deps.links.summaries(ns, [traceId], signal))[0]!
    const { summary } = link
    const logs = await this.#deps.search.search(
      ns,
      {
        ...{ start, end, limit, cursor, wholeRetention: true, total: true, order: 'asc' },
        otherwise: summary ? logWindow(summary) : undefined,
        conditions: {
          traceId: [...new Set([...linkedTraceIdsOf(traceId), ...(summary ? linkedTraceIds(summary.traceId) : [])])],
          spanId: spanId === undefined ? undefined : spanIdSpellings(spanId)
        },
        // The facet leaves out the condition on its own field: all spans of the trace are counted.
        facets: [{ field: 'span_id', limit: MAX_SPANS }]
      },
      signal
    )
    const shared = canHaveShortIds(logs) ? await this.#shared(ns, traceId, link, signal) : []
    const spans = logs.facets[0]!
    const cut = cutByLimit(spans.other > 0, 'spans with logs', MAX_SPANS)
    // Without its trace, logs with all digits of the id are not known to belong to it.
    const isWhole = cut.length === 0 && (summary !== null || link.warnings.length === 0)
    return {
      traceId: summary && link.warnings.length > 0 ? summary.traceId : traceId,
      traceFound: summary !== null,
      logs: {
        ...logs,
        complete: logs.complete && isWhole,
        warnings: distinctWarnings([...logs.warnings, ...cut, ...link.warnings, ...shared])
      },
      bySpan: countsBySpan(spans.values),
      unlinked: spans.missing
    }
  }

  /** A trace that was found by its last 16 digits is the only one that has them. */
  async #shared(ns: Namespace, id: string, { summary, warnings }: TraceLink, signal: AbortSignal): Promise<readonly Warning[]> {
    const traceId = summary?.traceId ?? canonicalTraceId(id)
    return traceId === null || warnings.length > 0 ? [] : this.#deps.traceLogs.shared(ns, traceId, signal)
  }
}
