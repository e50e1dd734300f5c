import { deserialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { AppendRequest, Call } from '../../wire/calls.js'

/** First bytes of every journal file; the last one grows when frames or the columns of requests change. */
export const JOURNAL_MAGIC = Buffer.from('alidjrn1')

// `[u32 length][u32 crc32]`, little endian, both of the body that follows. The body is `[u32 count][u32 x count]`, the
// positions of the series that were refused, and then the call as it came over the pipe.
const HEADER_BYTES = 8
const WORD_BYTES = 4
/** What every serialized call begins with. */
const SERIALIZED = 0xff

/** One journaled request, not decoded. */
export interface JournalEntry {
  /** Positions in `seriesList` that are beyond the limit of series. */
  readonly refused: readonly number[]
  readonly payload: Buffer
}

/** Bytes of a journal file that are no frames. */
export interface Damage {
  readonly from: number
  readonly to: number
}

/** The frame of a request as the pieces to write. */
export function encodeJournalEntry({ refused, payload }: JournalEntry): readonly [Buffer, Buffer] {
  const head = Buffer.allocUnsafe(HEADER_BYTES + WORD_BYTES * (1 + refused.length))
  head.writeUInt32LE(refused.length, HEADER_BYTES)
  refused.forEach((position, i) => head.writeUInt32LE(position, HEADER_BYTES + WORD_BYTES * (1 + i)))
  head.writeUInt32LE(head.length - HEADER_BYTES + payload.length, 0)
  head.writeUInt32LE(crc32(payload, crc32(head.subarray(HEADER_BYTES))), WORD_BYTES)
  return [head, payload]
}

/** The request that an entry holds. */
export function decodeJournalEntry({ payload }: JournalEntry): AppendRequest {
  return (deserialize(payload) as Call).args[0] as AppendRequest
}

/** All entries of a file's content in order, and what lies between and behind them. */
export function scanJournal(content: Buffer): { readonly entries: readonly JournalEntry[]; readonly damages: readonly Damage[] } {
  const entries: JournalEntry[] = []
  const damages: Damage[] = []
  let at = Math.min(JOURNAL_MAGIC.length, content.length)
  if (!JOURNAL_MAGIC.equals(content.subarray(0, at))) damages.push({ from: 0, to: at })
  while (at < content.length) {
    const end = frameEnd(content, at)
    if (end !== null) {
      entries.push(entryOf(content.subarray(at + HEADER_BYTES, end)))
      at = end
      continue
    }
    const next = afterDamage(content, at)
    damages.push({ from: at, to: next })
    at = next
  }
  return { entries, damages }
}

/**
 * Where reading goes on behind a frame that is not whole. What lies in it is never searched: senders choose bytes of their
 * requests and could hide a frame for another namespace there. Only its own length may tell where the next one begins.
 */
function afterDamage(content: Buffer, at: number): number {
  if (at + HEADER_BYTES > content.length) return content.length
  const next = at + HEADER_BYTES + content.readUInt32LE(at)
  return next < content.length && frameEnd(content, next) !== null ? next : content.length
}

/** Where the frame at `at` ends; null when there is none. */
function frameEnd(content: Buffer, at: number): number | null {
  const body = at + HEADER_BYTES
  if (body + WORD_BYTES > content.length) return null
  const end = body + content.readUInt32LE(at)
  if (end > content.length) return null
  const payload = body + WORD_BYTES * (1 + content.readUInt32LE(body))
  if (payload >= end || content[payload] !== SERIALIZED) return null
  return crc32(content.subarray(body, end)) === content.readUInt32LE(at + WORD_BYTES) ? end : null
}

function entryOf(body: Buffer): JournalEntry {
  const count = body.readUInt32LE(0)
  const refused = Array.from({ length: count }, (_, i) => body.readUInt32LE(WORD_BYTES * (1 + i)))
  return { refused, payload: body.subarray(WORD_BYTES * (1 + count)) }
}
