import type { RecordId } from '../ids.js'
import type { JsonObject } from '../json.js'
import { ulidTimeMs } from '../ulid.js'
import { fieldsOf, type RecordField, type StoredFields } from './field.js'

/** One log line, checked and normalized (conventions 4, 5, 9). */
export interface LogRecord {
  /** Position in its request; with the ingest id it makes the record id. */
  readonly index: number
  /** Event time, Unix nanoseconds. */
  readonly timestampNs: bigint
  readonly message: string
  /** Canonical level (`domain/severity`), null when none was sent. */
  readonly level: string | null
  /** The level as sent by the client. */
  readonly levelText: string | null
  /** OTel severity number 1-24; 0 unknown. */
  readonly severityNumber: number
  readonly service: string | null
  readonly host: string | null
  /** Deployment environment, for example `production`. */
  readonly environment: string | null
  readonly source: string | null
  readonly traceId: string | null
  readonly spanId: string | null
  /** Pattern of the message (`domain/log-pattern`); null until it is assigned, and for logs from before patterns. */
  patternId: string | null
  /** No timestamp was sent: `timestampNs` is the time of arrival. */
  readonly isServerTime: boolean
  /** The message was longer than the limit and was cut. */
  readonly isTruncated: boolean
  /** `log_fields` as sent, with unknown top-level members. Adapters flatten it for search (`domain/flatten`). */
  readonly fields: JsonObject
  readonly tags: JsonObject
}

/** A log as a store returns it. */
export interface StoredLog extends Omit<LogRecord, 'index'> {
  readonly id: RecordId
  /** Unix milliseconds at which it was received (the time in its ingest id). */
  readonly ingestedAtMs: number
}

const field = fieldsOf<LogRecord>()

const LEVEL = field('text', 'level', log => log.level, {
  document: 'log.level',
  at: 3,
  isFacet: true,
  description: 'Severity, in lower case; an unrecognized level as the sender wrote it.',
  parameter: { name: 'levels', isMany: true, description: 'Records with any of these levels.' }
})

/**
 * The fields of a log, in the order of documents and JSON. Columns, documents, filters, facets, OpenAPI and GraphQL follow
 * from it: docs/architecture.md, "Records".
 */
