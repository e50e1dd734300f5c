import { GAP_REASONS, STREAM_ENDS } from '../../domain/log-stream.js'
import { STREAM_STATES } from '../../query/streams/stream-state.js'
import { listSchema, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

type Schema = Readonly<Record<string, unknown>>

const TEXT: Schema = { type: 'string' }
const NULLABLE_TEXT: Schema = { type: ['string', 'null'] }
const COUNT: Schema = { type: 'integer', minimum: 0 }
const NULLABLE_COUNT: Schema = { type: ['integer', 'null'], minimum: 0 }

function objectOf(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  const required = Object.keys(properties)
  return { type: 'object', required, additionalProperties: false, properties, ...(description !== undefined && { description }) }
}

const GAP = objectOf({
  from: { ...COUNT, description: 'Offset of the first byte.' },
  to: { ...COUNT, description: 'Offset behind the last byte. Of rejected records: of their batch.' },
  lines: { ...NULLABLE_COUNT, description: 'Lines that are missing; null if unknown.' },
  reason: { enum: [...GAP_REASONS] },
  code: { ...NULLABLE_TEXT, description: 'Error code of rejected records.' },
  merged: { ...COUNT, description: 'Gaps that were merged into this one; 1 of most.' },
  at: TEXT
})
const GAPS: Schema = { type: 'array', items: GAP }

const STREAM = objectOf({
  id: TEXT,
  host_id: NULLABLE_TEXT,
  host: NULLABLE_TEXT,
  path: NULLABLE_TEXT,
  kind: NULLABLE_TEXT,
  service: NULLABLE_TEXT,
  state: { enum: [...STREAM_STATES], description: 'idle: no batch for 5 minutes; stale: none for a day.' },
  end: { enum: [...STREAM_ENDS, null] },
  from: COUNT,
  to: COUNT,
  first_line: COUNT,
  last_line: COUNT,
  lines: { ...COUNT, description: 'Lines that arrived, including those without a record.' },
  stored: COUNT,
  rejected: COUNT,
  next_seq: COUNT,
  head: NULLABLE_TEXT,
  anchor: NULLABLE_TEXT,
  first_at: TEXT,
  last_at: TEXT,
  complete: { type: 'boolean', description: 'The stream has no gap.' },
  gap_count: COUNT,
  gaps: { ...GAPS, description: 'The first gaps of the stream.' }
})

/** `GET /api/v1/streams`. */
export const LIST_STREAMS = {
  operationId: 'listStreams',
  tags: ['logs'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      host: { ...TEXT, description: 'Host of the records.' },
      host_id: { ...TEXT, description: 'Id of the host.' },
      path: { ...TEXT, description: 'Path of the file.' },
      service: { ...TEXT, description: 'Service of the records.' },
      state: { enum: [...STREAM_STATES] },
      incomplete: { type: 'boolean', description: 'Only streams with gaps, or only those without.' },
      limit: { type: 'integer', minimum: 1, description: 'At most 1,000; default 100.' }
    }
  },
  response: { 200: listSchema('Log streams that wrote in the window, by id.', { streams: { type: 'array', items: STREAM } }) }
}

/** `GET /api/v1/streams/{id}/proof`. */
export const PROVE_STREAM = {
  operationId: 'proveStream',
  tags: ['logs'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  params: { type: 'object', required: ['id'], properties: { id: { ...TEXT, description: 'Id of the stream.' } } },
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      recount: { type: 'boolean', default: false, description: 'Counts the records in the log store, too.' }
    }
  },
  response: {
    200: objectOf({
      stream: STREAM,
      complete: {
        type: 'boolean',
        description: 'The window has lines of the stream, none of them is missing, and all of it is within the retention.'
      },
      sentence: { ...TEXT, description: 'The result as a sentence.' },
      covered: {
        ...objectOf({ start: TEXT, end: TEXT }),
        type: ['object', 'null'],
        description: 'Event times of the counted runs, which are counted whole; null without any.'
      },
      lines: objectOf({
        first: NULLABLE_COUNT,
        last: NULLABLE_COUNT,
        expected: { ...NULLABLE_COUNT, description: 'Lines that arrived and that are missing; null if unknown.' },
        arrived: COUNT,
        stored: { ...COUNT, description: 'Their records. Blank lines have none; rejected records are not stored.' },
        recounted: { ...NULLABLE_COUNT, description: 'Records in the log store; null without `recount`.' }
      }),
      bytes: COUNT,
      gaps: GAPS,
      warnings: { type: 'array', items: TEXT },
      stats: objectOf({ took_ms: { type: 'number' } })
    })
  }
}
