import type { Access } from '../access/access.js'
import { AuditTrail } from '../access/audit-service.js'
import { SecretSource } from '../access/secrets.js'
import { Backtest } from '../alerting/evaluate/backtest/backtest.js'
import type { ReadPromql } from '../alerting/evaluate/parse-rule/parse-condition.js'
import { QueryConditionReader } from '../alerting/evaluate/read/query-condition-reader.js'
import { MeasureReader } from '../alerting/measures/measure-reader.js'
import { MeasureRounds } from '../alerting/measures/measure-rounds.js'
import { MeasureService } from '../alerting/measures/measure-service.js'
import { AlertOverlays } from '../alerting/notify/manage/alert-overlays.js'
import type { ReachFailPoint } from '../alerting/fail-points.js'
import { AlertBacktests } from '../alerting/rules/alert-backtests.js'
import { AlertIntervals } from '../alerting/rules/alert-intervals.js'
import { AlertReport } from '../alerting/rules/alert-report.js'
import { AlertRuleService } from '../alerting/rules/alert-rule-service.js'
import { IngestSamples } from '../alerting/rules/ingest-samples.js'
import { RuleImport } from '../alerting/rules/rule-import.js'
import { EVENTS_KEPT, EVENTS_KEPT_MS } from '../alerting/rules/rule-limits.js'
import { RuleThreads } from '../alerting/rule-work/rule-threads.js'
import { SloBacktests } from '../alerting/slo/slo-backtests.js'
import { SloImport } from '../alerting/slo/slo-import.js'
import { SloReports } from '../alerting/slo/slo-report.js'
import { SloService } from '../alerting/slo/slo-service.js'
import { AlertScheduler } from '../alerting/schedule/alert-scheduler.js'
import { ShardLeases } from '../alerting/schedule/shard-leases.js'
import type { Config } from '../config/config.js'
import type { NamespaceId } from '../domain/ids.js'
import { SERVICE_EVENTS_KEPT, SERVICE_EVENTS_KEPT_MS } from '../domain/service-event.js'
import type { Ingest } from '../ingest/ingest.js'
import type { BackgroundJobs, RepeatedJob } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { Logger } from '../ports/logger.js'
import { logsByPattern } from '../query/patterns/logs-by-pattern.js'
import { PatternNames } from '../query/patterns/pattern-names.js'
import { PromqlQuery } from '../query/promql/promql-query.js'
import type { PromqlThreads } from '../query/promql/promql-threads.js'
import { ServiceEventReport } from '../query/service-events/service-event-report.js'
import type { OpenedStores } from '../stores/assemble/open.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'
import { systemTimers } from '../threads/system-timers.js'
import { querySettings } from './limits-in-force.js'
import { type Notifications, type NotificationUseCases, openNotifications } from './notifications.js'
import { VERSION } from './package-root.js'
import { mailSettingsOf } from './mail-settings.js'
import type { ReadUseCases } from './use-cases.js'

const HOUR_MS = 3_600_000
/** Name among the background jobs. */
const HISTORY = 'alert_history'

/** Dependencies of `createAlerting`. */
export interface AlertingDeps {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  readonly jobs: BackgroundJobs
  readonly stores: Pick<OpenedStores, 'control' | 'telemetry'>
  readonly access: Pick<Access, 'authorizer' | 'directory'>
  /** Takes samples of recording rules. */
  readonly ingest: Pick<Ingest, 'metricText'>
  readonly reads: Pick<ReadUseCases, 'promql' | 'slices'>
  readonly metrics: Pick<SelfMetrics, 'show' | 'evaluationFinished'>
  /** PromQL of rules alone: evaluations and queries of users do not wait for each other. Closed by `stop`. */
  readonly threads: PromqlThreads
  readonly randomBytes: (n: number) => Uint8Array
  /** Called after events of a namespace are stored here. */
  readonly onEvents?: ((ns: NamespaceId) => void) | undefined
  readonly reach: ReachFailPoint
}

/** The use cases of alerts, and what evaluates their rules. */
export interface Alerting {
  readonly alertRules: AlertRuleService
  readonly alertReport: AlertReport
  readonly notifications: NotificationUseCases
  readonly alertBacktests: AlertBacktests
  readonly serviceEvents: ServiceEventReport
  readonly ruleThreads: RuleThreads
  readonly ruleImport: RuleImport
  readonly alertOverlays: AlertOverlays
  readonly alertIntervals: AlertIntervals
  readonly slos: SloService
  readonly measures: MeasureService
  readonly sloReports: SloReports
  readonly sloImport: SloImport
  readonly sloBacktests: SloBacktests
  /** Begins to evaluate. Failures of the control store are background failures, which are repeated. */
  start(): Promise<void>
  /** Ends evaluations and lets another gateway take over; before the stores close. */
  stop(): Promise<void>
}

function readerOf({ clock, logger, stores }: AlertingDeps, promql: Pick<PromqlQuery, 'run' | 'parse'>): QueryConditionReader {
  const { logs, traces } = stores.telemetry
  const byPattern = logsByPattern(logs, new PatternNames(stores.control.patterns, clock))
  return new QueryConditionReader({ promql, logs: byPattern, traces, events: stores.control.serviceEvents, clock, logger })
}

function notificationsOf(
  { config, clock, jobs, stores, access, randomBytes, reach }: AlertingDeps,
  leases: ShardLeases
): Promise<Notifications> {
  return openNotifications({
    ...{ store: stores.control, clock, jobs, leases, randomBytes, reach, authorizer: access.authorizer, timers: systemTimers },
    secretKeys: { current: config.secretsKey, previous: config.secretsKeyPrevious },
    allow: config.webhookAllow ?? [],
    externalUrl: config.publicUrl ?? '',
    version: VERSION,
    mail: mailSettingsOf(config)
  })
}

