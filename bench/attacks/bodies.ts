import { gzipSync } from 'node:zlib'
import { message } from '../../test/support/protobuf.js'

const MIB = 1024 * 1024
/** Just below the limit of a body of JSON. */
const JSON_BYTES = 10 * MIB - 1024
const BOMB_BYTES = 64 * MIB - 4096
const DEEP = JSON_BYTES / 2 - 512

/** A request that costs little to send. */
export interface HostileBody {
  readonly path: string
  readonly contentType: string
  readonly bytes: Buffer
  /** The public key of a page instead of an ingest key. */
  readonly isRum?: boolean
}

const wide = (head: string, tail: string): Buffer => gzipSync(`${head}${'[],'.repeat((JSON_BYTES - 256) / 3)}[]${tail}`)
const deep = (head: string, tail: string): Buffer => gzipSync(`${head}${'['.repeat(DEEP)}${']'.repeat(DEEP)}${tail}`)

/** About 10 KB of gzip each that inflate to 10 MB of arrays, inside and outside records, on six routes. */
export function arrayBodies(): readonly HostileBody[] {
  const json = 'application/json'
  const both = (path: string, head: string, tail: string, isRum = false): readonly HostileBody[] =>
    [wide(head, tail), deep(head, tail)].map(bytes => ({ path, contentType: json, bytes, isRum }))
  return [
    ...both('/api/v1/logs', '{"message":"x","log_fields":{"a":[', ']}}'),
    ...both('/api/v1/logs/batch', '{"logs":[{"message":"x","log_fields":{"a":[', ']}}]}'),
    ...both('/api/v1/ingest/batch', '{"metrics":[', ']}'),
    ...both('/api/v1/apm/errors', '{"service":"s","message":"m","tags":{"a":[', ']}}'),
    ...both('/api/v1/apm/rum', '{"page_url":"https://a.example/","x":[', ']}', true),
    ...both('/api/v1/otlp/v1/logs', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":[', ']}}]}]}]}')
  ]
}

/** About 71 KB of gzip that unfold to a log record of 64 MiB. */
export function otlpBomb(): HostileBody {
  const record = message(2, message(5, message(1, Buffer.alloc(BOMB_BYTES, 'a'))))
  const bytes = gzipSync(message(1, message(2, record)), { level: 9 })
  return { path: '/api/v1/otlp/v1/logs', contentType: 'application/x-protobuf', bytes }
}

/** Page views that unfold to 10 MB, each in another way. */
export function rumBodies(): readonly HostileBody[] {
  const of = (text: string): HostileBody => {
    return { path: '/api/v1/apm/rum', contentType: 'application/json', bytes: gzipSync(text), isRum: true }
  }
  const members = Array.from({ length: 700_000 }, (_, i) => `"k${i}":1`).join(',')
  return [
    of(`{"page_url":"${'a'.repeat(JSON_BYTES - 64)}"}`),
    of(`{"page_url":"${'\\ud800'.repeat(JSON_BYTES / 6 - 64)}"}`),
    of(`{"page_url":"x${'1'.repeat(JSON_BYTES - 64)}"}`),
    of(`{"page_url":"a",${members}}`),
    of(`{"page_url":"a","n":${'9'.repeat(JSON_BYTES - 64)}}`)
  ]
}
