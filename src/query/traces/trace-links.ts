import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { StoredSpan, TraceSummary } from '../../domain/span.js'
import { canonicalSpanId, canonicalTraceId, isShortTraceId } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { wholeRetention } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { ambiguousTraceId, foundBySuffix, type ShortTraceIds } from './short-trace-ids.js'
import type { Warning } from '../../domain/warning.js'

/** Spans in the result of one request for links: each of a page, sent more than once. */
const MAX_LINKED_SPANS = 10_000

/** The trace that an id of a log leads to. */
export interface TraceLink {
  /** Null when it is not stored, or the id may mean several traces. */
  readonly summary: TraceSummary | null
  /** The error for an id that may mean several traces. */
  readonly ambiguity: GatewayError | null
  /** Why a trace with another id was found, or none was. */
  readonly warnings: readonly Warning[]
}

/** The span that a log names. */
export interface SpanName {
  readonly traceId: string
  readonly spanId: string
}

/** What `TraceLinks` needs. */
export interface TraceLinksDeps {
  readonly traces: Pick<TraceStore, 'summaries' | 'searchSpans'>
  readonly shortIds: Pick<ShortTraceIds, 'others'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

const NO_TRACE: TraceLink = { summary: null, ambiguity: null, warnings: [] }

/** Names of spans by key, in canonical digits. */
function keyOf(traceId: string, spanId: string): string {
  return `${traceId} ${spanId}`
}

function requireId(canonical: string | null, field: string, digits: number): void {
  if (canonical === null) throw new GatewayError('invalid_field', `${field} must be 1 to ${digits} hexadecimal digits`, { field })
}

/** Leads from pages of logs to their traces and spans, by few store requests for a page. Retention holds at reading. */
export class TraceLinks {
  readonly #deps: TraceLinksDeps

  constructor(deps: TraceLinksDeps) {
    this.#deps = deps
  }

  /**
   * The traces with these ids, in their order. An id of 64 bits that is not stored leads to the one trace with the same last
   * 16 digits.
   */
  async summaries(ns: Namespace, ids: readonly string[], signal: AbortSignal): Promise<readonly TraceLink[]> {
    const canonical = ids.map(canonicalTraceId)
    const exact = await this.#stored(ns, canonical, signal)
    const short = canonical.filter(id => id !== null && isShortTraceId(id) && !exact.has(id)) as readonly string[]
    const matchesOf = short.length === 0 ? null : await this.#deps.shortIds.others(ns, short, signal)
    const only = matchesOf === null ? [] : short.map(id => matchesOf(id)).filter(({ traceIds }) => traceIds.length === 1)
    const wide = await this.#stored(
      ns,
      only.flatMap(({ traceIds }) => traceIds),
      signal
    )
    return canonical.map(id => {
      if (id === null) return NO_TRACE
      const summary = exact.get(id)
      if (summary !== undefined) return { ...NO_TRACE, summary }
      const matches = isShortTraceId(id) ? matchesOf?.(id) : undefined
      if (matches === undefined) return NO_TRACE
      if (matches.traceIds.length > 1) {
        const ambiguity = ambiguousTraceId(id, matches)
        return { summary: null, ambiguity, warnings: [ambiguity.message, ...matches.warnings] }
      }
      const found = wide.get(matches.traceIds[0] ?? '')
      if (found === undefined) return { ...NO_TRACE, warnings: matches.warnings }
      return { summary: found, ambiguity: null, warnings: [foundBySuffix(id, found.traceId), ...matches.warnings] }
    })
  }

  /**
   * The spans with these names, in their order, in their latest version; null for one that is not stored, an error for one that
   * several traces have whose ids end in the 64 bits of the name. Throws `query_unsupported` if they are too large to be read
   * together: none is left out silently.
   */
  async spans(
    ns: Namespace,
    names: readonly SpanName[],
    signal: AbortSignal
  ): Promise<readonly (StoredSpan | GatewayError | null)[]> {
    const canonical = names.map(name => ({
      traceId: canonicalTraceId(name.traceId),
      spanId: canonicalSpanId(name.spanId)
    }))
    const known = canonical.filter((name): name is SpanName => name.traceId !== null && name.spanId !== null)
    const exact = await this.#spansOf(ns, known, signal)
    const short = known.filter(({ traceId, spanId }) => isShortTraceId(traceId) && !exact.has(keyOf(traceId, spanId)))
    const wide = await this.#spansOfShortIds(ns, short, signal)
    return canonical.map(({ traceId, spanId }) => {
      if (traceId === null || spanId === null) return null
      const key = keyOf(traceId, spanId)
      return exact.get(key) ?? wide.get(key) ?? null
    })
  }

