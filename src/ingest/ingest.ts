import type { Authorizer } from '../access/authorizer.js'
import type { IngestId, NamespaceId } from '../domain/ids.js'
import type { LogRules } from '../domain/log-rules.js'
import type { BackgroundJobs, RepeatedJob } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { IdempotencyKeys } from '../ports/idempotency-keys.js'
import type { UsageLedger } from '../ports/usage-ledger.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { ExemplarStore, MetricFactsCatalog } from '../ports/metric-notes.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { PatternCatalog } from '../ports/pattern-catalog.js'
import type { TraceStore } from '../ports/trace-store.js'
import type { Timers } from '../ports/timers.js'
import { systemTimers } from '../threads/system-timers.js'
import { LargeReads } from '../query/large-reads.js'
import type { ReplayedRecords } from '../ports/record-spool.js'
import { type AcceptDeps, RecordAcceptor, type RateRule } from './accept-records.js'
import { DeltaSums } from './delta-sums.js'
import { Idempotency } from './idempotency.js'
import type { AcceptRecords, IngestRequest } from './ingest-request.js'
import { namespaceOfItems, NamespaceResolution, resolveByKey, type ResolvedNamespace } from './resolve-namespace.js'
import { IngestRates } from './ingest-rates.js'
import { Ledger } from './ledger.js'
import type { IngestLimits } from './limits.js'
import { MetricNoteKeeper } from './metric-note-keeper.js'
import { OtlpStatus } from './otlp-status.js'
import { PatternKeeper, type PatternCounts } from './patterns/pattern-keeper.js'
import { RateLimits } from '../threads/rate-limits.js'
import { MetricTextReader } from './read-metric-text.js'
import { OTLP_LOGS, OTLP_METRICS, OTLP_TRACES, type OtlpDecoder, OtlpReader } from './read-otlp.js'
import { RemoteWriteReader } from './read-remote-write.js'
import { type RawRecords, RecordReader, type Shape } from './read-records.js'
import {
  apmErrorSignal,
  apmMetricSignal,
  logSignal,
  metricSignal,
  type MetricStores,
  otlpLogSignal,
  otlpMetricSignal,
  otlpSpanSignal,
  protocolLineSignal,
  rumSignal,
  type WriteStores,
  textSampleSignal,
  writtenSampleSignal
} from './signals.js'
import { FairScheduler } from './fair-scheduler.js'
import { RuleBook } from './rules/rule-book.js'
import { type Reports, type ReportsDeps, reportsOf } from './reports.js'
import { StreamAcceptor } from './streams/accept-stream.js'
import { LogGapEvents } from './streams/log-gap-events.js'
import { STREAM_LIMITS, type StreamLimits } from './streams/stream-limits.js'
import { StreamRecorder } from './streams/stream-recorder.js'

/** Dependencies of `createIngest`. */
export interface IngestDeps extends Omit<WriteStores, 'patterns'>, ReportsDeps {
  readonly timers?: Timers
  readonly newIngestId: () => IngestId
  readonly directory: NamespaceDirectory
  /** Decides for sessions (RUM); keys are decided by their own list and the directory. */
  readonly authorizer: Pick<Authorizer, 'writeNamespace'>
  readonly logs: Pick<LogStore, 'append' | 'settle' | 'stream'>
  readonly metrics: Pick<MetricStore, 'append' | 'settle'>
  readonly events: Pick<EventStore, 'appendRum' | 'appendErrors' | 'settle'>
  readonly traces: Pick<TraceStore, 'append' | 'settle'>
  readonly idempotency: IdempotencyKeys
  readonly usage: UsageLedger
  /** Bounds of the stream ledger; `STREAM_LIMITS` when absent. */
  readonly streamLimits?: StreamLimits
  /** Called after events about gaps of log streams are stored here. */
  readonly onGapEvents?: (() => void) | undefined
  /** Metadata and exemplars of metrics. */
  readonly metricFacts: MetricFactsCatalog
  readonly exemplars: ExemplarStore
  /** Reads rules for records, as the control store has them; throws for rules that cannot be read. */
  readonly openRules: (ns: NamespaceId, stored: string) => LogRules
  /** Templates of logs. */
  readonly patternCatalog: PatternCatalog
  /** Chooses the keys under which messages are known; 32 random bits. */
  readonly patternSeed: number
  readonly limits: IngestLimits
  /** Called with faults that must not change a reply. */
  readonly onError: (error: unknown, what: string) => void
  readonly jobs: BackgroundJobs
}

