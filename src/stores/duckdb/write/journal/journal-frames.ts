import { deserialize } from 'node:v8'
import { type Damage, FRAME_HEADER_BYTES, scanFrames, sealFrame } from '../../../disk/checked-frames.js'
import type { TableLayout } from '../../table-layout.js'
import type { AppendRequest, ProcessCall } from '../../wire/calls.js'
import { isPacked, LAST_UNSTATED_FORMAT, unpackAppend } from '../../wire/packed-append.js'

/** First bytes of every journal file; the last one grows when frames change. */
export const JOURNAL_MAGIC = Buffer.from('alidjrn5')
/** Written by earlier versions: without the format of their columns, before that without ids of series, before that without rows of several requests in one and strings that rows share, and before that with requests as serialized calls. */
const EARLIER_MAGICS = ['alidjrn4', 'alidjrn3', 'alidjrn2', 'alidjrn1'].map(magic => Buffer.from(magic))

// The body of a frame is `[u32 count][u32 x count]`, the positions of the series that were refused, and then the request as
// it came over the pipe.
const WORD_BYTES = 4
/** What every serialized call begins with. */
const SERIALIZED = 0xff

/** Whether a file that begins so holds frames that can be read. */
export function isJournalMagic(head: Buffer): boolean {
  return [JOURNAL_MAGIC, ...EARLIER_MAGICS].some(magic => magic.equals(head))
}

/** One journaled request, not decoded. */
export interface JournalEntry {
  /** Positions in `seriesList` that are beyond the limit of series. */
  readonly refused: readonly number[]
  readonly payload: Buffer
}

/** The frame of a request as the pieces to write. */
export function encodeJournalEntry({ refused, payload }: JournalEntry): readonly [Buffer, Buffer] {
  const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES + WORD_BYTES * (1 + refused.length))
  head.writeUInt32LE(refused.length, FRAME_HEADER_BYTES)
  refused.forEach((position, i) => head.writeUInt32LE(position, FRAME_HEADER_BYTES + WORD_BYTES * (1 + i)))
  sealFrame(head, [payload])
  return [head, payload]
}

/** The request that an entry holds, with the columns of the layout. */
export function decodeJournalEntry({ payload }: JournalEntry, layout: TableLayout): AppendRequest {
  if (payload[0] !== SERIALIZED) return unpackAppend(payload, layout)
  const request = (deserialize(payload) as ProcessCall).args[0] as AppendRequest
  if (request.kind === 'points') return request
  return { ...request, columns: layout.upgraded(request.kind, LAST_UNSTATED_FORMAT, request.rows, request.columns) }
}

/** All entries of a file's content in order, and what is between and behind them. */
export function scanJournal(content: Buffer): { readonly entries: readonly JournalEntry[]; readonly damages: readonly Damage[] } {
  const at = Math.min(JOURNAL_MAGIC.length, content.length)
  const { frames, damages } = scanFrames(content, at, isEntry)
  const isForeign = !isJournalMagic(content.subarray(0, at))
  return { entries: frames.map(({ body }) => entryOf(body)), damages: isForeign ? [{ from: 0, to: at }, ...damages] : damages }
}

function isEntry(body: Buffer): boolean {
  if (body.length <= WORD_BYTES) return false
  const payload = WORD_BYTES * (1 + body.readUInt32LE(0))
  return payload < body.length && (isPacked(body, payload) || body[payload] === SERIALIZED)
}

function entryOf(body: Buffer): JournalEntry {
  const count = body.readUInt32LE(0)
  const refused = Array.from({ length: count }, (_, i) => body.readUInt32LE(WORD_BYTES * (1 + i)))
  return { refused, payload: body.subarray(WORD_BYTES * (1 + count)) }
}
