import { bareObject } from '../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import { LOG, type LogRecord } from '../domain/records/log.js'
import { levelOfSeverity, parseSeverity } from '../domain/severity.js'
import type { OtlpLog } from '../otlp/model.js'
import { freeObject } from './free-fields.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { hostOf, originTags, otlpId, resourceText, serviceOf } from './otlp-origin.js'
import { truncateString, isLonger } from './string-size.js'

/** W3C trace context, 3.2.2.5.1. */
const SAMPLED = 1

/** Body as text: what is not a string is shown as JSON. */
function messageOf(log: OtlpLog): string {
  if (typeof log.body === 'string') return log.body
  return log.body === null ? log.eventName : JSON.stringify(log.body)
}

/** Whether the record marks its trace as not sampled: its spans will not arrive. */
function isUnsampled({ flags, traceId }: OtlpLog): boolean {
  return flags !== null && (flags & SAMPLED) === 0 && otlpId(traceId) !== null
}

/**
 * Attributes, with what the record has no member for: the event's name and a structured body, so that both can be searched,
 * and the trace flags (as OpenTelemetry names them in other formats) when they mark the trace as not sampled.
 */
function fieldsOf(log: OtlpLog): JsonObject {
  const hasBody = typeof log.body === 'object' && log.body !== null
  const unsampled = isUnsampled(log)
  if (log.eventName === '' && !hasBody && !unsampled) return log.attributes
  const fields = Object.assign(bareObject<JsonValue>(), log.attributes)
  if (log.eventName !== '') fields['event.name'] ??= log.eventName
  if (hasBody) fields['body'] ??= log.body
  if (unsampled) fields['trace_flags'] ??= '00'
  return fields
}

function sourceOf({ attributes, scope }: OtlpLog): string | null {
  const path = attributes['log.file.path'] ?? attributes['log.file.name']
  return typeof path === 'string' && path !== '' ? path : scope.name || null
}

/**
 * An OTLP log record (OpenTelemetry logs data model), checked and normalized: attributes become `log_fields`, resource and
 * scope become `tags`, the body the message. Without a time it has that of its observation, else of its arrival.
 */
export function parseOtlpLog(raw: unknown, check: ItemCheck): LogRecord | RefusedItem {
  const log = raw as OtlpLog
  const sentNs = log.timeNs || log.observedTimeNs
  const limit = check.limits.messageBytes
  const message = check.beforeCut(messageOf(log), limit)
  const isTruncated = isLonger(message, limit)
  const ofText = parseSeverity(log.severityText)
  const record: LogRecord = {
    index: check.index,
    timestampNs: sentNs === 0n ? check.context.nowNs : check.inWindow(sentNs, 'time_unix_nano'),
    isServerTime: sentNs === 0n,
    message: isTruncated ? truncateString(message, limit) : message,
    isTruncated,
    level: levelOfSeverity(log.severityNumber) ?? ofText.level,
    levelText: log.severityText || null,
    severityNumber: levelOfSeverity(log.severityNumber) === null ? ofText.severityNumber : log.severityNumber,
    service: serviceOf(log.scope, check),
    host: hostOf(log.scope, check),
    environment: resourceText(log.scope, LOG.environment, check),
    source: sourceOf(log),
    traceId: otlpId(log.traceId),
    spanId: otlpId(log.spanId),
    patternId: null,
    fields: freeObject(check, fieldsOf(log), 'attributes'),
    tags: originTags(log.scope, check)
  }
  return check.fault ?? record
}
