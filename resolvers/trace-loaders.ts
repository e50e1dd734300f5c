import DataLoader from 'dataloader'
import type { Namespace } from '../src/domain/namespace.js'
import type { StoredSpan, TraceSummary } from '../src/domain/span.js'
import { canonicalSpanId, canonicalTraceId } from '../src/domain/trace-ids.js'
import type { TraceLogs } from '../src/query/traces/trace-logs.js'
import type { TraceReading } from '../src/query/traces/trace-reading.js'

/** Rows of which one store request answers a link. */
const MAX_BATCH = 1_000

/** What the loaders ask, and where. */
export interface TracesLoadedFrom {
  readonly use: { readonly traceReading: TraceReading; readonly traceLogs: TraceLogs }
  readonly namespace: () => Promise<Namespace>
  readonly signal: AbortSignal
}

/** The span that a log names. */
export interface SpanName {
  readonly traceId: string
  readonly spanId: string
}

/** Links of a page of rows to traces, each by one store request for the whole page. */
export interface TraceLoaders {
  /** By trace id in any spelling; null when it is not stored. */
  readonly summaries: DataLoader<string, TraceSummary | null>
  readonly spans: DataLoader<SpanName, StoredSpan | null, string>
  /** Logs that carry the id of the trace. */
  readonly logCounts: DataLoader<TraceSummary, number, string>
}

function keyOf({ traceId, spanId }: SpanName): string {
  return `${canonicalTraceId(traceId) ?? traceId} ${canonicalSpanId(spanId) ?? spanId}`
}

/** Loaders of one request. */
export function createTraceLoaders({ use, namespace, signal }: TracesLoadedFrom): TraceLoaders {
  const { traceReading, traceLogs } = use
  return {
    summaries: new DataLoader(
      async ids => {
        const found = await traceReading.summaries(await namespace(), ids, signal)
        return ids.map(id => found.get(canonicalTraceId(id) ?? '') ?? null)
      },
      { maxBatchSize: MAX_BATCH }
    ),
    spans: new DataLoader(
      async names => {
        const found = await traceReading.spans(await namespace(), names, signal)
        const byKey = new Map(found.map(span => [keyOf(span), span]))
        return names.map(name => byKey.get(keyOf(name)) ?? null)
      },
      { maxBatchSize: MAX_BATCH, cacheKeyFn: keyOf }
    ),
    logCounts: new DataLoader(
      async summaries => {
        const counts = await traceLogs.byTrace(await namespace(), summaries, signal)
        return summaries.map(({ traceId }) => counts.get(traceId) ?? 0)
      },
      { maxBatchSize: MAX_BATCH, cacheKeyFn: ({ traceId }) => traceId }
    )
  }
}
