import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import { type IngestId, type NamespaceId, parseRecordId } from '../../domain/ids.js'
import type { LogStream, RecoveredRecords } from '../../domain/log-stream.js'
import { ALL_TIME } from '../../domain/time-range.js'
import { firstUlidAt } from '../../domain/ulid.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { LogStore } from '../../ports/log-store.js'
import type { LargeReads } from '../../query/large-reads.js'
import { untilAborted } from '../../threads/until-aborted.js'
import { MAX_AHEAD_MS, oldestIdTimeMs } from '../body-identity.js'
import { isRawObject } from '../raw-object.js'
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
 * batch that followed and writing it into the ledger. That batch began where this one does, as did earlier attempts of this
 * one, so that their records are known by their index. They were sealed after the batches in the ledger: the records of
 * those are not read.
 */
export function unrecordedOf(deps: ComparisonDeps, recovered: RecoveredBatch, items: readonly unknown[]): Promise<Unrecorded> {
  return inShare(deps, recovered.ns, signal => compare(deps, recovered, items, signal))
}

/** Which records of a batch are those of an ingest id. */
interface StoredPart {
  /** Position in the batch of the one with index 0. */
  readonly start: number
  /** What the next batch is compared with, if there are more than the batch has. */
  readonly next: RecoveredRecords
}

/** Null when the ingest id is of another batch. */
function partOf({ ns, batch }: RecoveredBatch, ingestId: IngestId, count: number): StoredPart | null {
  const { seq, records } = batch.recovered
  if (isIngestIdOf(ingestId, ns, { id: batch.id, seq })) return { start: -records, next: { seq, records: records + count } }
  return isIngestIdOf(ingestId, ns, batch) ? { start: 0, next: { seq: batch.seq, records: count } } : null
}

/** Whether lines were added to a record since it was stored. */
function hasGrown(item: unknown, { message: stored }: StoredLog): boolean {
  const message = isRawObject(item) ? item['message'] : null
  return typeof message === 'string' && message.length > stored.length && message.startsWith(stored)
}

/** Records that may be of a batch, the newest first. */
async function* readLogs(
  { logs, limits }: ComparisonDeps,
  recovered: RecoveredBatch,
  signal: AbortSignal
): AsyncGenerator<StoredLog> {
  const { ns, batch } = recovered
  let compared = 0
  await untilAborted(logs.settle(ns), signal)
  const filter = recordsSince(batch.id, earliestIdMs(recovered))
  for await (const page of logs.stream(ns, { range: ALL_TIME, filter, order: 'desc' }, signal)) {
    yield* page.slice(0, limits.compared - compared)
    compared += page.length
    if (compared >= limits.compared) break
  }
}

async function compare(
  deps: ComparisonDeps,
  recovered: RecoveredBatch,
  items: readonly unknown[],
  signal: AbortSignal
): Promise<Unrecorded> {
  const { length: count } = items
  const indexes = new Set<number>()
  const parts = new Map<IngestId, StoredPart | null>()
  let [minMs, maxMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let next: RecoveredRecords | null = null
  for await (const log of readLogs(deps, recovered, signal)) {
    const { ingestId, index } = parseRecordId(log.id)!
    const known = parts.get(ingestId)
    const part: StoredPart | null = known === undefined ? partOf(recovered, ingestId, count) : known
    parts.set(ingestId, part)
    if (part === null) continue
    const at = part.start + index
    // The batch that followed goes first.
    if (at >= count && next?.seq !== recovered.batch.recovered.seq) next = part.next
    // A record that has grown is stored again: no line of it is to be lost.
    if (at < 0 || at >= count || hasGrown(items[at], log)) continue
    const ms = Number(log.timestampNs / NS_PER_MS)
    ;[minMs, maxMs] = [Math.min(minMs, ms), Math.max(maxMs, ms)]
    indexes.add(at)
  }
  const ids = new Set([...parts].flatMap(([id, part]) => (part === null ? [] : [id])))
  return { indexes, ids, times: indexes.size === 0 ? null : { minMs, maxMs }, next }
}
