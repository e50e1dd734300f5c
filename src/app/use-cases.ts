import type { StoredLog } from '../domain/records/log.js'
import type { StoredSpan } from '../domain/span.js'
import type { Clock } from '../ports/clock.js'
import type { ControlPorts } from '../ports/control-store.js'
import type { Stores } from '../ports/stores.js'
import { AnchorFinder } from '../query/correlation/anchor.js'
import { traceOriginOf } from '../query/correlation/trace-origin.js'
import { MetricCorrelation } from '../query/correlation/metric-correlation.js'
import { RelatedSignals, type RelatedSignalsDeps } from '../query/correlation/related-signals.js'
import { ServiceMap } from '../query/apm/service-map.js'
import { ServiceReport } from '../query/apm/service-report.js'
import type { PatternCatalog } from '../ports/pattern-catalog.js'
import type { ErrorGroupDecisions } from '../ports/error-groups.js'
import { aggregatedLogs, aggregatedSpans } from '../query/aggregate/aggregated-records.js'
import { Aggregation, type Aggregations } from '../query/aggregate/aggregation.js'
import { comparableLogs, comparableSpans } from '../query/compare/comparable-records.js'
import { Comparison, type Comparisons } from '../query/compare/comparison.js'
import { ServiceSignals } from '../query/compare/service-signals.js'
import { CardinalityReport } from '../query/cardinality-report.js'
import type { LogConditions } from '../query/conditions.js'
import { CursorCodec } from '../query/cursor.js'
import { ErrorReport } from '../query/error-report.js'
import { LargeReads } from '../query/large-reads.js'
import { LogCorrelation } from '../query/log-correlation.js'
import { LogFields } from '../query/log-fields.js'
import { LogTail } from '../query/log-tail/log-tail.js'
import { TailCursors } from '../query/log-tail/tail-cursor.js'
import { TailReads } from '../query/log-tail/tail-reads.js'
import { LogSearch } from '../query/log-search.js'
import { MetricFactsQuery } from '../query/metric-facts.js'
import { MetricQuery } from '../query/metric-query.js'
import type { ReportedHosts } from '../ports/reported-hosts.js'
import type { StreamLedger } from '../ports/stream-ledger.js'
import { NewestRecord } from '../query/newest-record.js'
import { QueryValidator } from '../query/query-validation.js'
import { logsByPattern } from '../query/patterns/logs-by-pattern.js'
import { PatternList } from '../query/patterns/pattern-list.js'
import { PatternNames } from '../query/patterns/pattern-names.js'
import { PromqlExemplars } from '../query/promql/promql-exemplars.js'
import { PromqlChart } from '../query/promql/promql-chart.js'
import { PromqlQuery } from '../query/promql/promql-query.js'
import type { PromqlThreads } from '../query/promql/promql-threads.js'
import { PromqlSeries } from '../query/promql/promql-series.js'
import { QueryLimits } from '../query/query-limits.js'
import { ReadBudgets } from '../query/read-budgets.js'
import { RumReport } from '../query/rum-report.js'
import type { QuerySettings } from '../query/settings.js'
import { type TraceFields, traceFieldsOf } from '../query/traces/trace-fields.js'
import { ShortTraceIds } from '../query/traces/short-trace-ids.js'
import { TraceLinks } from '../query/traces/trace-links.js'
import { TraceLogs } from '../query/traces/trace-logs.js'
import { TraceReading } from '../query/traces/trace-reading.js'
import { TraceSearch } from '../query/traces/trace-search.js'
import { EventLoopSlices } from '../threads/event-loop-slices.js'
import { systemTimers } from '../threads/system-timers.js'
import { ServiceReleases } from '../query/apm/service-releases.js'
import { AgentReports } from '../query/hosts/agent-reports.js'
import { ContainerReport } from '../query/hosts/container-report.js'
import { HostCharts } from '../query/hosts/host-charts.js'
import { HostFactsReader } from '../query/hosts/host-facts.js'
import { HostFigures } from '../query/hosts/host-figures.js'
import { HostQueries } from '../query/hosts/host-queries.js'
import { exportedLogs, exportedSpans, type SpanConditions } from '../query/export/exported-records.js'
import { ExportSlots } from '../query/export/export-slots.js'
import { MAX_EXPORT_MS, MAX_EXPORT_ROWS, RecordExport } from '../query/export/record-export.js'
import { HostReport } from '../query/hosts/host-report.js'
import { ListenerReport } from '../query/hosts/listener-report.js'
import { StreamReport } from '../query/streams/stream-report.js'
import { HostFinder } from '../query/hosts/host-finder.js'
import { budgetedEvents, budgetedLogs, budgetedTraces } from './budgeted-reads.js'

