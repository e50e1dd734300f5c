import type { StoredApmError } from '../../../domain/apm-error.js'
import type { RecordId } from '../../../domain/ids.js'
import type { JsonObject } from '../../../domain/json.js'
import type { StoredLog } from '../../../domain/log-record.js'
import { VITALS, type StoredRumEvent, type VitalName } from '../../../domain/rum-event.js'
import { ulidTimeMs } from '../../../domain/ulid.js'
import { FLAG_SERVER_TIME, FLAG_TRUNCATED, TABLES, type TableKind } from '../tables.js'
import { ERROR_TABLE, LOG_TABLE, RUM_TABLE } from './field-target.js'
import { positionOf } from './record-order.js'
import type { RecordKind } from './search.js'
import type { ResultRow } from './statement.js'

const NOTHING: JsonObject = Object.freeze({})

/** The object as it was sent; the flattened one stands for it where flattening changed nothing. */
export function sentObject(row: ResultRow, name: 'fields' | 'tags'): JsonObject {
  const text = (row[`${name}_sent`] ?? row[`${name}_json`]) as string | null
  return text === null ? NOTHING : (JSON.parse(text) as JsonObject)
}

/** A text, or null. */
export function text(row: ResultRow, column: string): string | null {
  return row[column] as string | null
}

/** Id and times of a row. To be named one by one: V8 takes ten times as long for a record that begins with a spread. */
export function identity(row: ResultRow): { id: RecordId; timestampNs: bigint; ingestedAtMs: number } {
  const { id, timestampNs } = positionOf(row)
  return { id, timestampNs, ingestedAtMs: ulidTimeMs(id) }
}

function toLog(row: ResultRow): StoredLog {
  const flags = row['flags'] as number
  const { id, timestampNs, ingestedAtMs } = identity(row)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    isServerTime: (flags & FLAG_SERVER_TIME) !== 0,
    message: row['message'] as string,
    isTruncated: (flags & FLAG_TRUNCATED) !== 0,
    level: text(row, 'level'),
    levelText: text(row, 'level_text'),
    severityNumber: row['severity'] as number,
    service: text(row, 'service'),
    host: text(row, 'host'),
    source: text(row, 'source'),
    traceId: text(row, 'trace_id'),
    spanId: text(row, 'span_id'),
    fields: sentObject(row, 'fields'),
    tags: sentObject(row, 'tags')
  }
}

const VITAL_NAMES = Object.keys(VITALS) as VitalName[]

function toRumEvent(row: ResultRow): StoredRumEvent {
  const vitals = Object.fromEntries(VITAL_NAMES.map(name => [name, row[name] as number | null]))
  const { id, timestampNs, ingestedAtMs } = identity(row)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    pageUrl: row['page_url'] as string,
    pageGroup: row['page_group'] as string,
    pageTitle: text(row, 'page_title'),
    vitals: vitals as Record<VitalName, number | null>,
    sessionId: text(row, 'session_id'),
    deviceType: text(row, 'device_type'),
    browser: text(row, 'browser'),
    os: text(row, 'os'),
    country: text(row, 'country'),
    connectionType: text(row, 'connection_type'),
    viewportWidth: row['viewport_width'] as number | null,
    viewportHeight: row['viewport_height'] as number | null,
    traceId: text(row, 'trace_id'),
    release: text(row, 'release'),
    tags: sentObject(row, 'tags')
  }
}

function toApmError(row: ResultRow): StoredApmError {
  const { id, timestampNs, ingestedAtMs } = identity(row)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    service: row['service'] as string,
    message: row['message'] as string,
    type: row['type'] as string,
    stack: text(row, 'stack'),
    traceId: text(row, 'trace_id'),
    spanId: text(row, 'span_id'),
    host: text(row, 'host'),
    tags: sentObject(row, 'tags'),
    fingerprint: row['fingerprint'] as string
  }
}

/** Columns to give back; folded texts serve searching only and never leave the store. */
export function readColumns(kind: TableKind): readonly string[] {
  return Object.keys(TABLES[kind]).filter(name => !name.endsWith('_fold'))
}

/** Logs. */
export const LOGS: RecordKind<StoredLog> = { fields: LOG_TABLE, columns: readColumns('logs'), toRecord: toLog }

/** RUM events. */
export const RUM_EVENTS: RecordKind<StoredRumEvent> = {
  fields: RUM_TABLE,
  columns: readColumns('rum'),
  toRecord: toRumEvent
}

/** APM errors. */
export const APM_ERRORS: RecordKind<StoredApmError> = {
  fields: ERROR_TABLE,
  columns: readColumns('errors'),
  toRecord: toApmError
}
