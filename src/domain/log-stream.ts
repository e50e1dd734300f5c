import type { NamespaceId } from './ids.js'

/**
 * Why lines of a stream are not stored. `unknown`: the stream was first seen in its middle; the ledger does not know whether
 * what came before arrived.
 */
export const GAP_REASONS = [
  'truncated',
  'deleted',
  'rotated_away',
  'unreadable',
  'rejected',
  'dropped',
  'too_old',
  'skipped',
  'agent_state_lost',
  'journal_vacuumed',
  'unknown'
] as const
export type GapReason = (typeof GAP_REASONS)[number]

/** Reasons that a sender can state; the service alone knows what its rules drop. */
export const DECLARED_REASONS = GAP_REASONS.filter(reason => reason !== 'dropped')

/** Why no more lines of a stream come. */
export const STREAM_ENDS = ['rotated', 'truncated', 'deleted', 'stopped'] as const
export type StreamEnd = (typeof STREAM_ENDS)[number]

/** Part of a stream that was stored without interruption. Bytes are offsets `[from, to)` of its source. */
export interface StreamRun {
  readonly from: number
  readonly to: number
  /** Number of its first line, from 1. */
  readonly firstLine: number
  /** Lines of the source, blank ones included. */
  readonly lines: number
  /** Records in the log store. */
  readonly stored: number
  /** Range of the event times of its records, Unix milliseconds; null when it has no records. */
  readonly minMs: number | null
  readonly maxMs: number | null
  /** Arrival of its first batch, Unix milliseconds. */
  readonly atMs: number
}

/** Part of a stream that is not stored. */
export interface StreamGap {
  /** Number within its stream. */
  readonly no: number
  readonly from: number
  readonly to: number
  /** Number of its first line; null if unknown. */
  readonly firstLine: number | null
  /** Lines that are missing; null if unknown. */
  readonly lines: number | null
  readonly reason: GapReason
  /** Error code of rejected records. */
  readonly code: string | null
  /** Sequence numbers `[first, end)` of batches that did not arrive; a late one closes its part. Null when none can. */
  readonly missing: { readonly first: number; readonly end: number } | null
  /** Gaps that were merged into this one; 1 of most. */
  readonly merged: number
  /** When it was found, Unix milliseconds. */
  readonly atMs: number
}

/** A gap of a stream, and when its lines can have been written. */
export interface LostLines {
  readonly streamId: string
  readonly path: string | null
  readonly host: string | null
  readonly gap: StreamGap
  /** Between what is stored before the gap and after it, Unix milliseconds. */
  readonly times: { readonly minMs: number; readonly maxMs: number }
}

/** The first gap of a stream in a time. */
export interface FoundGap extends Pick<StreamOrigin, 'host' | 'path' | 'service'> {
  readonly namespaceId: NamespaceId
  readonly streamId: string
  readonly gap: StreamGap
  /** Streams of the namespace with gaps in that time. */
  readonly streams: number
}

/** What a stream is about; the newest batch that names a value wins. */
export interface StreamOrigin {
  readonly hostId: string | null
  readonly host: string | null
  readonly path: string | null
  /** `file`, `journald`, `docker`. */
  readonly kind: string | null
  readonly service: string | null
  /** Hex of SHA-256 over the first bytes of the source. */
  readonly head: string | null
  /** Hex of SHA-256 over the bytes before `bytesTo`. */
  readonly anchor: string | null
}

/** The first batch of a stream, which was about to be stored: whether it is, the ledger does not know. */
export interface PendingBatch {
  readonly to: number
  /** Hex of SHA-256 over the bytes before `to`. */
  readonly anchor: string | null
}

/** A batch that was stored without being in the ledger, and of which a sender without state has sent a part again. */
export interface RecoveredRecords {
  /** Number of that batch. */
  readonly seq: number
  /** Records of it that were sent again. */
  readonly records: number
}

/** The ledger's account of one stream. */
export interface LogStream extends StreamOrigin {
  readonly namespaceId: NamespaceId
  readonly id: string
  /** Sequence number of the next batch, from 1. */
  readonly nextSeq: number
  /** Where it began, and the end of its last batch. */
  readonly bytesFrom: number
  readonly bytesTo: number
  readonly firstLine: number
  /** Number of the last line. */
  readonly lineTo: number
  /** Lines in its runs, and the records that are stored of them. */
  readonly lines: number
  readonly stored: number
  readonly rejected: number
  readonly gapCount: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** Batches that are not in the ledger were sealed after this time, Unix milliseconds; null when that is not known. */
  readonly sealedAtMs: number | null
  /** Records that follow `bytesTo` and are stored already; null: none that the ledger knows of. */
  readonly recovered: RecoveredRecords | null
  readonly end: StreamEnd | null
  /** Null once a batch is stored. */
  readonly pending: PendingBatch | null
}
