import type { AgentConfig, FileSource } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import type { Fingerprint, Pin, StreamRecord } from '../files/stream-record.js'
import { READ_TIME, toItems } from '../parse/to-items.js'

/** Takes records of logs. */
export const LOGS_PATH = '/api/v1/logs/batch'

/** What a batch is about. */
export interface SealedBatch {
  readonly record: StreamRecord
  readonly pin: Pin
  readonly lines: readonly Line[]
  readonly source: FileSource
  /** Of the bytes before its end. */
  readonly anchor: Fingerprint
}

/** Where a batch is sent: lines of JSON are parsed by the service, which knows the members of loggers. */
export function batchPath({ source }: SealedBatch): string {
  return source.format === 'json' ? `${LOGS_PATH}?parse_message=true` : LOGS_PATH
}

/** Kind of a stream, and source of its records. */
function kindOf({ format }: FileSource): string {
  return format === 'journald' || format === 'docker' ? format : 'file'
}

/** The body of `POST /api/v1/logs/batch` for a batch: the same each time. */
export function batchBody({ record, pin, lines, source, anchor }: SealedBatch, config: AgentConfig, hostId: string): string {
  const { namespace, host, tags } = config
  const kind = kindOf(source)
  return JSON.stringify({
    ...(namespace !== null && { namespace: namespace.name }),
    stream: {
      id: record.id,
      host_id: hostId,
      path: record.path,
      kind,
      seq: pin.seq,
      from: pin.from,
      to: pin.to,
      first_line: pin.firstLine,
      lines: pin.lines,
      sealed_at: new Date(pin.sealedAtMs).toISOString(),
      ...(record.head.bytes > 0 && { head: record.head.sum }),
      ...(anchor.bytes > 0 && { anchor: anchor.sum }),
      ...(pin.gap !== null && { gap: pin.gap }),
      ...(pin.end !== null && { end: pin.end }),
      ...(record.recovered !== undefined && { recovered: record.recovered })
    },
    defaults: {
      host,
      ...(source.service !== null && { service: source.service }),
      source: kind,
      ...(source.level !== null && { level: source.level }),
      ...(source.format === 'plain' && { log_fields: READ_TIME }),
      tags: { ...tags, ...source.tags, ...(kind === 'file' && { 'log.file.path': record.path }) }
    },
    logs: toItems(lines, source, pin.sealedAtMs)
  })
}
