import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Access } from './access/access.js'
import { openAccess } from './access/access.js'
import type { FirstCredentials } from './access/first-start.js'
import { firstStart } from './access/first-start.js'
import { openAdminChannel } from './app/admin-channel.js'
import { createAdminCommands } from './app/admin-commands.js'
import type { AppOptions } from './app/app-options.js'
import type { Addresses } from './app/addresses.js'
import { configuredAddresses, otlpUrlsOf } from './app/addresses.js'
import type { Config } from './config/config.js'
import type { NamespaceId } from './domain/ids.js'
import { createUlidSource } from './domain/ulid.js'
import type { ConsoleSite } from './http/console/console-site.js'
import type { MetricsAccess } from './http/metrics-guard.js'
import { createRequestLog } from './http/request-log.js'
import type { FinishedRequest } from './http/server.js'
import { firstRunText, writeFirstRun } from './app/first-run.js'
import type { FirstRunWatch } from './app/first-run-watch.js'
import { createFirstRunWatch } from './app/first-run-watch.js'
import { startHousekeeping } from './app/housekeeping.js'
import { ByteBudget } from './ingest/byte-budget.js'
import { limitConnections, showBodyBudget, showBodyQueue, showIngest } from './app/own-gauges.js'
import type { Ingest } from './ingest/ingest.js'
import { createIngest } from './ingest/ingest.js'
import type { OtlpUrls } from './ingest/otlp-report.js'
import { ingestLimits, maxResponseBytes, querySettings } from './app/limits-in-force.js'
import type { Clock } from './ports/clock.js'
import { App } from './app/running-app.js'
import type { RouteDeps, Servers } from './app/servers.js'
import { buildServers } from './app/servers.js'
import type { ServiceStores } from './app/open-service-stores.js'
import { openServiceStores } from './app/open-service-stores.js'
import { openConsole } from './app/open-console.js'
import { storeHealth } from './app/store-health.js'
import { PromqlThreads } from './query/promql/promql-threads.js'
import { systemTimers } from './threads/system-timers.js'
import { ShortRequests } from './threads/short-requests.js'
import { requireNoRecords } from './stores/assemble/lone-telemetry.js'
import type { OpenedStores } from './stores/assemble/open.js'
import { createLogger } from './telemetry/logger.js'
import type { SelfMetrics } from './telemetry/self-metrics.js'
import type { MonitoredJobs } from './telemetry/background-jobs.js'
import { monitorJobs } from './telemetry/background-jobs.js'
import { createSelfMetrics } from './telemetry/self-metrics.js'
import { systemClock } from './telemetry/system-clock.js'
import { VERSION } from './app/package-root.js'
import { createAlerting } from './app/alerting.js'
import { createReadUseCases, type ReadUseCases } from './app/use-cases.js'

const SECRET_BYTES = 32
/** One namespace never holds the last of them, so that it leaves a core to all others. */
const PROMQL_THREADS = Math.max(2, availableParallelism())
const CURSOR_SECRET = 'cursor_secret'

/** Everything that was opened and has to be closed again. */
interface OpenedResources {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: MonitoredJobs
  readonly stores: ServiceStores
  readonly site: ConsoleSite | null
}

/** Together: a store that has several of them cleans its files once. */
async function dropData({ logs, metrics, events, traces }: OpenedStores['telemetry'], ns: NamespaceId): Promise<void> {
  const dropped = await Promise.allSettled([logs, metrics, events, traces].map(store => store.dropNamespace(ns)))
  for (const outcome of dropped) if (outcome.status === 'rejected') throw outcome.reason as Error
}

async function makeFirstStart(
  { config, clock, stores }: OpenedResources,
  { scryptCost }: AppOptions
): Promise<FirstCredentials | null> {
  if (config.databaseUrl === null && (await stores.control.users.count()) === 0) {
    requireNoRecords(await stores.telemetry.sizes(), resolve(config.dataDir))
  }
  const password = config.adminPassword === null ? {} : { password: config.adminPassword }
  return firstStart({ store: stores.control, clock, randomBytes, scryptCost, ...password })
}