/** What is read of hosts, and of what runs on them. */
interface HostUseCases {
  readonly hostReport: HostReport
  readonly hostFacts: HostFactsReader
  readonly hostFigures: HostFigures
  readonly containerReport: ContainerReport
  readonly hostCharts: HostCharts
  readonly agentReports: AgentReports
  readonly listenerReport: ListenerReport
  readonly serviceReleases: ServiceReleases
}

/** Wires them. */
function createHostUseCases(
  { logs, traces, metrics }: Pick<Stores, 'logs' | 'traces' | 'metrics'>,
  deps: { readonly promql: PromqlQuery; readonly clock: Clock; readonly settings: QuerySettings; readonly hosts: ReportedHosts }
): HostUseCases {
  const { promql, clock, settings, hosts } = deps
  const queries = new HostQueries({ promql, clock, settings })
  const hostFigures = new HostFigures(queries)
  return {
    hostReport: new HostReport({ finder: new HostFinder({ logs, traces, metrics, clock }), hosts, clock }),
    hostFacts: new HostFactsReader({ logs, traces, clock }),
    hostFigures,
    containerReport: new ContainerReport(hosts, hostFigures, clock),
    hostCharts: new HostCharts({ queries, clock }),
    ...{ agentReports: new AgentReports(hosts, clock), listenerReport: new ListenerReport(hosts, clock) },
    serviceReleases: new ServiceReleases({ traces, clock })
  }
}

/** All read use cases, wired: REST and GraphQL are two faces of these. */
export interface ReadUseCases extends HostUseCases {
  readonly logSearch: LogSearch
  readonly logFields: LogFields
  readonly patternList: PatternList
  readonly aggregations: Aggregations
  readonly comparisons: Comparisons
  readonly logExport: RecordExport<StoredLog, LogConditions>
  readonly spanExport: RecordExport<StoredSpan, SpanConditions>
  readonly exportSlots: ExportSlots
  readonly logTail: LogTail
  readonly logCorrelation: LogCorrelation
  readonly metricCorrelation: MetricCorrelation
  readonly metricQuery: MetricQuery
  readonly cardinalityReport: CardinalityReport
  readonly promql: PromqlQuery
  readonly promqlChart: PromqlChart
  readonly promqlSeries: PromqlSeries
  readonly promqlExemplars: PromqlExemplars
  readonly metricFacts: MetricFactsQuery
  readonly serviceReport: ServiceReport
  readonly serviceMap: ServiceMap
  readonly rumReport: RumReport
  readonly errorReport: ErrorReport
  readonly traceSearch: TraceSearch
  readonly traceFields: TraceFields
  readonly traceReading: TraceReading
  readonly traceLinks: TraceLinks
  readonly traceLogs: TraceLogs
  readonly newestRecord: NewestRecord
  readonly streamReport: StreamReport
  readonly queryValidator: QueryValidator
  readonly limits: QueryLimits
  /** Shares the event loop among large results. */
  readonly slices: EventLoopSlices
}

function isTraceStoredBy(links: TraceLinks): RelatedSignalsDeps['isTraceStored'] {
  return async (ns, id, signal) => {
    const { summary, ambiguity } = (await links.summaries(ns, [id], signal))[0]!
    return summary !== null || ambiguity !== null
  }
}

function logTailOf(logs: Stores['logs'], clock: Clock, cursorSecret: string): LogTail {
  const reads = new TailReads(clock, systemTimers)
  return new LogTail({ logs, clock, timers: systemTimers, reads, cursors: new TailCursors(cursorSecret) })
}

/** The store of logs with the ids of patterns as readers see them, the list of patterns, aggregates and comparisons. */
function createPatternUseCases(
  stores: Pick<Stores, 'logs' | 'traces' | 'metrics' | 'events'>,
  catalog: Pick<PatternCatalog, 'all'>,
  deps: { readonly clock: Clock; readonly largeReads: LargeReads; readonly budgets: ReadBudgets }
): Pick<Stores & ReadUseCases, 'logs' | 'patternList' | 'aggregations' | 'comparisons'> {
  const names = new PatternNames(catalog, deps.clock)
  const logs = logsByPattern(stores.logs, names)
  const aggregations = {
    logs: new Aggregation(aggregatedLogs(logs), deps),
    spans: new Aggregation(aggregatedSpans(stores.traces), deps)
  }
  const compared = { ...deps, services: new ServiceSignals(stores) }
  const comparisons = {
    logs: new Comparison(comparableLogs(logs, names), compared),
    spans: new Comparison(comparableSpans(stores.traces), compared)
  }
  return {
    logs,
    patternList: new PatternList({ logs: budgetedLogs(logs, deps.budgets), names, clock: deps.clock }),
    aggregations,
    comparisons
  }
}

