import type { Field, Filter } from '../../src/domain/filter.js'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId, RecordId } from '../../src/domain/ids.js'
import type { LogRecord, StoredLog } from '../../src/domain/records/log.js'
import type { RowsRequest } from '../../src/domain/search.js'
import type { AppendResult } from '../../src/ports/append.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId } from './fresh-ids.js'
import { EMPTY_LOG } from '../support/empty-log.js'

/** A log of which a case names only what it is about; times count in nanoseconds from `BASE_NS`. */
export type LogSketch = Partial<Omit<LogRecord, 'index' | 'timestampNs'>> & { readonly at?: number | bigint }

/** The whole record of a sketch. */
export function toLog({ at = 0, ...given }: LogSketch, index: number): LogRecord {
  return {
    ...EMPTY_LOG,
    index,
    timestampNs: BASE_NS + BigInt(at),
    message: 'a message',
    ...given
  }
}

/** Appends sketches as one batch and makes them visible. */
export async function store(
  logs: LogStore,
  ns: NamespaceId,
  sketches: readonly LogSketch[],
  ingestId = newIngestId()
): Promise<AppendResult> {
  const result = await logs.append(ns, { ingestId, items: sketches.map(toLog) })
  await logs.settle(ns)
  return result
}

/** Stores each sketch in a batch of its own, so that an engine with tiers spreads them. */
export async function storeApart(logs: LogStore, ns: NamespaceId, sketches: readonly LogSketch[]): Promise<void> {
  for (const sketch of sketches) await logs.append(ns, { ingestId: newIngestId(), items: [toLog(sketch, 0)] })
  await logs.settle(ns)
}

/** Rows that match, newest first by default. */
export async function find(
  logs: LogStore,
  ns: NamespaceId,
  filter: Filter = MATCH_ALL,
  rows: Partial<RowsRequest> = {}
): Promise<readonly StoredLog[]> {
  const request = { range: EVERY_TIME, filter, rows: { limit: 1000, order: 'desc' as const, ...rows } }
  return (await logs.search(ns, request, NEVER)).rows!
}

/** Messages that match, sorted. */
export async function messagesOf(logs: LogStore, ns: NamespaceId, filter?: Filter): Promise<readonly string[]> {
  return (await find(logs, ns, filter)).map(({ message }) => message).sort()
}

/** All ids in order, page by page. */
export async function pageThrough(
  logs: LogStore,
  ns: NamespaceId,
  rows: Omit<RowsRequest, 'after'>
): Promise<readonly RecordId[]> {
  const ids: RecordId[] = []
  let after: RowsRequest['after']
  for (;;) {
    const request = { range: EVERY_TIME, filter: MATCH_ALL, rows: { ...rows, ...(after ? { after } : {}) } }
    const page = await logs.search(ns, request, NEVER)
    ids.push(...page.rows!.map(({ id }) => id))
    const last = page.rows!.at(-1)
    if (!page.hasMore || !last) return ids
    after = { timestampNs: last.timestampNs, id: last.id }
  }
}

/** A well-known field. */
export function known(name: string): Field {
  return { in: 'known', name }
}

/** A path that may are in `log_fields` or `tags`. */
export function free(name: string): Field {
  return { in: 'free', name }
}
