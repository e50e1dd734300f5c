import { deserialize, serialize } from 'node:v8'
import type { IngestId, NamespaceId } from '../../domain/ids.js'
import { isNamespaceId } from '../../domain/ids.js'
import type { Batch } from '../../ports/append.js'
import type { WaitingRecords } from '../../ports/record-spool.js'
import { FRAME_HEADER_BYTES, sealFrame } from '../disk/checked-frames.js'

/** First bytes of every file of the spool; the last one is the version and grows when frames or records change. */
export const SPOOL_MAGIC = Buffer.from('alidspl1')

/** Kind of the records of a frame. */
export type SpoolSignal = WaitingRecords['signal']

// Positions are part of the format: new ones go to the end.
const SIGNALS: readonly SpoolSignal[] = ['logs', 'metrics', 'rum', 'errors', 'spans']

// The body of a frame, little endian: [u8 kind][u8 signal][u8 length of the namespace][u8 0][f64 number][f64 Unix ms]
// [u32 records][u32 entries][namespace], then each entry: [26 ingest id][u32 records][u32 length][records, by node:v8].
const RECORDS = 1
const NUMBER_AT = 4
const TIME_AT = 12
const RECORDS_AT = 20
const ENTRIES_AT = 24
const NAMESPACE_AT = 28
const INGEST_ID_BYTES = 26
const ENTRY_HEAD_BYTES = INGEST_ID_BYTES + 8

/** What is known of a frame without its records. */
export interface FrameFacts {
  /** Frames of one namespace and signal are replayed in this order. */
  readonly number: number
  /** Unix milliseconds of arrival. */
  readonly atMs: number
  readonly signal: SpoolSignal
  readonly ns: NamespaceId
  readonly records: number
}

/** A batch as it goes into a frame. */
export interface SpoolEntry {
  readonly head: Buffer
  readonly payload: Buffer
  readonly records: number
}

/** Bytes of a frame next to its entries. */
export function frameOverhead(ns: NamespaceId): number {
  return FRAME_HEADER_BYTES + NAMESPACE_AT + ns.length
}

/** A batch, serialized once. */
export function toEntry({ ingestId, items }: Batch<unknown>): SpoolEntry {
  const payload = serialize(items)
  const head = Buffer.allocUnsafe(ENTRY_HEAD_BYTES)
  head.write(ingestId, 0, INGEST_ID_BYTES, 'latin1')
  head.writeUInt32LE(items.length, INGEST_ID_BYTES)
  head.writeUInt32LE(payload.length, INGEST_ID_BYTES + 4)
  return { head, payload, records: items.length }
}

/** The frame of some batches of one namespace and signal, as the pieces to write. */
export function encodeFrame(facts: FrameFacts, entries: readonly SpoolEntry[]): Buffer[] {
  const { ns } = facts
  const head = Buffer.alloc(frameOverhead(ns))
  const at = FRAME_HEADER_BYTES
  head[at] = RECORDS
  head[at + 1] = SIGNALS.indexOf(facts.signal)
  head[at + 2] = ns.length
  head.writeDoubleLE(facts.number, at + NUMBER_AT)
  head.writeDoubleLE(facts.atMs, at + TIME_AT)
  head.writeUInt32LE(facts.records, at + RECORDS_AT)
  head.writeUInt32LE(entries.length, at + ENTRIES_AT)
  head.write(ns, at + NAMESPACE_AT, 'latin1')
  const rest = entries.flatMap(entry => [entry.head, entry.payload])
  sealFrame(head, rest)
  return [head, ...rest]
}

/** Whether the body of a frame begins as those of this version do. */
export function isSpoolFrame(body: Buffer): boolean {
  return body.length > NAMESPACE_AT && body[0] === RECORDS && body[1]! < SIGNALS.length
}

/** The facts in a frame's body; null if it is malformed. */
export function frameFacts(body: Buffer): FrameFacts | null {
  const ns = body.toString('latin1', NAMESPACE_AT, NAMESPACE_AT + body[2]!)
  const signal = SIGNALS[body[1]!]
  if (signal === undefined || !isNamespaceId(ns)) return null
  return {
    number: body.readDoubleLE(NUMBER_AT),
    atMs: body.readDoubleLE(TIME_AT),
    signal,
    ns,
    records: body.readUInt32LE(RECORDS_AT)
  }
}

/** The batches of a frame's body, in the order in which they arrived. Throws when they cannot be read. */
export function decodeBatches(body: Buffer): Batch<unknown>[] {
  const batches: Batch<unknown>[] = []
  let at = NAMESPACE_AT + body[2]!
  for (let left = body.readUInt32LE(ENTRIES_AT); left > 0; left--) {
    const ingestId = body.toString('latin1', at, at + INGEST_ID_BYTES) as IngestId
    const from = at + ENTRY_HEAD_BYTES
    at = from + body.readUInt32LE(at + INGEST_ID_BYTES + 4)
    batches.push({ ingestId, items: deserialize(body.subarray(from, at)) as readonly unknown[] })
  }
  return batches
}
