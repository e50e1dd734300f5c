import type { AgentConfig, FileSource } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import type { Fingerprint, Pin, StreamRecord } from '../files/stream-record.js'
import { LIMITS } from '../limits.js'
import { itemJson } from '../parse/item-json.js'
import { podOfPath } from '../parse/pod-path.js'
import { eachItem, READ_TIME } from '../parse/each-item.js'
import { JsonBytes } from './json-bytes.js'

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

/** The members of a batch without its records. */
function headOf({ record, pin, source, anchor }: SealedBatch, { namespace, host, tags }: AgentConfig, hostId: string): object {
  const kind = kindOf(source)
  const pod = source.format === 'cri' ? podOfPath(record.path) : null
  const service = source.service ?? pod?.service ?? null
  return {
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
      ...(service !== null && { service }),
      source: kind,
      ...(source.level !== null && { level: source.level }),
      ...(source.format === 'plain' && { log_fields: READ_TIME }),
      tags: { ...pod?.tags, ...tags, ...source.tags, ...(kind === 'file' && { 'log.file.path': record.path }) }
    }
  }
}

/** Bytes of a record besides its line, and of the rest of a batch, as they usually are. */
const RECORD_BYTES = 80
const HEAD_BYTES = 32 * 1024

/**
 * The body of `POST /api/v1/logs/batch` for a batch: the same each time.
 * @param onUnparsed called with the number of records that are not of the format of their file.
 */
export function batchBody(
  batch: SealedBatch,
  config: AgentConfig,
  hostId: string,
  onUnparsed: (records: number) => void = () => undefined
): Buffer {
  const { lines, pin, source } = batch
  // The skipped rest of a long line may be any number of bytes.
  const lineBytes = Math.min(pin.to - pin.from, LIMITS.batchBytes)
  const json = new JsonBytes(lineBytes + lines.length * RECORD_BYTES + HEAD_BYTES)
  json.add(`${JSON.stringify(headOf(batch, config, hostId)).slice(0, -1)},"logs":[`)
  let separator = ''
  const unparsed = eachItem(lines, source, pin.readAtMs ?? pin.sealedAtMs, item => {
    json.add(separator + itemJson(item))
    separator = ','
  })
  onUnparsed(unparsed)
  json.add(']}')
  return json.bytes()
}
