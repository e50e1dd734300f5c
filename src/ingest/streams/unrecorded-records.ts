import { type NamespaceId, parseRecordId } from '../../domain/ids.js'
import { ALL_TIME } from '../../domain/time-range.js'
import type { LogStore } from '../../ports/log-store.js'
import type { BatchOutcome } from './apply-batch.js'
import type { Recovered, StreamBatch } from './stream-batch.js'
import { isIngestIdOf } from './stream-ingest-id.js'

/** Tag of every record of a stream: its id, by which a proof counts them again. */
export const STREAM_TAG = 'log.stream.id'

/** Records of a batch that are stored without being in the ledger. */
export interface Unrecorded {
  /** Positions in the batch. */
  readonly indexes: ReadonlySet<number>
  readonly times: BatchOutcome['times']
  /** For the next batch; null when no more is stored. */
  readonly next: Recovered | null
}

/** Newest records of a stream that are compared. */
const MOST_COMPARED = 20_000
const NS_PER_MS = 1_000_000n

/**
 * What is stored of a batch whose sender took its position from the ledger: the gateway may have died between storing the
 * batch that followed and writing it into the ledger. That batch began where this one does, so that its records are known by
 * their index.
 */
export async function unrecordedOf(
  logs: Pick<LogStore, 'settle' | 'stream'>,
  ns: NamespaceId,
  { id, recovered: { seq, records: first } }: StreamBatch & { readonly recovered: Recovered },
  count: number
): Promise<Unrecorded> {
  const indexes = new Set<number>()
  let [last, minMs, maxMs] = [-1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let compared = 0
  await logs.settle(ns)
  const filter = { kind: 'eq', field: { in: 'tags', name: STREAM_TAG }, value: id } as const
  const stop = new AbortController()
  for await (const page of logs.stream(ns, { range: ALL_TIME, filter, order: 'desc' }, stop.signal)) {
    for (const { id: record, timestampNs } of page) {
      const { ingestId, index } = parseRecordId(record)!
      if (!isIngestIdOf(ingestId, ns, { id, seq })) continue
      last = Math.max(last, index)
      if (index < first || index >= first + count) continue
      const ms = Number(timestampNs / NS_PER_MS)
      ;[minMs, maxMs] = [Math.min(minMs, ms), Math.max(maxMs, ms)]
      indexes.add(index - first)
    }
    compared += page.length
    if (compared >= MOST_COMPARED) break
  }
  const next = last >= first + count ? { seq, records: first + count } : null
  return { indexes, times: indexes.size === 0 ? null : { minMs, maxMs }, next }
}
