import { MAX_EXPORT_ROWS } from '../../query/export/record-export.js'
import { COUNT, FLAG, optionalBody, TEXT } from '../json-schema.js'
import { FIELD_FILTERS, INSTANT, NAMESPACE_QUERY, ONE_OR_MANY, READ_HEADERS, READ_SECURITY } from '../read-schemas.js'
import { BODY_CONDITIONS } from './logs-query-schemas.js'
import { SPAN_CHOICES } from './traces-query-schemas.js'

/** Columns that a caller may select. */
export const MAX_EXPORT_COLUMNS = 100

const FILE_MEMBERS = {
  format: {
    ...{ type: 'string', enum: ['ndjson', 'csv', 'parquet'] },
    description: 'Default ndjson, which has whole records; csv and parquet have a column per field.'
  } as const,
  columns: {
    ...({ type: 'array', items: { ...TEXT, minLength: 1, maxLength: 256 }, minItems: 1, maxItems: MAX_EXPORT_COLUMNS } as const),
    description: 'Columns of csv and parquet, free fields by their paths; default: all well-known fields, free ones as JSON.'
  },
  escape_formulas: {
    ...FLAG,
    description: 'Default true: an apostrophe goes before strings of csv that a spreadsheet would run as formulas.'
  },
  order: { type: 'string', enum: ['asc', 'desc'], description: 'By time; default desc.' } as const,
  limit: { ...COUNT, description: `Rows; default and maximum ${MAX_EXPORT_ROWS.toLocaleString('en-US')}.` }
}

const FILE = {
  200: {
    description: 'A file. Its last line, or the metadata of Parquet, states rows, checksum and whether all rows are there.',
    content: {
      'application/x-ndjson': { schema: TEXT },
      'text/csv': { schema: TEXT },
      'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } }
    }
  }
} as const

/** `POST /api/v1/logs/export`. */
export const EXPORT_LOGS = {
  ...{ tags: ['logs'], security: READ_SECURITY, headers: READ_HEADERS },
  operationId: 'exportLogRecords',
  querystring: NAMESPACE_QUERY,
  body: optionalBody({ ...BODY_CONDITIONS, ...FILE_MEMBERS }),
  response: FILE
}

/** `POST /api/v1/spans/export`. */
export const EXPORT_SPANS = {
  ...{ tags: ['traces'], security: READ_SECURITY, headers: READ_HEADERS },
  operationId: 'exportSpans',
  querystring: NAMESPACE_QUERY,
  body: optionalBody({
    namespace: TEXT,
    ...{ service: ONE_OR_MANY, operation: ONE_OR_MANY, kind: ONE_OR_MANY, status: ONE_OR_MANY },
    ...SPAN_CHOICES,
    filters: FIELD_FILTERS,
    start: INSTANT,
    end: INSTANT,
    ...FILE_MEMBERS
  }),
  response: FILE
}
