import { bareObject } from '../domain/bare-object.js'
import type { LogRecord } from '../domain/log-record.js'
import { parseSeverity, type Severity } from '../domain/severity.js'
import { freeObject, freeObjectWith } from './free-fields.js'
import { type ItemCheck, type RefusedItem } from './item-check.js'
import type { LogOptions } from './recognise-log/log-options.js'
import { KNOWN_MEMBERS, ROW_BITS } from './recognise-log/member-index.js'
import { isUnknownNumber, type ReadLevel } from './recognise-log/read-level.js'
import type { ReadTime } from './recognise-log/read-time-text.js'
import { type OwnValue, recogniseLog, type RecognisedLog } from './recognise-log/recognise-log.js'
import { cutText, isLonger } from './text-size.js'
import { gather, isRawObject, type RawObject } from './raw-object.js'

const NO_LEVEL: Severity = { level: null, severityNumber: 0 }

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The level as a text; numbers are those of syslog and pino. */
function ownLevel(check: ItemCheck, value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return check.text(value, 'level')
}

/** The rows that the names of this interface fill, as bits. */
function ownRows(raw: RawObject): number {
  return (
    (isSent(raw['message']) ? ROW_BITS.message : 0) |
    (isSent(raw['timestamp']) || isSent(raw['timestamp_ns']) ? ROW_BITS.time : 0) |
    (isSent(raw['level']) && !isUnknownNumber(raw['level']) ? ROW_BITS.level : 0) |
    (isSent(raw['service']) ? ROW_BITS.service : 0) |
    (isSent(raw['host']) ? ROW_BITS.host : 0) |
    (isSent(raw['source']) ? ROW_BITS.source : 0) |
    (isSent(raw['trace_id']) ? ROW_BITS.trace_id : 0) |
    (isSent(raw['span_id']) ? ROW_BITS.span_id : 0)
  )
}

/**
 * The free fields of a record whose other members have the names of this interface; undefined when another of its members
 * may be what such a name is missing for. Most records end here, at a look into a table for each free member.
 */
function ownFields(raw: RawObject): Record<string, unknown> | null | undefined {
  let extra: Record<string, unknown> | null = null
  let rows = -1
  for (const key in raw) {
    switch (key) {
      case 'namespace':
      case 'timestamp':
      case 'level':
      case 'trace_id':
      case 'span_id':
      case 'log_fields':
        break
      case 'message':
      case 'service':
      case 'host':
      case 'source':
        if (isObject(raw[key])) return undefined
        break
      case 'tags':
        if (Array.isArray(raw[key])) return undefined
        break
      case 'timestamp_ns':
        if (isSent(raw['timestamp'])) extra = gather(extra, key, raw[key])
        break
      default: {
        const wanted = KNOWN_MEMBERS.get(key)?.rows ?? 0
        if (wanted !== 0 && rows < 0) rows = ownRows(raw)
        if ((wanted & ~rows) !== 0) return undefined
        extra = gather(extra, key, raw[key])
      }
    }
  }
  return extra
}

function ownTime(check: ItemCheck, raw: RawObject): bigint {
  if (isSent(raw['timestamp']) || !isSent(raw['timestamp_ns'])) return check.logTime(raw['timestamp'], 'timestamp')
  return check.timeNs(raw['timestamp_ns'], 'timestamp_ns')
}

interface Parts {
  readonly message: unknown
  readonly timestampNs: bigint
  readonly level: string | null
  readonly severity: Severity
  readonly service: unknown
  readonly host: unknown
  readonly source: unknown
  readonly traceId: unknown
  readonly spanId: unknown
  readonly extra: RawObject | null
}

function toRecord(check: ItemCheck, raw: RawObject, parts: Parts, tags: unknown): LogRecord {
  const text = check.requiredText(parts.message, 'message')
  const limit = check.limits.messageBytes
  const isTruncated = isLonger(text, limit)
  return {
    index: check.index,
    timestampNs: parts.timestampNs,
    isServerTime: check.isServerTime,
    message: isTruncated ? cutText(text, limit) : text,
    isTruncated,
    level: parts.severity.level,
    levelText: parts.level,
    severityNumber: parts.severity.severityNumber,
    service: check.text(parts.service, 'service'),
    host: check.text(parts.host, 'host'),
    source: check.text(parts.source, 'source'),
    traceId: check.id(parts.traceId, 'trace_id'),
    spanId: check.id(parts.spanId, 'span_id'),
    fields: freeObjectWith(check, raw['log_fields'], parts.extra, 'log_fields'),
    tags: freeObject(check, tags, 'tags')
  }
}