/** Exports of logs and spans. */
function createExports(
  { logs, traces }: Pick<Stores, 'logs' | 'traces'>,
  { streams, clock, settings }: { readonly streams: StreamLedger; readonly clock: Clock; readonly settings: QuerySettings }
): Pick<ReadUseCases, 'logExport' | 'spanExport' | 'exportSlots'> {
  const deps = { clock, limits: { maxRows: MAX_EXPORT_ROWS, maxMs: MAX_EXPORT_MS, pageMs: settings.timeoutMs } }
  return {
    logExport: new RecordExport(exportedLogs(logs, streams), deps),
    spanExport: new RecordExport(exportedSpans(traces), deps),
    exportSlots: new ExportSlots()
  }
}

/** What reads need besides the telemetry stores. */
export interface ReadDeps {
  /** The same over restarts. */
  readonly cursorSecret: string
  readonly promqlThreads: PromqlThreads
  readonly errorGroups: Pick<ErrorGroupDecisions, 'of'>
  /** Metadata and exemplars of metrics. */
  readonly notes: Pick<ControlPorts, 'metricFacts' | 'exemplars'>
  /** Templates of logs. */
  readonly patterns: Pick<PatternCatalog, 'all'>
  readonly streams: StreamLedger
  /** Hosts that agents report. */
  readonly hosts: ReportedHosts
}

/** Wires the read use cases over the telemetry stores. */
export function createReadUseCases(
  stores: Pick<Stores, 'logs' | 'metrics' | 'events' | 'traces'>,
  clock: Clock,
  settings: QuerySettings,
  { cursorSecret, promqlThreads, errorGroups, notes, patterns, streams, hosts }: ReadDeps
): ReadUseCases {
  const { metrics, events, traces } = stores
  const largeReads = new LargeReads()
  const budgets = new ReadBudgets(settings)
  const { logs, patternList, aggregations, comparisons } = createPatternUseCases(stores, patterns, { clock, largeReads, budgets })
  const paged = {
    logs: budgetedLogs(logs, budgets),
    traces: budgetedTraces(traces, budgets),
    events: budgetedEvents(events, budgets)
  }
  const cursors = new CursorCodec(cursorSecret)
  const slices = new EventLoopSlices(clock)
  const logSearch = new LogSearch({ logs: paged.logs, streams, clock, cursors, settings })
  const shortIds = new ShortTraceIds({ traces, clock })
  const traceLinks = new TraceLinks({ traces: paged.traces, shortIds, clock, settings })
  const traceLogs = new TraceLogs({ logs, shortIds, clock })
  const anchors = new AnchorFinder({ logSearch, traceOrigin: traceOriginOf({ traces, links: traceLinks, clock }) })
  const traceSearch = new TraceSearch({ traces, clock, cursors, settings })
  const traceReading = new TraceReading({ traces: paged.traces, shortIds, clock, settings, largeReads, slices })
  const promql = new PromqlQuery({ metrics, clock, settings, threads: promqlThreads })
  const relatedSignals = new RelatedSignals({ logSearch, traceSearch, isTraceStored: isTraceStoredBy(traceLinks) })
  return {
    logSearch,
    ...{ patternList, aggregations, comparisons, logFields: new LogFields({ logs, search: logSearch, clock }) },
    logTail: logTailOf(logs, clock, cursorSecret),
    logCorrelation: new LogCorrelation({ search: logSearch, links: traceLinks, traceLogs }),
    metricCorrelation: new MetricCorrelation({ anchors, relatedSignals, metrics, clock }),
    metricQuery: new MetricQuery({ metrics, clock, settings, threads: promqlThreads }),
    cardinalityReport: new CardinalityReport({ metrics, clock }),
    promql,
    promqlChart: new PromqlChart({ promql, clock, settings }),
    promqlSeries: new PromqlSeries({ metrics, clock, settings }),
    promqlExemplars: new PromqlExemplars({ exemplars: notes.exemplars, clock, settings }),
    metricFacts: new MetricFactsQuery({ metrics, facts: notes.metricFacts }),
    ...{ serviceReport: new ServiceReport({ traces, clock }), serviceMap: new ServiceMap({ traces, clock }) },
    ...createExports({ logs, traces }, { streams, clock, settings }),
    ...createHostUseCases({ logs, traces, metrics }, { promql, clock, settings, hosts }),
    rumReport: new RumReport({ events: paged.events, clock, cursors, settings }),
    traceSearch,
    traceFields: traceFieldsOf({ traces, search: traceSearch, clock }),
    ...{ traceReading, traceLinks, traceLogs },
    queryValidator: new QueryValidator(promql),
    ...{
      streamReport: new StreamReport({ streams, hosts, logs, clock }),
      limits: new QueryLimits({ clock, settings, largeReads })
    },
    newestRecord: new NewestRecord({ logs, traces, events, clock }),
    errorReport: new ErrorReport({ events: paged.events, decisions: errorGroups, clock, cursors, settings }),
    slices
  }
}