export const LOG = {
  message: field('text', 'message', log => log.message, {
    document: 'message',
    at: 10,
    otherwise: '',
    isFolded: true,
    trigrams: 'tri',
    description: 'Body of the record; truncated at 256 KiB by default.'
  }),
  level: LEVEL,
  levelText: field('text', 'level_text', log => log.levelText, {
    document: 'log.level_text',
    repeats: LEVEL,
    at: 4,
    isFiltered: false,
    isSparse: true,
    description: 'Level as the sender wrote it.'
  }),
  severityNumber: field('byte', 'severity_number', log => log.severityNumber, {
    document: 'event.severity',
    at: 2,
    column: 'severity',
    whole: { least: 0, most: 24 },
    description: 'OpenTelemetry; 0 is unknown.'
  }),
  service: field('text', 'service', log => log.service, {
    document: 'service.name',
    at: 5,
    isFacet: true,
    description: 'Emitting service; over OTLP the resource attribute `service.name`.',
    parameter: { name: 'services', isMany: true, description: 'Records of any of these services, case-sensitive.' },
    members: [
      ...['service', 'service.name', 'service_name', 'serviceName', 'app', 'application', 'app_name', 'appname'],
      ...['SYSLOG_IDENTIFIER', 'PROGRAM', 'programname', 'program', '_SYSTEMD_UNIT'],
      ...['kubernetes.labels.app.kubernetes.io/name', 'kubernetes.container_name', 'container.name', 'container_name'],
      ...['@fields.service', 'name']
    ],
    resource: ['service.name']
  }),
  host: field('text', 'host', log => log.host, {
    document: 'host.name',
    at: 6,
    isFacet: true,
    description: 'Emitting host; over OTLP the resource attribute `host.name`.',
    parameter: { name: 'hosts', isMany: true, description: 'Records of any of these hosts, case-sensitive.' },
    members: [
      ...['host', 'host.name', 'host.hostname', 'hostname', '_HOSTNAME', 'HOST', 'source_host', 'logsource', 'host_name'],
      ...['agent.hostname', 'kubernetes.host', 'node_name']
    ],
    resource: ['host.name']
  }),
  environment: field('text', 'environment', log => log.environment, {
    document: 'service.environment',
    at: 13,
    since: 5,
    isFacet: true,
    description: 'Deployment environment; over OTLP `deployment.environment.name` or the older `deployment.environment`.',
    parameter: { name: 'environments', isMany: true, description: 'Records of any of these environments, case-sensitive.' },
    members: ['environment', 'deployment.environment.name', 'deployment.environment', 'service.environment'],
    resource: ['deployment.environment.name', 'deployment.environment']
  }),
  source: field('text', 'source', log => log.source, {
    document: 'source',
    at: 7,
    isFacet: true,
    description: 'File or logger; over OTLP `log.file.path`, `log.file.name` or the name of the instrumentation scope.',
    parameter: { name: 'sources', isMany: true, description: 'Records of any of these sources, case-sensitive.' },
    members: ['source', 'log.file.path', 'filename', 'ddsource']
  }),
  traceId: field('text', 'trace_id', log => log.traceId, {
    document: 'trace.id',
    at: 8,
    description: 'Trace that was active; 32 hexadecimal digits in OpenTelemetry.',
    parameter: { name: 'traceId', isMany: false, description: 'Records with this trace id, as given or in lower case.' }
  }),
  spanId: field('text', 'span_id', log => log.spanId, {
    document: 'span.id',
    at: 9,
    description: 'Span that was active; 16 hexadecimal digits in OpenTelemetry.',
    parameter: { name: 'spanId', isMany: false, description: 'Records with this span id, as given or in lower case.' }
  }),
  patternId: field('text', 'pattern_id', log => log.patternId, {
    document: 'log.pattern_id',
    at: 14,
    since: 6,
    description: 'Pattern of the message, valid in `pattern:` of the search language; null for logs from before patterns.'
  }),
  isServerTime: field('flag', '_server_time', log => log.isServerTime, {
    document: 'server_time',
    at: 1,
    column: 'flags',
    bit: 1,
    description: 'No timestamp was sent; `timestamp` is the time of arrival.'
  }),
  isTruncated: field('flag', '_truncated', log => log.isTruncated, {
    document: 'truncated',
    at: 1,
    column: 'flags',
    bit: 2,
    description: 'The message was longer than the limit.'
  }),
  fields: field('object', 'log_fields', log => log.fields, {
    document: 'log_fields',
    at: 11,
    column: 'fields',
    description: 'Structured members (`log_fields`), with unrecognized top-level members; over OTLP the attributes.'
  }),
  tags: field('object', 'tags', log => log.tags, {
    document: 'tags',
    at: 12,
    column: 'tags',
    description: 'Tags of the sender; over OTLP the attributes of resource and scope.'
  })
} satisfies Record<keyof Omit<LogRecord, 'index' | 'timestampNs'>, RecordField>

/** The log that a store has. */
export function storedLog(from: StoredFields): StoredLog {
  const id = from.id()
  return {
    id,
    timestampNs: from.timestampNs(),
    ingestedAtMs: ulidTimeMs(id),
    message: from.string(LOG.message),
    level: from.text(LOG.level),
    levelText: from.text(LOG.levelText),
    severityNumber: from.number(LOG.severityNumber) ?? 0,
    service: from.text(LOG.service),
    host: from.text(LOG.host),
    environment: from.text(LOG.environment),
    source: from.text(LOG.source),
    traceId: from.text(LOG.traceId),
    spanId: from.text(LOG.spanId),
    patternId: from.text(LOG.patternId),
    isServerTime: from.flag(LOG.isServerTime),
    isTruncated: from.flag(LOG.isTruncated),
    fields: from.object(LOG.fields),
    tags: from.object(LOG.tags)
  }
}
