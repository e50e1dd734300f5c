import { GAP_REASONS, STREAM_ENDS } from '../../domain/log-stream.js'
import { STREAM_STATES } from '../../query/streams/stream-state.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  optional,
  type Static,
  TEXT
} from '../json-schema.js'
import { listSchema, WINDOW_QUERY } from '../read-schemas.js'
import { COMMON } from './logs-query-schemas.js'

const NULLABLE_COUNT = { type: ['integer', 'null'], minimum: 0 } as const

const GAP = object({
  from: { ...COUNT, description: 'Offset of the first byte.' },
  to: { ...COUNT, description: 'Offset behind the last byte. Of rejected records: of their batch.' },
  lines: { ...NULLABLE_COUNT, description: 'Lines that are missing; null if unknown.' },
  reason: { enum: GAP_REASONS } as const,
  code: { ...NULLABLE_TEXT, description: 'Error code of rejected records.' },
  merged: { ...COUNT, description: 'Gaps that were merged into this one; 1 of most.' },
  at: TEXT
})

const STREAM = object({
  id: TEXT,
  host_id: NULLABLE_TEXT,
  host: NULLABLE_TEXT,
  path: NULLABLE_TEXT,
  kind: NULLABLE_TEXT,
  service: NULLABLE_TEXT,
  state: { enum: STREAM_STATES, description: 'idle: no batch for 5 minutes; stale: none for a day.' } as const,
  end: { enum: [...STREAM_ENDS, null] } as const,
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
  lag_bytes: {
    ...NULLABLE_COUNT,
    description: 'Bytes that are not stored yet, by the latest report of the agent of the host; null when unknown.'
  },
  first_at: TEXT,
  last_at: TEXT,
  complete: { ...FLAG, description: 'The stream has no gap.' },
  gap_count: COUNT,
  gaps: list(GAP, { description: 'The first gaps of the stream.' })
})

/** A gap of a stream. */
export type GapReply = Static<typeof GAP>
/** A stream with the first of its gaps. */
export type StreamReply = Static<typeof STREAM>

/** `GET /api/v1/streams`. */
export const LIST_STREAMS = {
  ...COMMON,
  operationId: 'listStreams',
  querystring: optional({
    ...WINDOW_QUERY,
    host: { ...TEXT, description: 'Host of the records.' },
    host_id: { ...TEXT, description: 'Id of the host.' },
    path: { ...TEXT, description: 'Path of the file.' },
    service: { ...TEXT, description: 'Service of the records.' },
    state: { enum: STREAM_STATES } as const,
    incomplete: { ...FLAG, description: 'Only streams with gaps, or only those without.' },
    cursor: { ...TEXT, description: '`next_cursor` of the page before.' },
    limit: { ...COUNT, minimum: 1, description: 'At most 1,000; default 100.' }
  }),
  response: { 200: listSchema('Log streams that wrote in the window, by id.', { streams: list(STREAM) }) }
}

const PROOF = object({
  stream: STREAM,
  complete: {
    ...FLAG,
    description: 'The window has lines of the stream, none of them is missing, and all of it is within the retention.'
  },
  sentence: { ...TEXT, description: 'The result as a sentence.' },
  covered: objectOrNull(
    described('Event times of the counted runs, which are counted whole; null without any.', object({ start: TEXT, end: TEXT }))
  ),
  lines: object({
    first: NULLABLE_COUNT,
    last: NULLABLE_COUNT,
    expected: { ...NULLABLE_COUNT, description: 'Lines that arrived and that are missing; null if unknown.' },
    arrived: COUNT,
    stored: { ...COUNT, description: 'Their records. Blank lines have none; rejected records are not stored.' },
    recounted: { ...NULLABLE_COUNT, description: 'Records in the log store; null without `recount`.' }
  }),
  bytes: COUNT,
  gaps: list(GAP),
  warnings: list(TEXT),
  stats: object({ took_ms: NUMBER })
})

/** Whether a stream is whole. */
export type ProofReply = Static<typeof PROOF>

/** `GET /api/v1/streams/{id}/proof`. */
export const PROVE_STREAM = {
  ...COMMON,
  operationId: 'proveStream',
  params: object({ id: { ...TEXT, description: 'Id of the stream.' } }),
  querystring: optional({
    ...WINDOW_QUERY,
    recount: { ...FLAG, default: false, description: 'Counts the records in the log store, too.' }
  }),
  response: { 200: PROOF }
}
