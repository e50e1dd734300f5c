import { LIMITS } from '../limits.js'
import { sha256 } from '../files/open-file.js'
import type { Fingerprint, StreamRecord } from '../files/stream-record.js'
import type { LedgerStream } from './ledger-streams.js'

const NO_BYTES: Fingerprint = { bytes: 0, sum: sha256('') }

/** Of the first bytes; how many were taken is known of those that had as many as there may be. */
function headOf({ head, bytesTo }: LedgerStream): Fingerprint {
  return head === null || bytesTo < LIMITS.headBytes ? NO_BYTES : { bytes: LIMITS.headBytes, sum: head }
}

function anchorOf({ anchor, bytesTo }: LedgerStream): Fingerprint {
  return anchor === null ? NO_BYTES : { bytes: Math.min(LIMITS.anchorBytes, bytesTo), sum: anchor }
}

/** What the journal had of a stream, as far as the service knows it: its file is found by its bytes. */
export function toRecord(stream: LedgerStream, pattern: string): StreamRecord {
  const { id, path, bytesTo, lineTo, nextSeq, isEnded, lastAtMs } = stream
  return {
    ...{ id, pattern, path, dev: -1, ino: -1, bornMs: -1, head: headOf(stream), offset: bytesTo, anchor: anchorOf(stream) },
    ...{ nextLine: lineTo + 1, nextSeq, sealedAtMs: lastAtMs, pin: null, endedAtMs: isEnded ? lastAtMs : null },
    recovered: { seq: nextSeq, records: 0 }
  }
}
