import { bareObject } from '../domain/bare-object.js'
import type { LogRecord } from '../domain/records/log.js'
import { parseSeverity, type Severity } from '../domain/severity.js'
import { freeObject, freeObjectWith } from './free-fields.js'
import { NO_LEVEL, overDefaults } from './log-defaults.js'
import { type ItemCheck, type RefusedItem } from './item-check.js'
import { LOG_NAMES, type LogName } from './recognize-log/log-members.js'
import type { LogOptions } from './recognize-log/log-options.js'
import { KNOWN_MEMBERS, ROW_BITS } from './recognize-log/member-index.js'
import { isUnknownNumber, type ReadLevel } from './recognize-log/read-level.js'
import type { ReadTime } from './recognize-log/read-time-text.js'
import { type OwnValue, recognizeLog, type RecognizedLog } from './recognize-log/recognize-log.js'
import { truncateString, isLonger } from './string-size.js'
import { gather, isRawObject, type RawObject } from './raw-object.js'

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The level as a string; numbers are those of syslog and pino. */
function ownLevel(check: ItemCheck, value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return check.text(value, 'level')
}

/** The rows that the names of this interface fill, as bits. */
function ownRows(raw: RawObject): number {
  let rows = isSent(raw['timestamp']) || isSent(raw['timestamp_ns']) ? ROW_BITS.time : 0
  if (isSent(raw['level']) && !isUnknownNumber(raw['level'])) rows |= ROW_BITS.level
  for (const row of OWN_STRINGS) if (isSent(raw[row])) rows |= ROW_BITS[row]
  return rows
}

const OWN_STRINGS = ['message', ...LOG_NAMES, 'trace_id', 'span_id'] as const
const OWN_NAMES: ReadonlySet<string> = new Set(LOG_NAMES)

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
        if (isObject(raw[key])) return undefined
        break
      case 'tags':
        if (Array.isArray(raw[key])) return undefined
        break
      case 'timestamp_ns':
        if (isSent(raw['timestamp'])) extra = gather(extra, key, raw[key])
        break
      default: {
        const isOwn = OWN_NAMES.has(key)
        if (isOwn && isObject(raw[key])) return undefined
        if (isOwn) break
        const requested = KNOWN_MEMBERS.get(key)?.rows ?? 0
        if (requested !== 0 && rows < 0) rows = ownRows(raw)
        if ((requested & ~rows) !== 0) return undefined
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
  /** Members with the service and other names. */
  readonly names: Readonly<Partial<Record<LogName, unknown>>>
  readonly traceId: unknown
  readonly spanId: unknown
  readonly extra: RawObject | null
}

function toRecord(check: ItemCheck, raw: RawObject, parts: Parts, tags: unknown): LogRecord {
  const { names, extra } = parts
  const { defaults } = check.context
  const leveled = parts.level === null ? defaults : parts
  const limit = check.limits.messageBytes
  const text = check.beforeCut(check.requiredText(parts.message, 'message'), limit)
  const isTruncated = isLonger(text, limit)
  return {
    index: check.index,
    timestampNs: parts.timestampNs,
    isServerTime: check.isServerTime,
    message: isTruncated ? truncateString(text, limit) : text,
    isTruncated,
    level: leveled.severity.level,
    levelText: leveled.level,
    severityNumber: leveled.severity.severityNumber,
    service: check.text(names.service, 'service') ?? defaults.service,
    host: check.text(names.host, 'host') ?? defaults.host,
    environment: check.text(names.environment, 'environment') ?? defaults.environment,
    source: check.text(names.source, 'source') ?? defaults.source,
    traceId: check.id(parts.traceId, 'trace_id'),
    spanId: check.id(parts.spanId, 'span_id'),
    patternId: null,
    fields: freeObjectWith(check, overDefaults(raw['log_fields'], defaults.fields, extra), extra, 'log_fields'),
    tags: freeObject(check, overDefaults(tags, defaults.tags, null), 'tags')
  }
}

function parseOwn(check: ItemCheck, raw: RawObject, extra: RawObject | null): LogRecord | RefusedItem {
  const level = ownLevel(check, raw['level'])
  const parts = {
    message: raw['message'],
    timestampNs: ownTime(check, raw),
    level,
    severity: level === null ? NO_LEVEL : parseSeverity(level),
    names: raw,
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

/** The time that was recognized, or that of arrival. */
function recognizedTime(check: ItemCheck, { time, from }: RecognizedLog): bigint {
  const field = from.time ?? 'timestamp'
  if (time === null) return check.time(undefined, field)
  if (isOwnValue(time)) {
    return field === 'timestamp_ns' ? check.timeNs(time.own, field) : check.logTime(time.own, field)
  }
  check.isServerTime = false
  if (time.isAssumedUtc) check.logs.addAssumedUtc()
  return check.inWindow(time.ns, field)
}

function recognizedLevel(check: ItemCheck, { level }: RecognizedLog): { level: string | null; severity: Severity } {
  if (level === null) return { level: null, severity: NO_LEVEL }
  if (!isOwnValue(level)) return { level: level.text, severity: level.severity }
  const text = ownLevel(check, level.own)
  return { level: text, severity: text === null ? NO_LEVEL : parseSeverity(text) }
}

/** The tags of a record, and those that the request adds to records that have none of the name. */
function tagsOf(raw: RawObject, found: RecognizedLog, { tags }: LogOptions): unknown {
  const sent = Array.isArray(raw['tags']) ? undefined : raw['tags']
  if ((tags.size === 0 && found.tags === null) || (isSent(sent) && !isRawObject(sent))) return sent
  const merged = bareObject<unknown>()
  for (const [name, value] of tags) merged[name] = value
  for (const key in found.tags) merged[key] = found.tags[key]
  for (const key in sent as RawObject | undefined) merged[key] = (sent as RawObject)[key]
  return merged
}

function noteUntimed({ logs }: ItemCheck, { extra, unreadTime, outsideTime }: RecognizedLog): void {
  if (outsideTime === null) logs.addUntimed(extra ?? {}, unreadTime)
  else logs.addOutside(outsideTime)
}

function parseRecognized(check: ItemCheck, raw: RawObject): LogRecord | RefusedItem {
  const options = check.logOptions
  const found = recognizeLog(raw, options, check.context)
  const { level, severity } = recognizedLevel(check, found)
  const { message, names, traceId, spanId, extra } = found
  const parts = {
    message,
    timestampNs: recognizedTime(check, found),
    level,
    severity,
    names,
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
 * A log as sent, checked and normalized: members with the names of this interface (docs/logs.md), else those of common
 * loggers (`recognizeLog`); what is neither becomes `log_fields`.
 */
export function parseLog(raw: unknown, check: ItemCheck): LogRecord | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  check.ownNamespace(raw['namespace'])
  const extra = check.recognize(raw).looksAtAll ? undefined : ownFields(raw)
  return extra === undefined ? parseRecognized(check, raw) : parseOwn(check, raw, extra)
}