/** All write use cases, wired. */
export interface Ingest extends Reports {
  readonly limits: IngestLimits
  /** What large bodies share; what a route makes of one before it is ingested takes its turns here, too. */
  readonly scheduler: Pick<FairScheduler, 'through' | 'state'>
  /** `POST /api/v1/logs`. */
  readonly log: AcceptRecords
  /** `POST /api/v1/logs/batch`. */
  readonly logs: AcceptRecords
  /** `POST /api/v1/ingest`. */
  readonly point: AcceptRecords
  /** `POST /api/v1/ingest/batch`. */
  readonly points: AcceptRecords
  /** `POST /api/v1/apm/rum`. */
  readonly rum: AcceptRecords
  /** `POST /api/v1/apm/metrics`. */
  readonly apmMetric: AcceptRecords
  /** `POST /api/v1/apm/errors`. */
  readonly apmError: AcceptRecords
  /** OTLP logs. */
  readonly otlpLogs: AcceptRecords
  /** OTLP metrics. */
  readonly otlpMetrics: AcceptRecords
  /** OTLP spans. */
  readonly otlpTraces: AcceptRecords
  /** A span in OTLP that a signed-in member sends. */
  readonly testSpan: AcceptRecords
  /** Whether OTLP arrives. */
  readonly otlpStatus: OtlpStatus
  /** Rates of namespaces whose ingest a client follows. */
  readonly rates: IngestRates
  /** Counts records that had waited in the spool. */
  replayed(outcome: ReplayedRecords): void
  /** Prometheus remote write. */
  readonly remoteWrite: AcceptRecords
  /** Memory that it takes for series of earlier requests. */
  knownSeriesBytes(): number
  /** Finds patterns of logs that are stored already. */
  readonly patterns: Pick<PatternKeeper, 'find'>
  /** Patterns of logs since the start. */
  patternCounts(): PatternCounts
  /** Values that log rules replaced since the start. */
  redactedCount(): number
  /** Strings of metrics: Prometheus's format or OpenMetrics. */
  readonly metricText: AcceptRecords
  /** InfluxDB's line protocol. */
  readonly lineProtocol: AcceptRecords
  /** Starts the ledger's flush (each second), events of gaps, and the sweep of old idempotency keys (each hour). */
  start(): void
  /** Stops them and flushes the ledger once more; after the last request, before the control store closes. */
  close(): Promise<void>
}

const SWEEP_MS = 3_600_000
const RUM_BURST_FACTOR = 10
const ONE = { kind: 'one' } as const satisfies Shape

/** The namespace of the body, or the one that all of its records name. */
function resolveWith(resolver: NamespaceResolution): AcceptDeps['resolve'] {
  return (request: IngestRequest, raw: RawRecords): ResolvedNamespace => {
    const isNamed = raw.namespace !== undefined && raw.namespace !== null && raw.namespace !== ''
    return resolveByKey(resolver, request, isNamed ? raw.namespace : namespaceOfItems(raw.items))
  }
}

function byteRate(limits: IngestLimits, clock: Clock): RateRule {
  const rates = new RateLimits(
    {
      name: 'ingest',
      unit: 'content-bytes',
      perSecond: limits.bytesPerSecond,
      burst: limits.bytesPerSecond * limits.burstSeconds
    },
    () => clock.monotonicMs()
  )
  return (request, ns) => rates.take(ns, request.body.length)
}

/** RUM keys are public: one visitor must not use up what all have, nor all of them the namespace's. */
function rumRates(limits: IngestLimits, clock: Clock): readonly RateRule[] {
  const rates = (name: string, perSecond: number): RateLimits =>
    new RateLimits({ name, unit: 'requests', perSecond, burst: perSecond * RUM_BURST_FACTOR }, () => clock.monotonicMs())
  const perAddress = rates('rum-address', limits.rumPerAddress)
  const perKey = rates('rum-key', limits.rumPerKey)
  const owner = ({ principal }: IngestRequest): string => (principal.kind === 'key' ? principal.keyId : principal.userId)
  return [request => perAddress.take(`${owner(request)} ${request.address ?? ''}`, 1), request => perKey.take(owner(request), 1)]
}

/** Metrics as text and as line protocol. */
function textWriters(stores: MetricStores, common: Omit<AcceptDeps, 'reader'>): Pick<Ingest, 'metricText' | 'lineProtocol'> {
  const deps = { ...common, reader: new MetricTextReader(common.limits.otlpRecords, common.scheduler) }
  return {
    metricText: new RecordAcceptor(textSampleSignal(stores), deps),
    lineProtocol: new RecordAcceptor(protocolLineSignal(stores), deps)
  }
}

function streamsOf(
  { streams: control, logs, clock, streamLimits: limits = STREAM_LIMITS }: IngestDeps,
  onGaps: () => void
): StreamAcceptor {
  const comparison = { logs, limits, reads: new LargeReads('comparisons of batches') }
  return new StreamAcceptor({ recorder: new StreamRecorder({ control, clock, limits, onGaps }), comparison, clock })
}

function gapEventsOf(deps: IngestDeps): LogGapEvents {
  const { streams: control, serviceEvents: events, clock, timers = systemTimers, jobs, onGapEvents: onEvents } = deps
  return new LogGapEvents({ ledger: control.streams, events, clock, timers, jobs, onEvents })
}

function idempotencyOf(
  { idempotency: keys, clock, newIngestId, limits, onError }: IngestDeps,
  scheduler: FairScheduler
): Idempotency {
  return new Idempotency({ keys, clock, newIngestId, scheduler, keptMs: limits.idempotencyMs, onError })
}

