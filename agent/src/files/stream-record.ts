/** Bytes by which a place in a file is recognized: how many, and their SHA-256. */
export interface Fingerprint {
  readonly bytes: number
  readonly sum: string
}

/** A place in a file, and the bytes before it. */
export interface Mark {
  readonly offset: number
  readonly anchor: Fingerprint
}

/** Why lines were lost. */
export type GapReason = 'truncated' | 'deleted' | 'rotated_away' | 'unreadable' | 'rejected' | 'journal_vacuumed'
/** Why a stream ended. */
export type EndReason = 'rotated' | 'truncated' | 'deleted' | 'stopped'

/** Lines that are lost before a batch. */
export interface Gap {
  readonly from: number
  readonly to: number
  readonly lines: number | null
  readonly reason: GapReason
}

/** A batch that is or was being sent: the same part of the file each time. */
export interface Pin {
  readonly seq: number
  readonly from: number
  readonly to: number
  readonly firstLine: number
  /** Lines of the part, blank ones included. */
  readonly lines: number
  /** Unix milliseconds. */
  readonly sealedAtMs: number
  /** When its lines were read, where the clock was set back since an earlier batch; absent: when it was sealed. */
  readonly readAtMs?: number
  /** Of its lines (`sumOf`). */
  readonly sum: string
  readonly gap: Gap | null
  readonly end: EndReason | null
}

/** Where a stream goes on that was taken from the service: what followed may be stored there without being in its ledger. */
export interface Recovered {
  /** Number of the batch that followed. */
  readonly seq: number
  /** Records of it that were sent again. */
  readonly records: number
}

/** What the journal keeps of a stream. */
export interface StreamRecord {
  readonly id: string
  /** The pattern of the configuration that it belongs to. */
  readonly pattern: string
  /** Path under which it was found. */
  readonly path: string
  readonly dev: number
  readonly ino: number
  readonly bornMs: number
  readonly head: Fingerprint
  /** Everything before is stored by the service. */
  readonly offset: number
  /** Of the bytes before `offset`. */
  readonly anchor: Fingerprint
  /** Number of the next line and of the next batch. */
  readonly nextLine: number
  readonly nextSeq: number
  /** Sealing time of its last batch; that of the next one is later, whatever the clock does. */
  readonly sealedAtMs: number
  readonly pin: Pin | null
  readonly endedAtMs: number | null
  /** Of the system journal: the entry at `offset`, from which reading goes on. */
  readonly cursor?: string
  /**
   * Where the first batch begins of a stream that was taken from the service, which does not know whether it has the batch:
   * `offset` is its end until the file is found, which is read again from here. Absent of all others.
   */
  readonly pendingFrom?: number
  /** Until the service has compared what followed; absent: there is nothing to compare. */
  readonly recovered?: Recovered
}

/** A stream, and the places up to which its file was read without being stored yet. */
export interface SeenStream {
  readonly record: StreamRecord
  readonly marks: readonly Mark[]
}