  /** As `spans`, for one span. Throws `invalid_field` for strings that are not ids, and for 64 bits that several traces share. */
  async span(ns: Namespace, name: SpanName, signal: AbortSignal): Promise<StoredSpan | null> {
    requireId(canonicalTraceId(name.traceId), 'trace_id', 32)
    requireId(canonicalSpanId(name.spanId), 'span_id', 16)
    const [found = null] = await this.spans(ns, [name], signal)
    if (found instanceof GatewayError) throw found
    return found
  }

  /** The id of the span often identifies which of several traces is meant. */
  async #spansOfShortIds(
    ns: Namespace,
    names: readonly SpanName[],
    signal: AbortSignal
  ): Promise<ReadonlyMap<string, StoredSpan | GatewayError>> {
    const found = new Map<string, StoredSpan | GatewayError>()
    if (names.length === 0) return found
    const ids = names.map(({ traceId }) => traceId)
    const matchesOf = await this.#deps.shortIds.others(ns, ids, signal)
    const candidates = names.flatMap(({ traceId, spanId }) => matchesOf(traceId).traceIds.map(id => ({ traceId: id, spanId })))
    const spans = await this.#spansOf(ns, candidates, signal)
    for (const { traceId, spanId } of names) {
      const matches = matchesOf(traceId)
      const [span, another] = matches.traceIds.flatMap(id => spans.get(keyOf(id, spanId)) ?? [])
      const key = keyOf(traceId, spanId)
      if (another || matches.hasMore) found.set(key, ambiguousTraceId(traceId, matches))
      else if (span) found.set(key, span)
    }
    return found
  }

  /** Summaries by id of the traces that are stored, and no later than the retention. */
  async #stored(ns: Namespace, ids: readonly (string | null)[], signal: AbortSignal): Promise<ReadonlyMap<string, TraceSummary>> {
    const traceIds = [...new Set(ids.filter(id => id !== null))]
    if (traceIds.length === 0) return new Map()
    const oldestNs = retentionStartNs(ns.retention, 'traces', this.#deps.clock.nowNs())
    const found = await this.#deps.traces.summaries(ns.id, traceIds, signal)
    const kept = found.filter(({ startNs, durationNs }) => startNs + durationNs >= oldestNs)
    return new Map(kept.map(summary => [summary.traceId, summary]))
  }

  /** Spans by name, by one request for all. */
  async #spansOf(ns: Namespace, names: readonly SpanName[], signal: AbortSignal): Promise<ReadonlyMap<string, StoredSpan>> {
    if (names.length === 0) return new Map()
    const { traces, clock, settings } = this.#deps
    const oneOf = (name: 'trace_id' | 'span_id', values: readonly string[]): Filter => ({
      kind: 'in',
      field: { in: 'known', name },
      values: [...new Set(values)]
    })
    const filter: Filter = {
      kind: 'and',
      of: [
        oneOf(
          'trace_id',
          names.map(({ traceId }) => traceId)
        ),
        oneOf(
          'span_id',
          names.map(({ spanId }) => spanId)
        )
      ]
    }
    const { range } = wholeRetention({ namespace: ns, signal: 'traces', nowNs: clock.nowNs() })
    const rows = { limit: MAX_LINKED_SPANS, order: 'asc', maxBytes: settings.maxPageBytes } as const
    const found = await traces.searchSpans(ns.id, { range, filter, rows }, signal)
    if (found.hasMore === true)
      throw new GatewayError('query_unsupported', 'the spans of these logs exceed the limit of one read; request fewer logs')
    // What was sent again comes with a later id.
    const inOrder = (found.rows ?? []).toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    return new Map(inOrder.map(span => [keyOf(span.traceId, span.spanId), span]))
  }
}
