import { createHash } from 'node:crypto'
import type { IngestId, NamespaceId } from '../../domain/ids.js'
import { ulidOf } from '../../domain/ulid.js'
import { foldedTimeMs, MAX_AHEAD_MS } from '../body-identity.js'
import type { StreamBatch } from './stream-batch.js'

const STREAM_BYTES = 6
const SEQ_BITS = 32n
const DIGITS = 16
const BITS_PER_DIGIT = 5n

/**
 * The ingest id of a batch of a stream: its sealing time, 48 bits of SHA-256 over namespace and stream, 32 bits of its
 * sequence number. A repeat has the same one on every gateway and after every crash, and of equal event times the ids sort
 * in the order of the source. The time is moved by whole days into the last one, which every store remembers
 * (docs/adr/0019).
 */
export function streamIngestId(
  ns: NamespaceId,
  { id, seq, sealedAtMs }: Pick<StreamBatch, 'id' | 'seq' | 'sealedAtMs'>,
  nowMs: number
): IngestId {
  return ulidOf(foldedTimeMs(sealedAtMs, nowMs, MAX_AHEAD_MS), digitsOf(ns, { id, seq }))
}

/**
 * The ingest id of a batch of which records are stored under `taken`: stores take one that they know for a repeat of all of
 * its records, so that it is that of the next millisecond then.
 */
export function untakenIngestId(
  ns: NamespaceId,
  batch: Pick<StreamBatch, 'id' | 'seq' | 'sealedAtMs'>,
  { nowMs, taken }: { readonly nowMs: number; readonly taken: ReadonlySet<IngestId> }
): IngestId {
  for (let { sealedAtMs } = batch; ; sealedAtMs++) {
    const id = streamIngestId(ns, { ...batch, sealedAtMs }, nowMs)
    if (!taken.has(id)) return id
  }
}

/** Whether an ingest id is one of a batch, whenever that was sealed. */
export function isIngestIdOf(ingestId: IngestId, ns: NamespaceId, batch: Pick<StreamBatch, 'id' | 'seq'>): boolean {
  return ingestId.slice(-DIGITS) === ulidOf(0, digitsOf(ns, batch)).slice(-DIGITS)
}

/** What of an ingest id is of stream and number. */
function digitsOf(ns: NamespaceId, { id, seq }: Pick<StreamBatch, 'id' | 'seq'>): Uint8Array {
  const hash = createHash('sha256')
    .update(`${ns} ${id}`)
    .digest('hex')
    .slice(0, STREAM_BYTES * 2)
  const bits = (BigInt(`0x${hash}`) << SEQ_BITS) | BigInt(seq)
  const digits = Array.from({ length: DIGITS }, (_, i) => Number((bits >> (BITS_PER_DIGIT * BigInt(DIGITS - 1 - i))) & 31n))
  return Uint8Array.from(digits)
}