function openIdentity(
  { config, clock, stores, jobs }: OpenedResources,
  firstRun: FirstRunWatch,
  { onControlChange: onChange, scryptCost }: AppOptions
): Promise<Access> {
  return openAccess({
    store: stores.control,
    clock,
    timers: systemTimers,
    directory: stores.directory,
    randomBytes,
    registration: config.registration,
    auditRetentionMs: config.auditRetention,
    secretKeys: { current: config.secretsKey, previous: config.secretsKeyPrevious },
    issuer: config.publicUrl ?? 'alidade',
    dropData: ns => dropData(stores.telemetry, ns),
    sizes: () => stores.telemetry.sizes(),
    onPasswordChanged: () => jobs.run('first_run_file', () => firstRun.check()),
    waiting: ns => stores.spool?.waiting(ns) ?? [],
    jobs,
    onChange,
    scryptCost
  })
}

function wireIngest(opened: OpenedResources, access: Access, metrics: SelfMetrics, { onGapEvents }: AppOptions): Ingest {
  const { config, clock, stores, jobs, logger } = opened
  const { telemetry, control } = stores
  const { logs, metrics: points, events, traces } = telemetry
  const ingest = createIngest({
    clock,
    newIngestId: createUlidSource(() => clock.nowMs(), randomBytes),
    directory: access.directory,
    authorizer: access.authorizer,
    openRules: (ns, stored) => access.sealedRules.open(ns, stored),
    ...{ logs, metrics: points, events, traces },
    idempotency: control.idempotency,
    usage: metrics.counting(control.usage),
    ...{ streams: control, hosts: control, serviceEvents: control.serviceEvents, onGapEvents },
    metricFacts: control.metricFacts,
    exemplars: control.exemplars,
    ...{ patternCatalog: control.patterns, patternSeed: randomBytes(SECRET_BYTES).readInt32LE() },
    limits: ingestLimits(config),
    onError: (error, what) => logger.error({ err: error }, `${what} failed`),
    jobs
  })
  showIngest(metrics, ingest)
  return ingest
}

async function wireReads({ config, clock, stores }: OpenedResources, promqlThreads: PromqlThreads): Promise<ReadUseCases> {
  const cursorSecret = await stores.control.settings.setOnce(CURSOR_SECRET, randomBytes(SECRET_BYTES).toString('hex'))
  const { errorGroups, patterns, streams, hosts } = stores.control
  const more = { cursorSecret, promqlThreads, errorGroups, notes: stores.control, patterns, streams, hosts }
  return createReadUseCases(stores.telemetry, clock, querySettings(config), more)
}

function wireServers(
  opened: OpenedResources,
  parts: Pick<RouteDeps, 'access' | 'ingest' | 'reads' | 'alerting' | 'metrics' | 'otlpUrls'> & {
    readonly shortRequests: ShortRequests
    readonly budget: ByteBudget
  },
  isStopping: () => boolean
): Promise<Servers> {
  const { config, clock, logger, stores, jobs, site } = opened
  const settings = querySettings(config)
  const deps = {
    logger,
    newRequestId: createUlidSource(() => clock.nowMs(), randomBytes),
    bodyLimitBytes: settings.maxBodyBytes,
    trustedProxies: config.trustedProxies,
    version: VERSION,
    shortRequests: parts.shortRequests,
    budget: parts.budget,
    connections: limitConnections(config, parts.metrics),
    timers: systemTimers,
    requestLog: createRequestLog(config.logRequests, logger),
    onResponse: (finished: FinishedRequest) => parts.metrics.requestFinished(finished)
  }
  const health = { stores: () => storeHealth(stores), failingJobs: () => jobs.failing(), isStopping }
  const graphql = {
    introspection: config.graphqlIntrospection,
    sandbox: config.graphqlSandbox,
    maxResponseBytes: maxResponseBytes(settings)
  }
  const { allowsExperimental: _allowsExperimental, ...bounds } = settings
  const limits = { ingest: { ...ingestLimits(config) }, query: bounds }
  const requested = { ingest: config.ingestPort !== null, otlp: config.otlpHttpPort !== 0, grpc: config.otlpGrpcPort !== 0 }
  const metricsAccess = metricsAccessOf(config)
  return buildServers(
    deps,
    { ...parts, health, limits, graphql, site, clock, publicUrl: config.publicUrl, metricsAccess },
    requested
  )
}

