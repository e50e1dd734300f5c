import type { LogRecord } from '../domain/log-record.js'
import { parseSeverity, type Severity } from '../domain/severity.js'
import { freeObject, freeObjectWith, gather } from './free-fields.js'
import { isRawObject, type ItemCheck, type RefusedItem } from './item-check.js'
import { cutText, isLonger } from './text-size.js'

const MSG_IS_NO_MESSAGE = 'message is required; msg is not read as one'
const NO_LEVEL: Severity = { level: null, severityNumber: 0 }

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The level as a text; numbers are those of syslog and pino. */
function levelText(check: ItemCheck, value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return check.text(value, 'level')
}

/**
 * A log as sent (spec 2.1; conventions 4, 5, 9), checked and normalised. `log` is read as `message`, `timestamp_ns` as the
 * time when that is absent; unknown members become `log_fields`.
 */
export function parseLog(raw: unknown, check: ItemCheck): LogRecord | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  let { message } = raw
  const hasTime = isSent(raw['timestamp'])
  let extra: Record<string, unknown> | null = null
  for (const key in raw) {
    switch (key) {
      case 'message':
      case 'namespace':
      case 'timestamp':
      case 'level':
      case 'service':
      case 'host':
      case 'source':
      case 'trace_id':
      case 'span_id':
      case 'log_fields':
      case 'tags':
        break
      case 'log':
        if (message === undefined || message === null) message = raw['log']
        else extra = gather(extra, key, raw['log'])
        break
      case 'timestamp_ns':
        if (hasTime) extra = gather(extra, key, raw[key])
        break
      default:
        extra = gather(extra, key, raw[key])
    }
  }
  check.ownNamespace(raw['namespace'])
  if (!isSent(message) && isSent(raw['msg'])) check.refuse('missing_field', 'message', MSG_IS_NO_MESSAGE)
  const text = check.requiredText(message, 'message')
  const limit = check.limits.messageBytes
  const isTruncated = isLonger(text, limit)
  const level = levelText(check, raw['level'])
  const severity = level === null ? NO_LEVEL : parseSeverity(level)
  const timestampNs =
    !hasTime && isSent(raw['timestamp_ns'])
      ? check.timeNs(raw['timestamp_ns'], 'timestamp_ns')
      : check.time(raw['timestamp'], 'timestamp')
  const record: LogRecord = {
    index: check.index,
    timestampNs,
    isServerTime: check.isServerTime,
    message: isTruncated ? cutText(text, limit) : text,
    isTruncated,
    level: severity.level,
    levelText: level,
    severityNumber: severity.severityNumber,
    service: check.text(raw['service'], 'service'),
    host: check.text(raw['host'], 'host'),
    source: check.text(raw['source'], 'source'),
    traceId: check.id(raw['trace_id'], 'trace_id'),
    spanId: check.id(raw['span_id'], 'span_id'),
    fields: freeObjectWith(check, raw['log_fields'], extra, 'log_fields'),
    tags: freeObject(check, raw['tags'], 'tags')
  }
  return check.fault ?? record
}
