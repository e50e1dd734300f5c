import { LIMITS } from '../limits.js'
import { NO_BYTES } from '../files/line-reader.js'
import type { Fingerprint, Mark, StreamRecord } from '../files/stream-record.js'
import { continuationOf, type LedgerStream } from './ledger-streams.js'

/** The place by which its file is found: where a first batch is pending, nothing is known of the bytes before that. */
function placeOf({ pending, bytesTo, anchor }: LedgerStream): Mark {
  const [offset, sum] = pending === null ? [bytesTo, anchor] : [pending.to, pending.anchor]
  return { offset, anchor: sum === null ? NO_BYTES : { bytes: Math.min(LIMITS.anchorBytes, offset), sum } }
}

/** Of the first bytes; how many were taken is known of those that had as many as there may be. */
function headOf(head: string | null, { offset }: Mark): Fingerprint {
  return head === null || offset < LIMITS.headBytes ? NO_BYTES : { bytes: LIMITS.headBytes, sum: head }
}

/** What the journal had of a stream, as far as the service knows it: its file is found by its bytes. */
export function toRecord(stream: LedgerStream, pattern: string): StreamRecord {
  const { id, path, bytesTo, isEnded, lastAtMs } = stream
  const place = placeOf(stream)
  return {
    ...{ id, pattern, path, dev: -1, ino: -1, bornMs: -1, head: headOf(stream.head, place), ...place },
    ...(stream.pending !== null && { pendingFrom: bytesTo }),
    ...continuationOf(stream),
    pin: null,
    endedAtMs: isEnded ? lastAtMs : null
  }
}
