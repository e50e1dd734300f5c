import { GatewayError } from '../../domain/errors.js'
import type { JsonObject } from '../../domain/json.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { StoredSpan } from '../../domain/span.js'
import { formatNs } from '../../domain/timestamp.js'
import { SPAN_VOCABULARY } from '../../query/traces/span-vocabulary.js'
import { fieldOf, LOG_VOCABULARY, type Vocabulary } from '../../query/vocabulary.js'
import { logJson } from '../read-json/log-json.js'
import { nsJson } from '../read-json/time-json.js'
import { CsvFormat } from './csv-format.js'
import { type ExportColumn, freeColumn, LOG_COLUMNS, SPAN_COLUMNS } from './export-column.js'
import { NdjsonFormat } from './ndjson-format.js'
import { ParquetFormat } from './parquet-format.js'
import type { RowFormat } from './row-format.js'

/** How records of one signal are written to files. */
export interface RecordFiles<Row> {
  /** What the file's name begins with. */
  readonly name: string
  readonly columns: readonly ExportColumn<Row>[]
  readonly vocabulary: Vocabulary
  readonly json: (row: Row, namespace: string) => unknown
  readonly objects: { readonly fields: (row: Row) => JsonObject; readonly tags: (row: Row) => JsonObject }
}

/** Logs, whose lines of NDJSON are as in searches. */
export const LOG_FILES: RecordFiles<StoredLog> = {
  name: 'logs',
  columns: LOG_COLUMNS,
  vocabulary: LOG_VOCABULARY,
  json: logJson,
  objects: { fields: ({ fields }) => fields, tags: ({ tags }) => tags }
}

/** Spans. */
export const SPAN_FILES: RecordFiles<StoredSpan> = {
  name: 'spans',
  columns: SPAN_COLUMNS,
  vocabulary: SPAN_VOCABULARY,
  json: spanJson,
  objects: { fields: ({ attributes }) => attributes, tags: ({ resource }) => resource }
}

function spanJson(span: StoredSpan, namespace: string): unknown {
  const members = SPAN_COLUMNS.map(({ name, of }) => [name, of(span)] as const)
  return {
    ...Object.fromEntries(members),
    namespace,
    timestamp: formatNs(span.timestampNs),
    ingested_at: new Date(span.ingestedAtMs).toISOString(),
    duration_ns: nsJson(span.durationNs)
  }
}

/** What file is requested. */
export interface FileRequest {
  readonly format?: 'ndjson' | 'csv' | 'parquet' | undefined
  readonly columns?: readonly string[] | undefined
  readonly escapesFormulas?: boolean | undefined
}

function columnNamed<Row>({ columns, vocabulary, objects }: RecordFiles<Row>, name: string): ExportColumn<Row> {
  const known = columns.find(column => column.name === name)
  if (known) return known
  const field = fieldOf(vocabulary, name)
  if (field.in === 'known') {
    const aliased = columns.find(column => column.name === field.name)
    if (aliased) return { ...aliased, name }
  }
  if (field.in === 'known' || field.in === 'events' || field.in === 'links') {
    const detail = `columns: ${name} is not a column; name a field of the record, or export it within its JSON column`
    throw new GatewayError('invalid_field', detail, { field: 'columns', suggestions: columns.map(column => column.name) })
  }
  return freeColumn(name, field, objects)
}

function columnsOf<Row>(files: RecordFiles<Row>, names: readonly string[] | undefined): readonly ExportColumn<Row>[] {
  if (names === undefined) return files.columns
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new GatewayError('invalid_field', `columns: ${twice} is listed twice`, { field: 'columns' })
  return names.map(name => columnNamed(files, name))
}

/** The format that is requested. Throws `invalid_field`. */
export function formatOf<Row>(files: RecordFiles<Row>, requested: FileRequest, namespace: string): RowFormat<Row> {
  const { format = 'ndjson', columns: names, escapesFormulas = true } = requested
  if (format === 'ndjson') {
    if (names === undefined) return new NdjsonFormat(row => files.json(row, namespace))
    throw new GatewayError('invalid_field', 'columns is for csv and parquet; ndjson has whole records', { field: 'columns' })
  }
  const columns = columnsOf(files, names)
  return format === 'csv' ? new CsvFormat(columns, { escapesFormulas }) : new ParquetFormat(columns)
}
