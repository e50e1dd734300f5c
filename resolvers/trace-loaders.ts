import DataLoader from 'dataloader'
import type { Namespace } from '../src/domain/namespace.js'
import type { StoredSpan, TraceSummary } from '../src/domain/span.js'
import { canonicalSpanId, canonicalTraceId } from '../src/domain/trace-ids.js'
import type { SpanName, TraceLink, TraceLinks } from '../src/query/traces/trace-links.js'
import type { TraceLogs } from '../src/query/traces/trace-logs.js'

/** The limit of rows whose links one store request loads. */
const MAX_BATCH = 1_000

/** The use cases that the loaders call, and the caller's namespace. */
export interface TracesLoadedFrom {
  readonly use: { readonly traceLinks: TraceLinks; readonly traceLogs: TraceLogs }
  readonly namespace: () => Promise<Namespace>
  readonly signal: AbortSignal
}

/** Links of a page of rows to traces, each by one store request for the whole page. */
export interface TraceLoaders {
  /** By trace id in any spelling; rejects for 64 bits that several traces share. */
  readonly links: DataLoader<string, TraceLink>
  readonly spans: DataLoader<SpanName, StoredSpan | null, string>
  /** Logs that carry the id of the trace. */
  readonly logCounts: DataLoader<TraceSummary, number, string>
}

function keyOf({ traceId, spanId }: SpanName): string {
  return `${canonicalTraceId(traceId) ?? traceId} ${canonicalSpanId(spanId) ?? spanId}`
}

/** Loaders of one request. */
export function createTraceLoaders({ use, namespace, signal }: TracesLoadedFrom): TraceLoaders {
  const { traceLinks, traceLogs } = use
  return {
    links: new DataLoader<string, TraceLink>(
      async ids => {
        const links = await traceLinks.summaries(await namespace(), ids, signal)
        return links.map(link => link.ambiguity ?? link)
      },
      { maxBatchSize: MAX_BATCH }
    ),
    spans: new DataLoader<SpanName, StoredSpan | null, string>(
      async names => traceLinks.spans(await namespace(), names, signal),
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
