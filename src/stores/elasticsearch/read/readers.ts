import type { LogStore } from '../../../ports/log-store.js'
import { aggregateRecords } from './aggregate.js'
import { deciderOf } from './decider.js'
import { readFields } from './fields.js'
import { readPages, type SearchContext } from './pages.js'
import { LOGS, APM_ERRORS, RUM_EVENTS, SPANS } from '../document/record-kinds.js'
import { Scopes, type ReaderDeps, EVERY_TIME } from './scopes.js'
import { searchRecords } from './search.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { EventKind, EventStore } from '../../../ports/event-store.js'
import { readErrorGroups } from './error-groups.js'
import { readPageViews } from './page-views.js'
import { readVitals } from './vitals.js'
import type { Filter, Field } from '../../../domain/filter.js'
import type { TraceSearchResult, TraceStore } from '../../../ports/trace-store.js'
import type { TraceLimits } from '../limits.js'
import { readServiceEdges } from './service-edges.js'
import { readSpanStats } from './span-stats.js'
import { summariesOf } from './summaries.js'
import { searchTraces } from './trace-search.js'
import { readSmallTrace, readTrace } from './trace-spans.js'
import { TraceSuffixes } from './trace-suffixes.js'
import { CUT, EVENT_TERMS } from '../document/field-names.js'
import { fieldsOfFilter } from './decide.js'
import { SpanMarks } from './span-marks.js'

/** Rows that a stream fetches at once: about 1 MiB of ordinary logs. */
const STREAM_PAGE_ROWS = 2_000

/** The reading half of `LogStore` on Elasticsearch and OpenSearch. */
export function logReader(deps: ReaderDeps): Pick<LogStore, 'search' | 'stream' | 'get' | 'fields' | 'aggregate'> {
  const scopes = new Scopes(deps)
  return {
    search: async (ns, request, signal) =>
      searchRecords(await scopes.open({ ns, kind: 'logs', range: request.range, signal }), LOGS, request),
    async *stream(ns, request, signal) {
      const context = await scopes.open({ ns, kind: 'logs', range: request.range, signal })
      const { query, matches } = deciderOf(context, 'logs', request.filter)
      const pages = readPages(context, { query, order: request.order, size: STREAM_PAGE_ROWS, after: undefined })
      for await (const page of pages) {
        const kept = matches ? page.filter(matches) : page
        if (kept.length > 0) yield kept.map(LOGS.toRecord)
        signal.throwIfAborted()
      }
    },
    get: (ns, id) => scopes.get({ ns, id }, LOGS),
    fields: async (ns, request, signal) =>
      readFields(await scopes.open({ ns, kind: 'logs', range: request.range, signal }), 'logs', request),
    aggregate: async (ns, request, signal) =>
      aggregateRecords(await scopes.open({ ns, kind: 'logs', range: request.range, signal }), 'logs', request)
  }
}

type EventReading = 'searchRum' | 'searchErrors' | 'vitals' | 'pageViews' | 'errorGroups' | 'getRum' | 'getError'

/** The reading half of `EventStore` on Elasticsearch and OpenSearch. */
export function eventReader(deps: ReaderDeps): Pick<EventStore, EventReading> {
  const scopes = new Scopes(deps)
  const open = (
    ns: NamespaceId,
    kind: EventKind,
    { range }: { readonly range: TimeRange },
    signal: AbortSignal
  ): Promise<SearchContext> => scopes.open({ ns, kind, range, signal })
  return {
    searchRum: async (ns, request, signal) => searchRecords(await open(ns, 'rum', request, signal), RUM_EVENTS, request),
    searchErrors: async (ns, request, signal) => searchRecords(await open(ns, 'errors', request, signal), APM_ERRORS, request),
    vitals: async (ns, request, signal) => readVitals(await open(ns, 'rum', request, signal), request),
    pageViews: async (ns, request, signal) => readPageViews(await open(ns, 'rum', request, signal), request),
    errorGroups: async (ns, request, signal) => readErrorGroups(await open(ns, 'errors', request, signal), request),
    getRum: (ns, id) => scopes.get({ ns, id }, RUM_EVENTS),
    getError: (ns, id) => scopes.get({ ns, id }, APM_ERRORS)
  }
}

