import type { Field } from '../../domain/filter.js'
import { flatten } from '../../domain/flatten.js'
import type { JsonObject, JsonValue } from '../../domain/json.js'
import { fieldList, type RecordField } from '../../domain/records/field.js'
import { LOG, type StoredLog } from '../../domain/records/log.js'
import { SPAN } from '../../domain/records/span.js'
import type { StoredSpan } from '../../domain/span.js'
import { formatNs } from '../../domain/timestamp.js'
import type { ParquetType } from '../../wire/parquet/parquet-schema.js'

/** A column of a file that is exported. */
export interface ExportColumn<Row> {
  readonly name: string
  readonly type: ParquetType
  /** A JSON value becomes its text. Times are Unix nanoseconds or milliseconds. */
  readonly of: (row: Row) => bigint | JsonValue
}

const TYPES: Readonly<Record<RecordField['type'], ParquetType>> = {
  text: 'text',
  byte: 'int32',
  integer: 'int32',
  double: 'double',
  nanoseconds: 'int64',
  bits: 'int64',
  flag: 'boolean',
  object: 'json'
}

function columnsOf<Row extends { readonly id: string; readonly timestampNs: bigint; readonly ingestedAtMs: number }>(
  table: Readonly<Record<string, RecordField>>
): readonly ExportColumn<Row>[] {
  return [
    { name: 'id', type: 'text', of: ({ id }) => id },
    { name: 'timestamp', type: 'nanoseconds', of: ({ timestampNs }) => timestampNs },
    { name: 'ingested_at', type: 'milliseconds', of: ({ ingestedAtMs }) => ingestedAtMs },
    ...fieldList(table).map(({ name, type, of }) => ({ name, type: TYPES[type], of: (row: Row) => of(row as never) }))
  ]
}

/** All columns of logs. */
export const LOG_COLUMNS: readonly ExportColumn<StoredLog>[] = columnsOf(LOG)

/** All columns of spans. */
export const SPAN_COLUMNS: readonly ExportColumn<StoredSpan>[] = [
  ...columnsOf<StoredSpan>(SPAN),
  {
    name: 'events',
    type: 'json',
    of: ({ events }) =>
      events.map(({ name, timestampNs, attributes }) => ({ name, timestamp: formatNs(timestampNs), attributes }))
  },
  {
    name: 'links',
    type: 'json',
    of: ({ links }) =>
      links.map(({ traceId, spanId, traceState, attributes }) => {
        return { trace_id: traceId, span_id: spanId, trace_state: traceState, attributes }
      })
  }
]

function valueIn(object: JsonObject, path: string): JsonValue {
  const flat = flatten(object)
  return Object.hasOwn(flat, path) ? flat[path]! : null
}

/** The column of a free field: its value as text, several of them as a JSON array. */
export function freeColumn<Row>(
  name: string,
  field: Field,
  objects: { readonly fields: (row: Row) => JsonObject; readonly tags: (row: Row) => JsonObject }
): ExportColumn<Row> {
  const of = (row: Row): JsonValue => {
    const own = field.in === 'tags' ? null : valueIn(objects.fields(row), field.name)
    return own === null && field.in !== 'log_fields' ? valueIn(objects.tags(row), field.name) : own
  }
  return { name, type: 'text', of }
}
