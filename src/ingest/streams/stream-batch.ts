import { GatewayError } from '../../domain/errors.js'
import {
  DECLARED_REASONS,
  type GapReason,
  type RecoveredRecords,
  STREAM_ENDS,
  type StreamEnd,
  type StreamOrigin
} from '../../domain/log-stream.js'
import { parseRfc3339Ns } from '../../domain/timestamp.js'
import { isRawObject, type RawObject } from '../raw-object.js'

/** Lines that a sender knows to be lost, directly before its batch. */
export interface DeclaredGap {
  readonly from: number
  readonly to: number
  /** Null if unknown. */
  readonly lines: number | null
  readonly reason: GapReason
}

/** Which part of a stream a batch is. Bytes are offsets `[from, to)`. */
export interface StreamBatch extends StreamOrigin {
  readonly id: string
  /** From 1; the same batch has the same number each time it is sent. */
  readonly seq: number
  readonly from: number
  readonly to: number
  /** Number of the first line, from 1. */
  readonly firstLine: number
  /** Lines of the part, including those without a record. */
  readonly lines: number
  readonly sealedAtMs: number
  readonly gap: DeclaredGap | null
  readonly end: StreamEnd | null
  /** Null: the sender knows what it sent. */
  readonly recovered: RecoveredRecords | null
}

const ID = /^[0-9A-Za-z][0-9A-Za-z_-]{7,39}$/
const WORD = /^[a-z][a-z0-9_-]{0,15}$/
const HEX = /^[0-9a-f]{1,64}$/
const HOST_ID = /^[0-9A-Za-z._:-]{1,64}$/
/** Sequence numbers are the last 32 bits of ingest ids. */
export const MAX_SEQ = 2 ** 32 - 1
const MAX_PATH_BYTES = 4096
const NS_PER_MS = 1_000_000n

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

function matching(raw: RawObject, name: string, pattern: RegExp, detail: string): string | null {
  const value = raw[name]
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && pattern.test(value)) return value
  throw invalid(`stream.${name}`, detail)
}

/**
 * A text of the ledger; null for an empty one and any other value. PostgreSQL stores no NUL: it would refuse the batches of
 * all namespaces that are written at that moment.
 */
export function storableText(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replaceAll('\0', '') : ''
  return text === '' ? null : text
}

function string(raw: RawObject, name: string): string | null {
  const value = raw[name]
  if (value !== undefined && value !== null && typeof value !== 'string') throw invalid(`stream.${name}`, 'must be a string')
  const text = storableText(value)
  if (text !== null && Buffer.byteLength(text) > MAX_PATH_BYTES)
    throw invalid(`stream.${name}`, `must not exceed ${MAX_PATH_BYTES} bytes`)
  return text
}

function whole(value: unknown, field: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
  if (isWhole) return value
  throw invalid(field, most === Number.MAX_SAFE_INTEGER ? `must be an integer from ${least}` : `must be ${least} to ${most}`)
}

function oneOf<Word extends string>(value: unknown, field: string, words: readonly Word[]): Word {
  const found = words.find(word => word === value)
  if (found !== undefined) return found
  throw invalid(field, `must be one of ${words.join(', ')}`)
}

function declaredGap(raw: unknown, before: number): DeclaredGap | null {
  if (raw === undefined || raw === null) return null
  if (!isRawObject(raw)) throw invalid('stream.gap', 'must be an object')
  const to = whole(raw['to'], 'stream.gap.to', 0)
  if (to !== before) throw invalid('stream.gap.to', 'must equal stream.from: a gap is directly before its batch')
  const lines = raw['lines'] ?? null
  return {
    from: whole(raw['from'], 'stream.gap.from', 0, to),
    to,
    lines: lines === null ? null : whole(lines, 'stream.gap.lines', 0),
    reason: oneOf(raw['reason'], 'stream.gap.reason', DECLARED_REASONS)
  }
}

function recovered(raw: unknown): RecoveredRecords | null {
  if (raw === undefined || raw === null) return null
  if (!isRawObject(raw)) throw invalid('stream.recovered', 'must be an object')
  return {
    seq: whole(raw['seq'], 'stream.recovered.seq', 1, MAX_SEQ),
    records: whole(raw['records'], 'stream.recovered.records', 0)
  }
}

function sealedAtMs(raw: RawObject): number {
  const value = raw['sealed_at']
  const ns = typeof value === 'string' ? parseRfc3339Ns(value) : null
  if (ns === null || ns < 0n) throw invalid('stream.sealed_at', 'must be an RFC 3339 time since 1970')
  return Number(ns / NS_PER_MS)
}

function originOf(raw: RawObject): Omit<StreamOrigin, 'host' | 'service'> {
  return {
    hostId: matching(raw, 'host_id', HOST_ID, 'must be at most 64 letters, digits and ._:-'),
    path: string(raw, 'path'),
    kind: matching(raw, 'kind', WORD, 'must be a word of at most 16 lower-case letters'),
    head: matching(raw, 'head', HEX, 'must be at most 64 hexadecimal digits'),
    anchor: matching(raw, 'anchor', HEX, 'must be at most 64 hexadecimal digits')
  }
}

/**
 * Member `stream` of the envelope of `POST /api/v1/logs/batch`; null when it is absent. `records` is the length of the
 * batch. Throws `missing_field` or `invalid_field`.
 */
export function parseStreamBatch(
  raw: unknown,
  records: number,
  { host, service }: Pick<StreamOrigin, 'host' | 'service'>
): StreamBatch | null {
  if (raw === undefined || raw === null) return null
  if (!isRawObject(raw)) throw invalid('stream', 'must be an object')
  const id = matching(raw, 'id', ID, 'must be 8 to 40 letters, digits, - and _')
  if (id === null) throw new GatewayError('missing_field', 'stream.id is required', { field: 'stream.id' })
  const from = whole(raw['from'], 'stream.from', 0)
  const to = whole(raw['to'], 'stream.to', 0)
  const lines = whole(raw['lines'], 'stream.lines', 0)
  if (to < from || (to === from && lines > 0)) throw invalid('stream.to', 'must be after stream.from')
  if (records > lines) throw invalid('stream.lines', `must be at least the number of logs, ${records}`)
  const end = raw['end'] ?? null
  return {
    id,
    ...originOf(raw),
    host,
    service,
    seq: whole(raw['seq'], 'stream.seq', 1, MAX_SEQ),
    from,
    to,
    firstLine: whole(raw['first_line'], 'stream.first_line', 1, Number.MAX_SAFE_INTEGER - lines),
    lines,
    sealedAtMs: sealedAtMs(raw),
    gap: declaredGap(raw['gap'], from),
    end: end === null ? null : oneOf(end, 'stream.end', STREAM_ENDS),
    recovered: recovered(raw['recovered'])
  }
}
