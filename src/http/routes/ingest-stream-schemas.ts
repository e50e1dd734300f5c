import { DECLARED_REASONS, STREAM_ENDS } from '../../domain/log-stream.js'
import { COUNT, described, FLAG, objectWith, optional, requiring, type Schema, TEXT } from '../json-schema.js'

// Log streams in OpenAPI. It documents writes; their checks are those of src/ingest/streams.

const text = (description: string): Schema => ({ ...TEXT, description })
const count = (description: string, minimum = 0): Schema => ({ ...COUNT, minimum, description })

const FREE_OBJECT = { type: 'object', additionalProperties: true } as const

/** Member `defaults` of a batch of logs. */
export const LOG_DEFAULTS = optional(
  {
    service: text('Emitting service.'),
    host: text('Emitting host.'),
    environment: text('Deployment environment.'),
    source: text('File or logger.'),
    level: text('Severity.'),
    log_fields: FREE_OBJECT,
    tags: FREE_OBJECT
  },
  { description: 'Values of records without their own: strings as a whole, `log_fields` and `tags` member by member.' }
)

const GAP = described(
  'Lines directly before the batch that the sender knows to be lost.',
  objectWith(['from', 'to', 'reason'], {
    from: count('Offset of the first byte.'),
    to: count('Offset behind the last byte; equals `from` of the batch.'),
    lines: { type: ['integer', 'null'], minimum: 0, description: 'Null if unknown.' },
    reason: { type: 'string', enum: DECLARED_REASONS }
  })
)

const RECOVERED = requiring(['seq', 'records'], {
  seq: count('Number of the batch that followed the position.', 1),
  records: count('Records of that batch that were sent again since.')
})

/** Member `stream` of a batch of logs. */
export const STREAM_BATCH = described(
  'Which part of a log stream the batch is. A batch is stored once, however often it is sent; a batch that contradicts the ' +
    'position of the stream is 409 `conflict`. Not to be combined with `Idempotency-Key`.',
  objectWith(['id', 'seq', 'from', 'to', 'first_line', 'lines', 'sealed_at'], {
    id: { ...TEXT, pattern: '^[0-9A-Za-z][0-9A-Za-z_-]{7,39}$', description: 'Id of the stream, made by the sender.' },
    host_id: text('Id of the host.'),
    path: text('Path of the file, or another name of the source.'),
    kind: text('`file`, `journald`, `docker`.'),
    seq: count('Number of the batch within its stream, from 1.', 1),
    from: count('Offset of the first byte of the batch.'),
    to: count('Offset behind its last byte.'),
    first_line: count('Number of its first line, from 1.', 1),
    lines: count('Lines between `from` and `to`, including those without a record.'),
    sealed_at: text('RFC 3339; the same each time the batch is sent.'),
    head: text('SHA-256 of the first bytes of the source, hexadecimal.'),
    anchor: text('SHA-256 of the bytes before `to`, hexadecimal.'),
    gap: GAP,
    end: { type: 'string', enum: STREAM_ENDS, description: 'Why no more lines come.' },
    recovered: described(
      'The sender lost its state and goes on from the position of the ledger. The batch that followed may be stored without ' +
        'being in the ledger: records that are stored of it are not stored again.',
      RECOVERED
    )
  })
)

/** Member `stream` of the response to a batch. */
export const STREAM_POSITION = described(
  'Position of the log stream after the batch; absent when the batch is not part of a stream.',
  requiring(['id', 'next_seq', 'bytes_to', 'line_to'], {
    id: text('Id of the stream.'),
    next_seq: count('Number of the next batch.', 1),
    bytes_to: count('Offset behind the last stored byte.'),
    line_to: count('Number of the last line.'),
    repeated: { ...FLAG, description: 'The batch had arrived before; nothing was stored. Absent otherwise.' },
    recovered: described('For the next batch of a sender that recovers; absent when nothing is left to compare.', RECOVERED)
  })
)
