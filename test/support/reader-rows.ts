import type { DuckDBAppender } from '@duckdb/node-api'
import { fold, needsFoldColumn } from '../../src/domain/case-folding.js'
import type { ApmError } from '../../src/domain/records/error.js'
import { flatten } from '../../src/domain/flatten.js'
import type { JsonObject } from '../../src/domain/json.js'
import { fieldList } from '../../src/domain/records/field.js'
import { LOG, type LogRecord } from '../../src/domain/records/log.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { RumEvent } from '../../src/domain/records/rum.js'
import type { Span } from '../../src/domain/span.js'
import { TABLES, type TableKind } from '../../src/stores/duckdb/tables.js'
import { NULL_LENGTH, type WireColumn } from '../../src/stores/duckdb/wire/columns.js'
import { markHistogram } from '../../src/stores/duckdb/wire/histogram-mark.js'
import { spanColumns } from '../../src/stores/duckdb/wire/span-columns.js'

/** Values of one row by column name; what is absent is NULL. */
export type StoredRow = Readonly<Record<string, string | number | bigint | null>>

function jsonColumns(prefix: 'fields' | 'tags', object: JsonObject): StoredRow {
  if (Object.keys(object).length === 0) return {}
  const flat = flatten(object)
  return {
    [`${prefix}_json`]: JSON.stringify(flat),
    [`${prefix}_sent`]: flat === object ? null : JSON.stringify(object)
  }
}

function foldedColumn(message: string): StoredRow {
  return needsFoldColumn(message) ? { message_fold: fold(message) } : {}
}

const LOG_STRINGS = fieldList(LOG).filter(({ type }) => type === 'text')

/** A log as the `logs` table holds it. */
export function logRow(log: LogRecord): StoredRow {
  return {
    ts: log.timestampNs,
    idx: log.index,
    flags: (log.isServerTime ? 1 : 0) + (log.isTruncated ? 2 : 0),
    severity: log.severityNumber,
    ...Object.fromEntries(LOG_STRINGS.map(({ column, of }) => [column, (of as (item: LogRecord) => string | null)(log)])),
    message: log.message,
    ...foldedColumn(log.message),
    ...jsonColumns('fields', log.fields),
    ...jsonColumns('tags', log.tags)
  }
}

/** A RUM event as the `rum` table holds it. */
export function rumRow(event: RumEvent): StoredRow {
  return {
    ts: event.timestampNs,
    idx: event.index,
    page_url: event.pageUrl,
    page_group: event.pageGroup,
    page_title: event.pageTitle,
    session_id: event.sessionId,
    device_type: event.deviceType,
    browser: event.browser,
    os: event.os,
    country: event.country,
    connection_type: event.connectionType,
    trace_id: event.traceId,
    release: event.release,
    viewport_width: event.viewportWidth,
    viewport_height: event.viewportHeight,
    ...event.vitals,
    ...jsonColumns('tags', event.tags)
  }
}

/** An APM error as the `errors` table holds it. */
export function errorRow(error: ApmError): StoredRow {
  return {
    ts: error.timestampNs,
    idx: error.index,
    service: error.service,
    message: error.message,
    ...foldedColumn(error.message),
    type: error.type,
    stack: error.stack,
    trace_id: error.traceId,
    span_id: error.spanId,
    host: error.host,
    fingerprint: error.fingerprint,
    ...jsonColumns('tags', error.tags)
  }
}

function histogramMark(): number {
  const values = new Float64Array(1)
  markHistogram(values, 0)
  return values[0]!
}

/** A point as the `points` table holds it, and its native histogram as `histograms` does. */
export function pointRows(
  { timestampNs, value, histogram }: MetricPoint,
  of: { readonly series: bigint; readonly seq: bigint }
): { readonly point: StoredRow; readonly histogram: StoredRow | null } {
  if (histogram === undefined) return { point: { ts: timestampNs, ...of, value }, histogram: null }
  return { point: { ts: timestampNs, ...of, value: histogramMark() }, histogram: { ts: timestampNs, ...of, histogram } }
}

function onlyValue(column: WireColumn): string | number | bigint | null {
  if (column === null) return null
  if ('orNaN' in column) return column.orNaN[0]!
  if ('shared' in column) return Buffer.from(column.shared).toString('utf8')
  if (!('lengths' in column)) return column[0]!
  return column.lengths[0] === NULL_LENGTH ? null : Buffer.from(column.bytes).toString('utf8')
}

/** Spans as the `spans` table holds them. */
export function spanRows(spans: readonly Span[]): Promise<StoredRow[]> {
  return Promise.all(
    spans.map(async span => {
      const columns = Object.entries(await spanColumns([span]))
      return Object.fromEntries(columns.map(([name, column]) => [name, onlyValue(column)]))
    })
  )
}

function appendValue(appender: DuckDBAppender, type: string, value: string | number | bigint | null): void {
  if (value === null) return appender.appendNull()
  if (type === 'VARCHAR') return appender.appendVarchar(String(value))
  if (type === 'BIGINT') return appender.appendBigInt(BigInt(value))
  if (type === 'DOUBLE') return appender.appendDouble(Number(value))
  return type === 'INTEGER' ? appender.appendInteger(Number(value)) : appender.appendUTinyInt(Number(value))
}

/** Appends one row behind its namespace, in the order of the table's columns. */
export function appendRow(appender: DuckDBAppender, kind: TableKind, ns: string, row: StoredRow): void {
  appender.appendVarchar(ns)
  for (const [name, type] of Object.entries(TABLES[kind])) appendValue(appender, type, row[name] ?? null)
  appender.endRow()
}