function metricsAccessOf({ metricsAccess: mode, metricsToken }: Config): MetricsAccess {
  return mode === 'token' ? { mode, token: metricsToken! } : { mode }
}

/** Shows what the first start made, in the data folder at once and to the operator when the addresses are known. */
async function announcing(
  opened: OpenedResources,
  first: FirstCredentials | null,
  print: (text: string) => void
): Promise<(addresses: Addresses) => Promise<void>> {
  if (!first) return async () => undefined
  const dataDir = resolve(opened.config.dataDir)
  await writeFirstRun(dataDir, firstRunText(first, configuredAddresses(opened.config)))
  return async addresses => {
    const text = firstRunText(first, addresses)
    await writeFirstRun(dataDir, text)
    print(text)
  }
}

async function assemble(opened: OpenedResources, options: AppOptions): Promise<App> {
  const { config, clock, stores, jobs, logger } = opened
  let isStopping = false
  const firstCredentials = await makeFirstStart(opened, options)
  const announce = await announcing(opened, firstCredentials, options.print ?? (() => undefined))
  let addresses = configuredAddresses(config)
  const onAddresses = (bound: Addresses): Promise<void> => {
    addresses = bound
    return announce(bound)
  }
  const metrics = createSelfMetrics(VERSION, {
    gauges: () => stores.telemetry.gauges(),
    jobs: () => jobs.states(),
    gaugesJob: jobs.monitor('store_gauges')
  })
  const firstRun = createFirstRunWatch(stores.control, resolve(config.dataDir), clock)
  await firstRun.check()
  const access = await openIdentity(opened, firstRun, options)
  const ingest = wireIngest(opened, access, metrics, options)
  const shortRequests = new ShortRequests()
  const budget = new ByteBudget(config.limitBodyMemory, systemTimers)
  showBodyBudget(metrics, budget)
  showBodyQueue(metrics, ingest.scheduler)
  const openThreads = (): PromqlThreads => new PromqlThreads({ count: PROMQL_THREADS, shortRequests })
  const promqlThreads = openThreads()
  const reads = await wireReads(opened, promqlThreads)
  const alerting = await createAlerting({
    ...{ config, clock, logger, jobs, stores, access, ingest, reads, metrics, threads: openThreads(), randomBytes },
    onEvents: options.onAlertEvents,
    reach: options.onAlertFailPoint ?? (() => undefined)
  })
  const otlpUrls = (): OtlpUrls => otlpUrlsOf(config, addresses)
  const servers = await wireServers(
    opened,
    { access, ingest, reads, alerting, metrics, otlpUrls, shortRequests, budget },
    () => isStopping
  )
  const housekeeping = startHousekeeping(stores, { access, firstRun }, clock, jobs)
  const adminChannel = await openAdminChannel(
    resolve(config.dataDir),
    createAdminCommands(stores, { clock, patterns: ingest.patterns, onPasswordChanged: () => firstRun.check() }),
    error => logger.warn({ err: error }, 'a command of the administrator failed')
  )
  ingest.start()
  await alerting.start()
  stores.spool?.start(outcome => ingest.replayed(outcome))
  const onStopping = (): void => {
    isStopping = true
    logger.info('stopping')
  }
  const parts = {
    ...{ config, logger, stores, metrics, access, ingest, housekeeping, adminChannel, servers },
    ...{ promqlThreads, alerting, firstCredentials, onAddresses, onStopping }
  }
  return new App(parts, addresses)
}

/** Opens the stores below the data folder and puts all parts of the service together; `listen` starts to serve. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock
  const logger = options.logger ?? createLogger(config.logLevel)
  const jobs = monitorJobs({ clock, logger })
  const { storeLimits, spoolLimits } = options
  const site = await openConsole(config, options.consoleFolder, logger)
  const stores = await openServiceStores(config, {
    clock,
    logger,
    jobs,
    ...(storeLimits === undefined ? {} : { limits: storeLimits }),
    ...(spoolLimits === undefined ? {} : { spoolLimits })
  })
  options.onStores?.(stores)
  for (const sentence of stores.unread) logger.warn(sentence)
  try {
    return await assemble({ config, clock, logger, jobs, stores, site }, options)
  } catch (error) {
    await stores.close()
    throw error
  }
}
