import type { ApmError } from '../domain/records/error.js'
import type { LogRecord } from '../domain/records/log.js'
import type { MetricPoint } from '../domain/metric-point.js'
import type { RumEvent } from '../domain/records/rum.js'
import type { Span } from '../domain/span.js'
import type { NamespaceId } from '../domain/ids.js'
import type { AppendResult, Batch } from '../ports/append.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { TraceStore } from '../ports/trace-store.js'
import type { PatternKeeper } from './patterns/pattern-keeper.js'
import type { DeltaSums } from './delta-sums.js'
import { parseApmError } from './parse-apm-error.js'
import { parseApmMetric } from './parse-apm-metric.js'
import { parseLog } from './parse-log.js'
import { parseMetric } from './parse-metric.js'
import { parseOtlpLog } from './parse-otlp-log.js'
import { otlpPointParser } from './parse-otlp-point.js'
import { parseOtlpSpan } from './parse-otlp-span.js'
import { parseProtocolLine } from './parse-protocol-line.js'
import { parseRum } from './parse-rum.js'
import { noteFacts, parseTextSample } from './parse-text-sample.js'
import type { IngestReply } from './ingest-request.js'
import type { LogOptions } from './recognize-log/log-options.js'
import type { LogReadings } from './recognize-log/log-readings.js'
import type { MetricNoteKeeper } from './metric-note-keeper.js'
import { noteWritten, parseWrittenSample } from './parse-written-sample.js'
import { showError, showLog, showMetric, showRum, showSpan } from './show-record.js'
import { redactError, redactLog, redactRum, redactSpan } from './redact/redact-records.js'
import type { IngestSignal } from './signal.js'
import { errorsOf } from './span-errors.js'

/** The writing side of the telemetry stores. */
export interface WriteStores {
  readonly logs: Pick<LogStore, 'append' | 'settle'>
  readonly patterns: Pick<PatternKeeper, 'assign'>
  readonly metrics: Pick<MetricStore, 'append' | 'settle'>
  readonly events: Pick<EventStore, 'appendRum' | 'appendErrors' | 'settle'>
  readonly traces: Pick<TraceStore, 'append' | 'settle'>
}

/** The stores of metrics and of their metadata. */
export interface MetricStores extends Pick<WriteStores, 'metrics'> {
  readonly notes: Pick<MetricNoteKeeper, 'keep'>
}

/** By which members logs were recognized, and what their sender should know. */
function readOfLogs(
  logs: readonly LogRecord[],
  readings: LogReadings,
  options: LogOptions
): Pick<IngestReply, 'read' | 'warnings'> {
  const read = readings.reply(logs)
  const warnings = readings.warnings(options)
  return { ...(read !== null && { read }), ...(warnings.length > 0 && { warnings }) }
}

const NS_PER_MS = 1_000_000n

function timesOf(logs: readonly LogRecord[]): { readonly minMs: number; readonly maxMs: number } | null {
  const [first] = logs
  if (first === undefined) return null
  let [min, max] = [first.timestampNs, first.timestampNs]
  for (const { timestampNs } of logs) {
    if (timestampNs < min) min = timestampNs
    else if (timestampNs > max) max = timestampNs
  }
  return { minMs: Number(min / NS_PER_MS), maxMs: Number(max / NS_PER_MS) }
}

/** Logs in JSON. */
export function logSignal({ logs, patterns }: Pick<WriteStores, 'logs' | 'patterns'>): IngestSignal<LogRecord> {
  return {
    name: 'logs',
    retained: 'logs',
    parse: parseLog,
    append: async (ns, batch) => {
      await patterns.assign(ns, batch.items)
      return logs.append(ns, batch)
    },
    settle: ns => logs.settle(ns),
    rules: { redact: redactLog, logOf: log => log },
    show: showLog,
    read: readOfLogs,
    times: timesOf,
    refusedByStore: 'invalid_field'
  }
}