function patternsOf(deps: IngestDeps, scheduler: FairScheduler): PatternKeeper {
  const { patternCatalog: catalog, patternSeed: seed, clock, timers = systemTimers, onError } = deps
  return new PatternKeeper({ catalog, seed, clock, timers, scheduler, onError })
}

/** What runs besides requests. */
interface Background {
  readonly ledger: Ledger
  readonly gapEvents: LogGapEvents
  readonly idempotency: Idempotency
}

function lifeOf({ jobs }: IngestDeps, { ledger, gapEvents, idempotency }: Background): Pick<Ingest, 'start' | 'close'> {
  let sweep: RepeatedJob | undefined
  return {
    start(): void {
      ledger.start()
      gapEvents.start()
      sweep ??= jobs.repeat('idempotency_sweep', SWEEP_MS, () => idempotency.sweep())
    },
    async close(): Promise<void> {
      await sweep?.stop()
      sweep = undefined
      await gapEvents.close()
      await ledger.close()
    }
  }
}

/** Wires the write use cases. Nothing runs until `start`. */
export function createIngest(deps: IngestDeps): Ingest {
  const { limits, clock, newIngestId } = deps
  const { otlpRecords } = limits
  const scheduler = new FairScheduler(limits.largeBodiesBytes)
  const idempotency = idempotencyOf(deps, scheduler)
  const rates = new IngestRates(clock, deps.timers ?? systemTimers)
  const ledger = new Ledger(deps.usage, clock, deps.jobs.monitor('usage_flush'), (...request) => rates.count(...request))
  const resolver = new NamespaceResolution(deps.directory, deps.authorizer)
  const bytes = byteRate(limits, clock)
  const ruleBook = new RuleBook(deps.openRules)
  const shares = { idempotency, ledger, clock, newIngestId, scheduler, limits, ruleBook }
  const common = { ...shares, rates: [bytes], resolve: resolveWith(resolver) }
  const shaped = (shape: Shape): AcceptDeps => ({ ...common, reader: new RecordReader(shape, limits, scheduler) })
  const otlp = (decoder: OtlpDecoder): AcceptDeps => ({ ...common, reader: new OtlpReader(decoder, otlpRecords, scheduler) })
  const ofCaller: AcceptDeps['resolve'] = request => resolver.resolveOfCaller(request)
  const rum: AcceptDeps = { ...shaped(ONE), resolve: ofCaller, rates: [...rumRates(limits, clock), bytes] }
  const notes = new MetricNoteKeeper({ facts: deps.metricFacts, exemplars: deps.exemplars, clock })
  const stores = { metrics: deps.metrics, notes }
  const patterns = patternsOf(deps, scheduler)
  const logStores = { logs: deps.logs, patterns }
  const gapEvents = gapEventsOf(deps)
  const streams = streamsOf(deps, () => gapEvents.wake())
  const remoteWrite = new RemoteWriteReader(otlpRecords, scheduler)
  return {
    limits,
    scheduler,
    log: new RecordAcceptor(logSignal(logStores), shaped({ ...ONE, batchKey: 'logs' })),
    logs: new RecordAcceptor(logSignal(logStores), { ...shaped({ kind: 'many', key: 'logs' }), streams }),
    point: new RecordAcceptor(metricSignal(stores), shaped({ ...ONE, batchKey: 'metrics' })),
    points: new RecordAcceptor(metricSignal(stores), shaped({ kind: 'many', key: 'metrics' })),
    rum: new RecordAcceptor(rumSignal(deps), rum),
    apmMetric: new RecordAcceptor(apmMetricSignal(stores), shaped(ONE)),
    apmError: new RecordAcceptor(apmErrorSignal(deps), shaped(ONE)),
    otlpLogs: new RecordAcceptor(otlpLogSignal(logStores), otlp(OTLP_LOGS)),
    otlpMetrics: new RecordAcceptor(otlpMetricSignal(stores, new DeltaSums(limits.deltaSeries)), otlp(OTLP_METRICS)),
    otlpTraces: new RecordAcceptor(otlpSpanSignal(deps), otlp(OTLP_TRACES)),
    testSpan: new RecordAcceptor(otlpSpanSignal(deps), { ...otlp(OTLP_TRACES), resolve: ofCaller }),
    otlpStatus: new OtlpStatus(clock),
    rates,
    replayed: outcome => ledger.countReplayed(outcome),
    remoteWrite: new RecordAcceptor(writtenSampleSignal(stores), { ...common, reader: remoteWrite }),
    knownSeriesBytes: () => remoteWrite.knownBytes,
    patterns,
    patternCounts: () => patterns.counts,
    redactedCount: () => ruleBook.redacted,
    ...textWriters(stores, common),
    ...reportsOf(deps, { scheduler, resolver, rate: bytes, settled: (ns, hostId) => streams.settled(ns, hostId) }),
    ...lifeOf(deps, { ledger, gapEvents, idempotency })
  }
}
