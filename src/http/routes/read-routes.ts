import type { FastifyInstance } from 'fastify'
import { type AggregateDeps, aggregateRoute } from './aggregate.js'
import { type AlertsDeps, alertsRoutes } from './alerts.js'
import { authenticateFirst } from '../authenticate-first.js'
import type { ApmQueryDeps } from './apm-query.js'
import { apmQueryRoutes } from './apm-query.js'
import { type ChannelsDeps, channelsRoutes } from './channels.js'
import { type CompareDeps, compareRoute } from './compare.js'
import type { CorrelateMetricsDeps } from './correlate-metrics.js'
import { correlateMetricsRoute } from './correlate-metrics.js'
import type { ErrorGroupsDeps } from './error-groups.js'
import { errorGroupsRoutes } from './error-groups.js'
import { exportsRoutes, type ExportsDeps } from './exports.js'
import { type HostsDeps, hostsRoutes } from './hosts.js'
import { type LogPatternDeps, logPatternRoutes } from './log-pattern.js'
import type { LogsQueryDeps } from './logs-query.js'
import { logsQueryRoutes } from './logs-query.js'
import { logTailRoute, type LogTailRouteDeps } from './log-tail.js'
import { type CardinalityDeps, cardinalityRoute } from './metric-cardinality.js'
import type { MetricRoutesDeps } from './metric-query.js'
import { metricQueryRoutes } from './metric-query.js'
import { type MeasuresDeps, measuresRoutes } from './measures.js'
import { type NotificationsDeps, notificationsRoutes } from './notifications.js'
import type { OtlpStatusDeps } from './otlp-status.js'
import { otlpStatusRoute } from './otlp-status.js'
import type { OtlpTestSpanDeps } from './otlp-test-span.js'
import { otlpTestSpanRoute } from './otlp-test-span.js'
import type { PrometheusDeps } from '../prometheus/endpoints.js'
import { prometheusRoutes } from './prometheus.js'
import type { ServicesDeps } from './services.js'
import { servicesRoutes } from './services.js'
import type { RumQueryDeps } from './rum-query.js'
import { rumQueryRoutes } from './rum-query.js'
import { type RuleFilesDeps, ruleFilesRoutes } from './rule-files.js'
import { type ServiceEventsDeps, serviceEventsRoutes } from './service-events.js'
import { type SlosDeps, slosRoutes } from './slos.js'
import { type StreamsDeps, streamsRoutes } from './streams.js'
import type { TracesQueryDeps } from './traces-query.js'
import { tracesQueryRoutes } from './traces-query.js'
import { type ViewsDeps, viewsRoutes } from './views.js'
import { addScope } from '../scope.js'

/** The dependencies of all read routes. */
export type ReadRoutesDeps = LogsQueryDeps &
  LogPatternDeps &
  LogTailRouteDeps &
  AggregateDeps &
  ExportsDeps &
  CompareDeps &
  CorrelateMetricsDeps &
  ServicesDeps &
  MetricRoutesDeps &
  CardinalityDeps &
  RumQueryDeps &
  ApmQueryDeps &
  TracesQueryDeps &
  ErrorGroupsDeps &
  AlertsDeps &
  RuleFilesDeps &
  SlosDeps &
  MeasuresDeps &
  ViewsDeps &
  ServiceEventsDeps &
  OtlpStatusDeps &
  StreamsDeps &
  HostsDeps &
  OtlpTestSpanDeps &
  ChannelsDeps &
  NotificationsDeps &
  PrometheusDeps

/** Registers all read routes in a scope that authenticates every caller as a reader. */
export function readRoutes(app: FastifyInstance, deps: ReadRoutesDeps): void {
  addScope(app, 'reads', scope => {
    authenticateFirst(scope, req => deps.authenticator.reader(req))
    logsQueryRoutes(scope, deps)
    logPatternRoutes(scope, deps)
    logTailRoute(scope, deps)
    aggregateRoute(scope, deps)
    exportsRoutes(scope, deps)
    compareRoute(scope, deps)
    correlateMetricsRoute(scope, deps)
    metricQueryRoutes(scope, deps)
    cardinalityRoute(scope, deps)
    rumQueryRoutes(scope, deps)
    apmQueryRoutes(scope, deps)
    tracesQueryRoutes(scope, deps)
    errorGroupsRoutes(scope, deps)
    alertsRoutes(scope, deps)
    ruleFilesRoutes(scope, deps)
    slosRoutes(scope, deps)
    measuresRoutes(scope, deps)
    viewsRoutes(scope, deps)
    serviceEventsRoutes(scope, deps)
    servicesRoutes(scope, deps)
    streamsRoutes(scope, deps)
    hostsRoutes(scope, deps)
    channelsRoutes(scope, deps)
    notificationsRoutes(scope, deps)
    otlpStatusRoute(scope, deps)
    otlpTestSpanRoute(scope, deps)
    prometheusRoutes(scope, deps)
  })
}
