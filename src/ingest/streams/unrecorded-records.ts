import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import { type IngestId, type NamespaceId, parseRecordId } from '../../domain/ids.js'
import type { LogStream, RecoveredRecords } from '../../domain/log-stream.js'
import { ALL_TIME } from '../../domain/time-range.js'
import { firstUlidAt } from '../../domain/ulid.js'
import type { LogStore } from '../../ports/log-store.js'
import type { LargeReads } from '../../query/large-reads.js'
import { MAX_AHEAD_MS, oldestIdTimeMs } from '../body-identity.js'
import type { BatchOutcome } from './apply-batch.js'
import type { StreamBatch } from './stream-batch.js'
import { isIngestIdOf } from './stream-ingest-id.js'
import type { StreamLimits } from './stream-limits.js'

/** Tag of every record of a stream: its id, by which a proof counts them again. */
export const STREAM_TAG = 'log.stream.id'

/** Records of a batch that are stored without being in the ledger. */
export interface Unrecorded {
  /** Positions in the batch. */
  readonly indexes: ReadonlySet<number>
  /** Under which they are stored. */
  readonly ids: ReadonlySet<IngestId>
  readonly times: BatchOutcome['times']
  /** For the next batch; null when no more is stored. */
  readonly next: RecoveredRecords | null
}

const NS_PER_MS = 1_000_000n

export interface ComparisonDeps {
  readonly logs: Pick<LogStore, 'settle' | 'stream'>
  readonly limits: Pick<StreamLimits, 'compared' | 'comparedMs'>
  /** Comparisons of a namespace wait for each other. */
  readonly reads: LargeReads
}

/** A batch of a sender that took its position from the ledger, and what the ledger has of its stream. */
export interface RecoveredBatch {
  readonly ns: NamespaceId
  readonly batch: StreamBatch & { readonly recovered: RecoveredRecords }
  readonly stream: LogStream | null
  readonly nowMs: number
}

/** The records of a stream whose ingest ids are of a time or later. */
function recordsSince(id: string, sinceMs: number): Filter {
  const ofStream: Filter = { kind: 'eq', field: { in: 'tags', name: STREAM_TAG }, value: id }
  const since: Filter = { kind: 'range', field: { in: 'known', name: 'ingest_id' }, gte: firstUlidAt(sinceMs) }
  return { kind: 'and', of: [ofStream, since] }
}

/** Earliest time in the ingest id of a batch that is not in the ledger. */
function earliestIdMs({ batch, stream, nowMs }: RecoveredBatch): number {
  if (stream === null) return 0
  const { sealedAtMs, lastAtMs } = stream
  const foldedMs = Math.max(0, oldestIdTimeMs(lastAtMs))
  const isAhead = batch.sealedAtMs > nowMs + MAX_AHEAD_MS
  // Times of clocks that are ahead are moved back by whole days: the next may be earlier than the one before.
  if (sealedAtMs === null || isAhead || sealedAtMs > lastAtMs + MAX_AHEAD_MS) return foldedMs
  return Math.max(foldedMs, sealedAtMs + 1)
}

/** Runs a comparison in the share of its namespace and in time; `overloaded` when it does not end in time. */
async function inShare<T>(
  { reads, limits: { comparedMs } }: ComparisonDeps,
  ns: NamespaceId,
  compare: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const late = new AbortController()
  const detail = `records of the stream were not compared within ${comparedMs} ms; send the batch again later`
  const error = new GatewayError('overloaded', detail, { retryAfterS: 1 })
  const timer = setTimeout(() => late.abort(error), comparedMs)
  try {
    await reads.enter(ns, 0, late.signal)
    return await compare(late.signal)
  } catch (cause) {
    // A store that was interrupted may reject with an error of its own.
    throw late.signal.aborted ? error : cause
  } finally {
    clearTimeout(timer)
    reads.end(late.signal)
  }
}

/**
 * What is stored of a batch whose sender took its position from the ledger: the gateway may have died between storing the
 * batch that followed and writing it into the ledger. That batch began where this one does, so that its records are known by
 * their index. It was sealed after the batches in the ledger: their records are not read.
 */
export function unrecordedOf(deps: ComparisonDeps, recovered: RecoveredBatch, count: number): Promise<Unrecorded> {
  return inShare(deps, recovered.ns, signal => compare(deps, recovered, count, signal))
}

async function compare(
  { logs, limits }: ComparisonDeps,
  recovered: RecoveredBatch,
  count: number,
  signal: AbortSignal
): Promise<Unrecorded> {
  const { ns, batch } = recovered
  const { seq, records: first } = batch.recovered
  const indexes = new Set<number>()
  const ids = new Set<IngestId>()
  let [last, minMs, maxMs] = [-1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let compared = 0
  await logs.settle(ns)
  const filter = recordsSince(batch.id, earliestIdMs(recovered))
  for await (const page of logs.stream(ns, { range: ALL_TIME, filter, order: 'desc' }, signal)) {
    for (const { id, timestampNs } of page.slice(0, limits.compared - compared)) {
      const { ingestId, index } = parseRecordId(id)!
      if (!isIngestIdOf(ingestId, ns, { id: batch.id, seq })) continue
      ids.add(ingestId)
      last = Math.max(last, index)
      if (index < first || index >= first + count) continue
      const ms = Number(timestampNs / NS_PER_MS)
      ;[minMs, maxMs] = [Math.min(minMs, ms), Math.max(maxMs, ms)]
      indexes.add(index - first)
    }
    compared += page.length
    if (compared >= limits.compared) break
  }
  const next = last >= first + count ? { seq, records: first + count } : null
  return { indexes, ids, times: indexes.size === 0 ? null : { minMs, maxMs }, next }
}
