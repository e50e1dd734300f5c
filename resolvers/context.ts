import type { ApiKeyService } from '../src/access/api-key-service.js'
import type { AuditService } from '../src/access/audit-service.js'
import type { Authorizer } from '../src/access/authorizer.js'
import type { Aggregations } from '../src/query/aggregate/aggregation.js'
import type { Comparisons } from '../src/query/compare/comparison.js'
import type { PatternList } from '../src/query/patterns/pattern-list.js'
import type { PatternService } from '../src/access/pattern-service.js'
import type { ErrorGroupService } from '../src/access/error-group-service.js'
import type { LogRuleService } from '../src/access/log-rule-service.js'
import type { InvitationService } from '../src/access/invitation-service.js'
import type { MemberService } from '../src/access/member-service.js'
import type { NamespaceService } from '../src/access/namespace-service.js'
import type { PasswordChange } from '../src/access/password-change.js'
import type { PreferenceService } from '../src/access/preference-service.js'
import type { AlertOverlays } from '../src/alerting/notify/manage/alert-overlays.js'
import type { AckService } from '../src/alerting/notify/manage/ack-service.js'
import type { ChannelService } from '../src/alerting/notify/manage/channel-service.js'
import type { DeliveryService } from '../src/alerting/notify/manage/delivery-service.js'
import type { MuteTimeService } from '../src/alerting/notify/manage/mute-time-service.js'
import type { RoutingService } from '../src/alerting/notify/manage/routing-service.js'
import type { SilenceService } from '../src/alerting/notify/manage/silence-service.js'
import type { SavedViewService } from '../src/access/saved-view-service.js'
import type { SessionPrincipal, Sessions } from '../src/access/sessions.js'
import type { UsageService } from '../src/access/usage-service.js'
import type { AlertBacktests } from '../src/alerting/rules/alert-backtests.js'
import type { AlertIntervals } from '../src/alerting/rules/alert-intervals.js'
import type { AlertReport } from '../src/alerting/rules/alert-report.js'
import type { AlertRuleService } from '../src/alerting/rules/alert-rule-service.js'
import type { SloBacktests } from '../src/alerting/slo/slo-backtests.js'
import type { SloReports } from '../src/alerting/slo/slo-report.js'
import type { MeasureService } from '../src/alerting/measures/measure-service.js'
import type { SloService } from '../src/alerting/slo/slo-service.js'
import type { ServiceEventReport } from '../src/query/service-events/service-event-report.js'
import { GatewayError } from '../src/domain/errors.js'
import type { NamespaceId } from '../src/domain/ids.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { KeyPrincipal } from '../src/domain/principal.js'
import type { IngestRates } from '../src/ingest/ingest-rates.js'
import type { OtlpReport } from '../src/ingest/otlp-report.js'
import type { TestSpans } from '../src/ingest/test-span.js'
import type { ErrorReport } from '../src/query/error-report.js'
import type { ServiceMap } from '../src/query/apm/service-map.js'
import type { ServiceReleases } from '../src/query/apm/service-releases.js'
import type { ServiceReport } from '../src/query/apm/service-report.js'
import type { AgentReports } from '../src/query/hosts/agent-reports.js'
import type { HostCharts } from '../src/query/hosts/host-charts.js'
import type { HostFactsReader } from '../src/query/hosts/host-facts.js'
import type { ContainerReport } from '../src/query/hosts/container-report.js'
import type { HostFigures } from '../src/query/hosts/host-figures.js'
import type { HostReport } from '../src/query/hosts/host-report.js'
import type { ListenerReport } from '../src/query/hosts/listener-report.js'
import type { MetricCorrelation } from '../src/query/correlation/metric-correlation.js'
import type { LogFields } from '../src/query/log-fields.js'
import type { LogTail } from '../src/query/log-tail/log-tail.js'
import type { LogSearch } from '../src/query/log-search.js'
import type { MetricFactsQuery } from '../src/query/metric-facts.js'
import type { MetricQuery } from '../src/query/metric-query.js'
import type { NewestRecord } from '../src/query/newest-record.js'
import type { PromqlChart } from '../src/query/promql/promql-chart.js'
import type { QueryValidator } from '../src/query/query-validation.js'
import type { StreamReport } from '../src/query/streams/stream-report.js'
import type { RumReport } from '../src/query/rum-report.js'
import type { TraceFields } from '../src/query/traces/trace-fields.js'
import type { TraceLogs } from '../src/query/traces/trace-logs.js'
import type { TraceLinks } from '../src/query/traces/trace-links.js'
import type { TraceReading } from '../src/query/traces/trace-reading.js'
import type { TraceSearch } from '../src/query/traces/trace-search.js'
import type { HostLoaders } from './host-loaders.js'
import type { Loaders, MetricFactsLoader, NewestLoader, OverlayLoader, SlosLoader } from './loaders.js'
import type { TraceLoaders } from './trace-loaders.js'

