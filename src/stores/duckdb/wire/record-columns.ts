import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ApmError } from '../../../domain/apm-error.js'
import { fold, needsFoldColumn } from '../../../domain/case-folding.js'
import type { LogRecord } from '../../../domain/log-record.js'
import { type RumEvent, VITALS, type VitalName } from '../../../domain/rum-event.js'
import { FLAG_SERVER_TIME, FLAG_TRUNCATED } from '../tables.js'
import {
  encodeBigints,
  encodeBytes,
  encodeIntegers,
  encodeNullableNumbers,
  encodeTextColumn,
  type NamedColumns,
  type WireColumn
} from './columns.js'
import { encodeObjects } from './object-columns.js'

function encodeFolded(items: readonly { readonly message: string }[]): WireColumn {
  return encodeTextColumn(items, ({ message }) => (needsFoldColumn(message) ? fold(message) : null))
}

function flagsOf(log: LogRecord): number {
  return (log.isServerTime ? FLAG_SERVER_TIME : 0) | (log.isTruncated ? FLAG_TRUNCATED : 0)
}

// In steps, so that a large batch can be encoded with pauses.
const LOG_STEPS: readonly ((items: readonly LogRecord[]) => NamedColumns)[] = [
  items => ({
    ts: encodeBigints(items, log => log.timestampNs),
    idx: encodeIntegers(items, log => log.index),
    flags: encodeBytes(items, flagsOf),
    severity: encodeBytes(items, log => log.severityNumber)
  }),
  items => ({
    level: encodeTextColumn(items, log => log.level),
    level_text: encodeTextColumn(items, log => log.levelText),
    service: encodeTextColumn(items, log => log.service),
    host: encodeTextColumn(items, log => log.host)
  }),
  items => ({
    source: encodeTextColumn(items, log => log.source),
    trace_id: encodeTextColumn(items, log => log.traceId),
    span_id: encodeTextColumn(items, log => log.spanId)
  }),
  items => ({ message: encodeTextColumn(items, log => log.message) }),
  items => ({ message_fold: encodeFolded(items) }),
  items => {
    const { flat, sent } = encodeObjects(items, log => log.fields)
    return { fields_json: flat, fields_sent: sent }
  },
  items => {
    const { flat, sent } = encodeObjects(items, log => log.tags)
    return { tags_json: flat, tags_sent: sent }
  }
]

/** Logs as columns of the `logs` table. */
export function logColumns(items: readonly LogRecord[]): NamedColumns {
  const columns: Record<string, WireColumn> = {}
  for (const encode of LOG_STEPS) Object.assign(columns, encode(items))
  return columns
}

/** As `logColumns`, giving way to other work between its steps: encoding ten thousand logs at once blocks for 50 ms. */
export async function logColumnsWithPauses(items: readonly LogRecord[]): Promise<NamedColumns> {
  const columns: Record<string, WireColumn> = {}
  for (const encode of LOG_STEPS) {
    Object.assign(columns, encode(items))
    await yieldToEventLoop()
  }
  return columns
}

/** RUM events as columns of the `rum` table. */
export function rumColumns(items: readonly RumEvent[]): NamedColumns {
  const tags = encodeObjects(items, event => event.tags)
  const vitals: Record<string, WireColumn> = {}
  for (const name of Object.keys(VITALS) as VitalName[]) {
    vitals[name] = encodeNullableNumbers(items, event => event.vitals[name])
  }
  return {
    ...vitals,
    ts: encodeBigints(items, event => event.timestampNs),
    idx: encodeIntegers(items, event => event.index),
    page_url: encodeTextColumn(items, event => event.pageUrl),
    page_group: encodeTextColumn(items, event => event.pageGroup),
    page_title: encodeTextColumn(items, event => event.pageTitle),
    session_id: encodeTextColumn(items, event => event.sessionId),
    device_type: encodeTextColumn(items, event => event.deviceType),
    browser: encodeTextColumn(items, event => event.browser),
    os: encodeTextColumn(items, event => event.os),
    country: encodeTextColumn(items, event => event.country),
    connection_type: encodeTextColumn(items, event => event.connectionType),
    trace_id: encodeTextColumn(items, event => event.traceId),
    release: encodeTextColumn(items, event => event.release),
    viewport_width: encodeNullableNumbers(items, event => event.viewportWidth),
    viewport_height: encodeNullableNumbers(items, event => event.viewportHeight),
    tags_json: tags.flat,
    tags_sent: tags.sent
  }
}

/** APM errors as columns of the `errors` table. */
export function errorColumns(items: readonly ApmError[]): NamedColumns {
  const tags = encodeObjects(items, error => error.tags)
  return {
    ts: encodeBigints(items, error => error.timestampNs),
    idx: encodeIntegers(items, error => error.index),
    service: encodeTextColumn(items, error => error.service),
    message: encodeTextColumn(items, error => error.message),
    message_fold: encodeFolded(items),
    type: encodeTextColumn(items, error => error.type),
    stack: encodeTextColumn(items, error => error.stack),
    trace_id: encodeTextColumn(items, error => error.traceId),
    span_id: encodeTextColumn(items, error => error.spanId),
    host: encodeTextColumn(items, error => error.host),
    fingerprint: encodeTextColumn(items, error => error.fingerprint),
    tags_json: tags.flat,
    tags_sent: tags.sent
  }
}