function parseOwn(check: ItemCheck, raw: RawObject, extra: RawObject | null): LogRecord | RefusedItem {
  const level = ownLevel(check, raw['level'])
  const parts = {
    message: raw['message'],
    timestampNs: ownTime(check, raw),
    level,
    severity: level === null ? NO_LEVEL : parseSeverity(level),
    service: raw['service'],
    host: raw['host'],
    source: raw['source'],
    traceId: raw['trace_id'],
    spanId: raw['span_id'],
    extra
  }
  const record = toRecord(check, raw, parts, raw['tags'])
  if (check.fault !== null) return check.fault
  if (extra !== null && record.isServerTime) check.logs.addUntimed(extra, null)
  return record
}

function isOwnValue(value: ReadTime | ReadLevel | OwnValue): value is OwnValue {
  return 'own' in value
}

/** The time that was recognised, or that of arrival. */
function recognisedTime(check: ItemCheck, { time, from }: RecognisedLog): bigint {
  const field = from.time ?? 'timestamp'
  if (time === null) return check.time(undefined, field)
  if (isOwnValue(time)) {
    return field === 'timestamp_ns' ? check.timeNs(time.own, field) : check.logTime(time.own, field)
  }
  check.isServerTime = false
  if (time.isAssumedUtc) check.logs.addAssumedUtc()
  return check.inWindow(time.ns, field)
}

function recognisedLevel(check: ItemCheck, { level }: RecognisedLog): { level: string | null; severity: Severity } {
  if (level === null) return { level: null, severity: NO_LEVEL }
  if (!isOwnValue(level)) return { level: level.text, severity: level.severity }
  const text = ownLevel(check, level.own)
  return { level: text, severity: text === null ? NO_LEVEL : parseSeverity(text) }
}

/** The tags of a record, and those that the request adds to records that have none of the name. */
function tagsOf(raw: RawObject, found: RecognisedLog, { tags }: LogOptions): unknown {
  const sent = Array.isArray(raw['tags']) ? undefined : raw['tags']
  if ((tags.size === 0 && found.tags === null) || (isSent(sent) && !isRawObject(sent))) return sent
  const merged = bareObject<unknown>()
  for (const [name, value] of tags) merged[name] = value
  for (const key in found.tags) merged[key] = found.tags[key]
  for (const key in sent as RawObject | undefined) merged[key] = (sent as RawObject)[key]
  return merged
}

function noteUntimed({ logs }: ItemCheck, { extra, unreadTime, outsideTime }: RecognisedLog): void {
  if (outsideTime === null) logs.addUntimed(extra ?? {}, unreadTime)
  else logs.addOutside(outsideTime)
}

function parseRecognised(check: ItemCheck, raw: RawObject): LogRecord | RefusedItem {
  const options = check.context.logs
  const found = recogniseLog(raw, options, check.context)
  const { level, severity } = recognisedLevel(check, found)
  const { message, service, host, source, traceId, spanId, extra } = found
  const parts = {
    message,
    timestampNs: recognisedTime(check, found),
    level,
    severity,
    service,
    host,
    source,
    traceId,
    spanId,
    extra
  }
  const record = toRecord(check, raw, parts, tagsOf(raw, found, options))
  if (check.fault !== null) return check.fault
  check.logs.add(found.from, found.named, check.context.isDryRun ? check.index : null)
  if (record.isServerTime) noteUntimed(check, found)
  return record
}

/**
 * A log as sent, checked and normalised: members with the names of this interface (docs/logs.md), else those of common
 * loggers (`recogniseLog`); what is neither becomes `log_fields`.
 */
export function parseLog(raw: unknown, check: ItemCheck): LogRecord | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  check.ownNamespace(raw['namespace'])
  const extra = check.context.logs.looksAtAll ? undefined : ownFields(raw)
  return extra === undefined ? parseRecognised(check, raw) : parseOwn(check, raw, extra)
}