/** Metric points in JSON. */
export function metricSignal({ metrics, notes }: MetricStores): IngestSignal<MetricPoint> {
  return {
    name: 'metrics',
    retained: 'metrics',
    parse: parseMetric,
    append: (ns, batch) => metrics.append(ns, batch),
    keep: (ns, reported) => notes.keep(ns, reported),
    settle: ns => metrics.settle(ns),
    show: showMetric,
    // Stores refuse single points only beyond the budget of active series.
    refusedByStore: 'quota_exceeded'
  }
}

/** APM metrics are points too. */
export function apmMetricSignal(stores: MetricStores): IngestSignal<MetricPoint> {
  return { ...metricSignal(stores), parse: parseApmMetric }
}

/** Logs over OTLP. */
export function otlpLogSignal(stores: Pick<WriteStores, 'logs' | 'patterns'>): IngestSignal<LogRecord> {
  return { ...logSignal(stores), parse: parseOtlpLog }
}

/** Metric points over OTLP. */
export function otlpMetricSignal(stores: MetricStores, deltas: DeltaSums): IngestSignal<MetricPoint> {
  return { ...metricSignal(stores), parse: otlpPointParser(deltas) }
}

/**
 * Spans, and the exceptions of those that were stored as errors, both under the request's ingest id, so that what is
 * replayed out of journal or spool is stored once in each (docs/adr/0017). Spans go first: a request that is refused for
 * them and sent again has not counted its exceptions yet.
 */
async function appendSpans(
  { events, traces }: Omit<WriteStores, 'patterns'>,
  ns: NamespaceId,
  batch: Batch<Span>
): Promise<AppendResult> {
  const result = await traces.append(ns, batch)
  const failed = new Set(result.failures.map(({ index }) => index))
  const errors = errorsOf(batch.items.filter(({ index }) => !failed.has(index)))
  if (errors.length > 0) await events.appendErrors(ns, { ...batch, items: errors })
  return result
}

/** Spans over OTLP. */
export function otlpSpanSignal(stores: Omit<WriteStores, 'patterns'>): IngestSignal<Span> {
  return {
    name: 'spans',
    retained: 'traces',
    parse: parseOtlpSpan,
    append: (ns, batch) => appendSpans(stores, ns, batch),
    settle: async ns => {
      await Promise.all([stores.traces.settle(ns), stores.events.settle(ns)])
    },
    rules: { redact: redactSpan },
    show: showSpan,
    refusedByStore: 'invalid_field'
  }
}

/** Samples of remote write. */
export function writtenSampleSignal(stores: MetricStores): IngestSignal<MetricPoint> {
  return { ...metricSignal(stores), parse: parseWrittenSample, note: noteWritten }
}

/** Samples of a string: Prometheus's format or OpenMetrics. */
export function textSampleSignal(stores: MetricStores): IngestSignal<MetricPoint> {
  return { ...metricSignal(stores), parse: parseTextSample, note: noteFacts }
}

/** Lines of InfluxDB's line protocol. */
export function protocolLineSignal(stores: MetricStores): IngestSignal<MetricPoint> {
  return { ...metricSignal(stores), parse: parseProtocolLine }
}

/** Page views. */
export function rumSignal({ events }: Pick<WriteStores, 'events'>): IngestSignal<RumEvent> {
  return {
    name: 'rum',
    retained: 'rum',
    parse: parseRum,
    append: (ns, batch) => events.appendRum(ns, batch),
    settle: ns => events.settle(ns),
    rules: { redact: redactRum },
    show: showRum,
    refusedByStore: 'invalid_field'
  }
}

/** Application errors. */
export function apmErrorSignal({ events }: Pick<WriteStores, 'events'>): IngestSignal<ApmError> {
  return {
    name: 'errors',
    retained: 'errors',
    parse: parseApmError,
    append: (ns, batch) => events.appendErrors(ns, batch),
    settle: ns => events.settle(ns),
    rules: { redact: redactError },
    show: showError,
    refusedByStore: 'invalid_field'
  }
}
