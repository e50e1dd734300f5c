import { HOUR } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const BOUNDS =
  'The file ends with a statement of its rows, its SHA-256 (of all bytes before that statement) and whether it has all rows that match: the last line of ndjson, a last line that begins with `# ` of csv, the metadata `alidade.export` of parquet. A file without it is not whole; after an error the connection breaks. At most 5,000,000 rows and 10 minutes; a reader that takes nothing for 60 s is disconnected. Two exports of a namespace run at a time. Default window: the last hour.'

/** Operations that write records to files. */
export const EXPORT_DOCS: OperationDocs = {
  exportLogRecords: {
    summary: 'Export log records as NDJSON, CSV or Parquet',
    description: `Streams all logs that match. ${BOUNDS}`,
    request: {
      ...HOUR,
      query: 'level:error',
      format: 'csv',
      columns: ['timestamp', 'service', 'message', 'log_fields.order_id']
    },
    reply:
      '{"id":"01M7WCCGD8AEGG0Q8SZ4G09AMG0000000","namespace":"default","timestamp":"2026-11-20T11:40:00.123456789Z","message":"payment declined","level":"error"}\n{"complete":true,"rows":1,"sha256":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","window":{"start":"2026-11-20T11:00:00.000000000Z","end":"2026-11-20T12:00:00.000000000Z","unit_detected":"default"},"warnings":[]}\n'
  },
  exportSpans: {
    summary: 'Export spans as NDJSON, CSV or Parquet',
    description: `Streams all spans that match, each by itself. ${BOUNDS}`,
    request: { ...HOUR, query: 'status:error', format: 'ndjson' },
    reply:
      '{"complete":true,"rows":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","window":{"start":"2026-11-20T11:00:00.000000000Z","end":"2026-11-20T12:00:00.000000000Z","unit_detected":"default"},"warnings":[]}\n'
  }
}
