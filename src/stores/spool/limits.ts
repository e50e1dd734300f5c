/** Sizes, counts and times of the spool; every one can be set, mostly so that tests can reach it. */
export interface SpoolLimits {
  /** Bytes of the spool's files; what does not fit is refused with `overloaded`. */
  readonly maxBytes: number
  /** Frames that may wait: each takes some 100 bytes of memory. */
  readonly maxFrames: number
  /** Bytes that may be on their way to the disk. One namespace may contain half of them. */
  readonly maxQueuedBytes: number
  /** A file takes no more once it is this large. */
  readonly segmentBytes: number
  /** The limit of one write, so that no append waits for a very long one. */
  readonly maxWriteBytes: number
  /** Room that the spool leaves on its disk. */
  readonly minFreeBytes: number
  /** How long an append may be without a response of the engine before its records are spooled. */
  readonly responseTimeoutMs: number
  /** Records that may be on their way to one engine; what is beyond is spooled. One namespace may contain half of them. */
  readonly maxInFlightRecords: number
  /** So many appends in a row without a result, and the engine is only probed. */
  readonly failuresToOpen: number
  /** Pause after the first failure; it doubles with each further one ... */
  readonly backoffMs: number
  /** ... up to this. */
  readonly maxBackoffMs: number
  /** Queues of one engine that are replayed at once. */
  readonly replayQueues: number
  /** Records, and ... */
  readonly replayRecords: number
  /** ... bytes that one queue replays at once. */
  readonly replayBytes: number
  /** A batch that the engine fails on so often, with an error of no known kind, is set aside. */
  readonly maxFaults: number
}

const MIB = 1024 * 1024

/** The defaults. */
export const DEFAULT_SPOOL_LIMITS: SpoolLimits = {
  maxBytes: 2 * 1024 * MIB,
  maxFrames: 2_000_000,
  maxQueuedBytes: 64 * MIB,
  segmentBytes: 32 * MIB,
  maxWriteBytes: 8 * MIB,
  minFreeBytes: 64 * MIB,
  responseTimeoutMs: 10_000,
  maxInFlightRecords: 100_000,
  failuresToOpen: 3,
  backoffMs: 250,
  maxBackoffMs: 5_000,
  replayQueues: 4,
  replayRecords: 10_000,
  replayBytes: 8 * MIB,
  maxFaults: 5
}