function schedulerOf(deps: AlertingDeps, leases: ShardLeases, wake: () => void): AlertScheduler {
  const { config, clock, jobs, stores, access, ingest, reads, metrics, threads, onEvents, reach } = deps
  const { alertRules: rules, alertStates: states, changes } = stores.control
  const scheduler = new AlertScheduler({
    ...{ rules, states, changes, leases, clock, jobs, reach, timers: systemTimers },
    directory: access.directory,
    reader: readerOf(
      deps,
      new PromqlQuery({ metrics: stores.telemetry.metrics, clock, settings: querySettings(config), threads })
    ),
    samples: new IngestSamples(ingest.metricText),
    slices: reads.slices,
    externalUrl: config.publicUrl ?? '',
    onFinished: figures => metrics.evaluationFinished(figures),
    onEvents: ns => {
      wake()
      onEvents?.(ns)
    }
  })
  metrics.show('alidade_alert_rules', 'Alert rules that this gateway evaluates', () => scheduler.rules)
  metrics.show('alidade_alert_evaluations_waiting', 'Evaluations of alert rules queued for a slot', () => scheduler.waiting)
  return scheduler
}

function measureRoundsOf({ clock, jobs, stores, access, ingest, reach }: AlertingDeps, leases: ShardLeases): MeasureRounds {
  const { logs, traces, metrics } = stores.telemetry
  const byPattern = logsByPattern(logs, new PatternNames(stores.control.patterns, clock))
  const aggregate = {
    logs: byPattern.aggregate.bind(byPattern),
    spans: traces.aggregate.bind(traces)
  }
  const reader = new MeasureReader(aggregate, metrics)
  const written = { measures: stores.control.savedMeasures, samples: new IngestSamples(ingest.metricText) }
  return new MeasureRounds({ ...written, reader, leases, clock, jobs, reach, directory: access.directory })
}

/** Ends the history of alerts, and events of services, at their bounds. */
async function deleteOldEvents({ alertStates, serviceEvents }: OpenedStores['control'], nowMs: number): Promise<void> {
  await alertStates.deleteEvents(nowMs - EVENTS_KEPT_MS, EVENTS_KEPT)
  await serviceEvents.deleteOld(nowMs - SERVICE_EVENTS_KEPT_MS, SERVICE_EVENTS_KEPT)
}

/** Wires alerts. Nothing is evaluated or sent before `start`. */
export async function createAlerting(deps: AlertingDeps): Promise<Alerting> {
  const { clock, jobs, stores, access, reads, threads, reach } = deps
  const { control } = stores
  const secrets = new SecretSource(deps.randomBytes)
  const leases = new ShardLeases({ leases: control.alertLeases, holder: secrets.id(), clock, jobs, reach, timers: systemTimers })
  const notifications = await notificationsOf(deps, leases)
  const scheduler = schedulerOf(deps, leases, () => notifications.wake())
  const ofRules = {
    ...{ store: control, clock, secrets, audit: new AuditTrail(clock, secrets), authorizer: access.authorizer },
    onChange: (ns: NamespaceId) => scheduler.reload(ns)
  }
  const readPromql: ReadPromql = query => reads.promql.parse(query)
  const alertRules = new AlertRuleService({ ...ofRules, readPromql })
  const slos = new SloService({ ...ofRules, readPromql })
  const ruleThreads = new RuleThreads({ settings: querySettings(deps.config), timers: systemTimers })
  const alertReport = new AlertReport({ store: control, rules: alertRules, clock })
  // By the threads of users: a backtest is a query, and delays no evaluation.
  const past = { reader: readerOf(deps, reads.promql), clock, timers: systemTimers, slices: reads.slices }
  const externalUrl = deps.config.publicUrl ?? ''
  const measures = new MeasureService({ ...ofRules, metrics: stores.telemetry.metrics })
  const rounds = measureRoundsOf(deps, leases)
  let history: RepeatedJob | null = null
  return {
    alertRules,
    alertReport,
    alertOverlays: new AlertOverlays({ store: control, report: alertReport, clock }),
    alertIntervals: new AlertIntervals({ store: control, clock }),
    notifications: notifications.useCases,
    alertBacktests: new AlertBacktests({
      backtest: new Backtest(past),
      alertRules,
      rules: control.alertRules,
      clock,
      externalUrl
    }),
    slos,
    measures,
    sloReports: new SloReports({ promql: reads.promql, clock, settings: querySettings(deps.config) }),
    sloImport: new SloImport({ slos, threads: ruleThreads, authorizer: access.authorizer }),
    sloBacktests: new SloBacktests({ ...past, promql: reads.promql, readerOf: promql => readerOf(deps, promql), externalUrl }),
    serviceEvents: new ServiceEventReport(control.serviceEvents, clock),
    ...{ ruleThreads, ruleImport: new RuleImport({ ...ofRules, rules: alertRules, threads: ruleThreads }) },
    start: async () => {
      await scheduler.start()
      notifications.start()
      rounds.start()
      history = jobs.repeat(HISTORY, HOUR_MS, () => deleteOldEvents(control, clock.nowMs()))
    },
    stop: async () => {
      await history?.stop()
      // While the leases are held: what is in flight is recorded.
      await notifications.stop()
      await rounds.stop()
      await scheduler.stop()
      await Promise.all([threads.close(), ruleThreads.close()])
    }
  }
}