/** How one engine is, as `stores` shows it. */
export interface StoreState {
  /** `duckdb`, `sqlite`, ... */
  readonly name: string
  /** What it keeps: `telemetry` or `control`. */
  readonly kind: string
  readonly healthy: boolean
  readonly latencyMs: number | null
  readonly detail: string
}

/** A background job that fails, as `failingJobs` shows it. */
export interface FailingJob {
  readonly job: string
  readonly failures: number
  /** RFC 3339. */
  readonly failingSince: string
}

/** Every use case that resolvers call. */
export interface UseCases {
  readonly sessions: Pick<Sessions, 'switchTo'>
  readonly passwordChange: PasswordChange
  readonly authorizer: Authorizer
  readonly namespaces: NamespaceService
  readonly members: MemberService
  readonly invitations: InvitationService
  readonly apiKeys: ApiKeyService
  readonly audit: AuditService
  readonly usage: UsageService
  readonly logSearch: LogSearch
  readonly logFields: LogFields
  readonly logTail: LogTail
  readonly ingestRates: Pick<IngestRates, 'follow'>
  readonly metricCorrelation: MetricCorrelation
  readonly metricQuery: MetricQuery
  readonly metricFacts: MetricFactsQuery
  readonly promqlChart: PromqlChart
  readonly traceSearch: TraceSearch
  readonly traceFields: TraceFields
  readonly traceReading: TraceReading
  readonly traceLinks: TraceLinks
  readonly traceLogs: TraceLogs
  readonly newestRecord: NewestRecord
  readonly queryValidator: QueryValidator
  readonly serviceReport: ServiceReport
  readonly serviceReleases: ServiceReleases
  readonly serviceMap: ServiceMap
  readonly hostReport: HostReport
  readonly hostFacts: HostFactsReader
  readonly hostFigures: HostFigures
  readonly containerReport: ContainerReport
  readonly hostCharts: HostCharts
  readonly agentReports: AgentReports
  readonly listenerReport: ListenerReport
  readonly streamReport: StreamReport
  readonly errorGroups: ErrorGroupService
  readonly patterns: PatternService
  readonly patternList: PatternList
  readonly aggregations: Aggregations
  readonly comparisons: Comparisons
  readonly savedViews: SavedViewService
  readonly logRules: LogRuleService
  readonly preferences: PreferenceService
  readonly alertRules: AlertRuleService
  readonly alertReport: AlertReport
  readonly channels: ChannelService
  readonly deliveries: DeliveryService
  readonly alertRouting: RoutingService
  readonly silences: SilenceService
  readonly muteTimes: MuteTimeService
  readonly alertAcks: AckService
  readonly alertBacktests: AlertBacktests
  readonly alertOverlays: AlertOverlays
  readonly alertIntervals: AlertIntervals
  readonly slos: SloService
  readonly measures: MeasureService
  readonly sloReports: SloReports
  readonly sloBacktests: SloBacktests
  readonly serviceEvents: ServiceEventReport
  readonly rumReport: RumReport
  readonly errorReport: ErrorReport
  /** Whether OTLP arrives in a namespace. */
  readonly otlpReport: (ns: NamespaceId) => OtlpReport
  readonly testSpans: TestSpans
  /** Background jobs that failed repeatedly and have not succeeded since. */
  readonly failingJobs: () => readonly FailingJob[]
  /** How each store is. */
  readonly storeStates: () => Promise<readonly StoreState[]>
}

/** All that a resolver can reach. One per request. */
export interface Context {
  readonly principal: SessionPrincipal | KeyPrincipal
  /** The caller's active namespace, or the one of `X-Namespace-ID`; rejects when it can no longer be read. */
  readonly namespace: () => Promise<Namespace>
  /** Aborted when the client leaves or the time is up. */
  readonly signal: AbortSignal
  readonly use: UseCases
  readonly loaders: Loaders
  readonly metricFacts: MetricFactsLoader
  readonly traceLoaders: TraceLoaders
  readonly hostLoaders: HostLoaders
  readonly newest: NewestLoader
  readonly alertOverlays: OverlayLoader
  readonly slos: SlosLoader
  readonly nowMs: () => number
  readonly requestId: string
  /** Address of the client. */
  readonly address: string
}

/** The signed-in user of a request. `scope_required` for a key: keys read telemetry, they manage nothing. */
export function signedIn({ principal }: Pick<Context, 'principal'>): SessionPrincipal {
  if (principal.kind === 'user') return principal
  throw new GatewayError('scope_required', 'sign in: an API key cannot do this')
}