const NEEDS_TERMS: ReadonlySet<Field['in']> = new Set(['free', 'events', 'links'])

/** The warning of a search whose range has spans that are not found by attributes of their events and links. */
export const EVENTS_NOT_INDEXED =
  'spans of earlier versions are not found by attributes of events and links, because this store indexes them only since the upgrade'

/** Knows which namespaces still have spans of versions that did not index the attributes of events and links. */
export class EventTerms {
  readonly #marks = new SpanMarks({ term: { [CUT]: EVENT_TERMS } })

  /** Warnings of a search by such attributes; none once all spans of the namespace are indexed, which does not change again. */
  async warnings(ns: NamespaceId, context: SearchContext, filter: Filter): Promise<readonly string[]> {
    if (!fieldsOfFilter(filter).some(field => NEEDS_TERMS.has(field.in))) return []
    return (await this.#marks.isMissing(ns, context)) ? [EVENTS_NOT_INDEXED] : []
  }
}

type TraceReading = Omit<TraceStore, 'append' | 'gaps' | 'settle' | 'deleteBefore' | 'dropNamespace'>

/** The reading half of `TraceStore` on Elasticsearch and OpenSearch. */
export function traceReader(deps: ReaderDeps, limits: TraceLimits): TraceReading {
  const scopes = new Scopes(deps)
  const eventTerms = new EventTerms()
  const suffixes = new TraceSuffixes()
  const open = (ns: NamespaceId, range: TimeRange, signal: AbortSignal): Promise<SearchContext> =>
    scopes.open({ ns, kind: 'spans', range, signal })
  /** Warns when spans of the range cannot be found by the fields of the filter. */
  const withWarnings = async <Result extends Pick<TraceSearchResult, 'complete' | 'warnings'>>(
    ns: NamespaceId,
    context: SearchContext,
    { filter }: { readonly filter: Filter },
    search: Promise<Result>
  ): Promise<Result> => {
    const [result, warnings] = await Promise.all([search, eventTerms.warnings(ns, context, filter)])
    return warnings.length === 0 ? result : { ...result, complete: false, warnings: [...result.warnings, ...warnings] }
  }
  const searchSpans: TraceReading['searchSpans'] = async (ns, request, signal) => {
    const context = await open(ns, request.range, signal)
    return withWarnings(ns, context, request, searchRecords(context, SPANS, request))
  }
  return {
    searchSpans,
    searchTraces: async (ns, request, signal) => {
      const context = await open(ns, request.range, signal)
      return withWarnings(ns, context, request, searchTraces(context, request, limits))
    },
    summaries: async (ns, traceIds, signal) => {
      const { traces } = await summariesOf(await open(ns, EVERY_TIME, signal), [...new Set(traceIds)])
      return traces
    },
    trace: async (ns, traceId, limit, signal) => readTrace(await open(ns, EVERY_TIME, signal), traceId, limit, limits),
    smallTrace: async (ns, traceId, signal) => readSmallTrace(await open(ns, EVERY_TIME, signal), traceId),
    traceIdsBySuffix: async (ns, request, signal) => suffixes.find(ns, await open(ns, request.range, signal), request),
    newestOrigins: async (ns, { range, filter, limit }, signal) => {
      const { rows = [] } = await searchSpans(ns, { range, filter, rows: { limit, order: 'desc' } }, signal)
      return rows.map(({ service, resource }) => ({ service, resource }))
    },
    stats: async (ns, request, signal) => readSpanStats(await open(ns, request.range, signal), request),
    serviceEdges: async (ns, request, signal) => readServiceEdges(await open(ns, request.range, signal), request, limits),
    fields: async (ns, request, signal) => readFields(await open(ns, request.range, signal), 'spans', request),
    aggregate: async (ns, request, signal) => {
      const context = await open(ns, request.range, signal)
      return withWarnings(ns, context, request, aggregateRecords(context, 'spans', request))
    }
  }
}
