import type { Recovered, StreamRecord } from '../files/stream-record.js'

/** A stream as the service knows it. */
export interface LedgerStream {
  readonly id: string
  readonly path: string
  readonly nextSeq: number
  readonly bytesTo: number
  readonly lineTo: number
  /** Hex of SHA-256 over the first bytes of its file, and over those before `bytesTo`; null when unknown. */
  readonly head: string | null
  readonly anchor: string | null
  /** The end of its first batch and the sum of the bytes before it, where it is not known whether that is stored. */
  readonly pending: { readonly to: number; readonly anchor: string | null } | null
  /** What the next batch is compared with, when it is not that with its number. */
  readonly recovered: Recovered | null
  readonly isEnded: boolean
  /** Arrival of its first and of its latest batch, Unix milliseconds. */
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** Later batches are sealed later, Unix milliseconds; 0 when it is not known. */
  readonly sealedAtMs: number
}

type Continuation = Pick<StreamRecord, 'nextLine' | 'nextSeq' | 'sealedAtMs'> & { readonly recovered: Recovered }

/** Where a stream goes on that is taken from the service: its next batch is compared with what may be stored already. */
export function continuationOf({ lineTo, nextSeq, lastAtMs, sealedAtMs, recovered }: LedgerStream): Continuation {
  return {
    nextLine: lineTo + 1,
    nextSeq,
    sealedAtMs: Math.max(lastAtMs, sealedAtMs),
    recovered: recovered ?? { seq: nextSeq, records: 0 }
  }
}

/** A page of the streams that the service remembers of this machine. */
export interface LedgerPage {
  readonly streams: readonly LedgerStream[]
  /** Ended streams whose last batch came before are not among them, Unix milliseconds. */
  readonly sinceMs: number
  readonly hasMore: boolean
}

const KINDS: ReadonlySet<unknown> = new Set(['file', 'journald', 'docker'])

type Json = Readonly<Record<string, unknown>>

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function sumOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

function pendingOf(value: unknown): LedgerStream['pending'] {
  if (!isJson(value)) return null
  const { to, anchor } = value
  return Number.isSafeInteger(to) ? { to: to as number, anchor: sumOf(anchor) } : null
}

/** A member `recovered` of a response; null for none and for one that cannot be read. */
export function recoveredOf(value: unknown): Recovered | null {
  if (!isJson(value)) return null
  const { seq, records } = value
  return Number.isSafeInteger(seq) && Number.isSafeInteger(records) ? { seq: seq as number, records: records as number } : null
}

function toStream(value: unknown): LedgerStream | null {
  if (!isJson(value)) return null
  const { id, path, next_seq: nextSeq, bytes_to: bytesTo, line_to: lineTo } = value
  const times = [value['first_at'], value['last_at']].map(timeOf)
  const sealedAtMs = timeOf(value['sealed_at']) || 0
  const numbers = [nextSeq, bytesTo, lineTo, ...times]
  if (!KINDS.has(value['kind']) || typeof id !== 'string' || typeof path !== 'string') return null
  if (!numbers.every(number => Number.isSafeInteger(number))) return null
  const place = { nextSeq: nextSeq as number, bytesTo: bytesTo as number, lineTo: lineTo as number }
  const sums = { head: sumOf(value['head']), anchor: sumOf(value['anchor']), pending: pendingOf(value['pending']) }
  const recovered = recoveredOf(value['recovered'])
  return {
    id,
    path,
    ...place,
    ...sums,
    recovered,
    isEnded: value['end'] !== null,
    firstAtMs: times[0]!,
    lastAtMs: times[1]!,
    sealedAtMs
  }
}

/** The streams in the response to a report of the host; null for a service that does not have them. */
export function parseLedgerPage(json: Json): LedgerPage | null {
  const { streams: page } = json
  if (!isJson(page) || !Array.isArray(page['items'])) return null
  const sinceMs = Date.parse(String(page['since']))
  if (Number.isNaN(sinceMs)) return null
  return { streams: page['items'].flatMap(one => toStream(one) ?? []), sinceMs, hasMore: page['has_more'] === true }
}
