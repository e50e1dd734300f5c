import type { Filter } from '../domain/filter.js'
import type { NamespaceId } from '../domain/ids.js'
import type { StoredLog } from '../domain/records/log.js'
import type { Order, RowsRequest, SearchResult } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { LogStore } from '../ports/log-store.js'

/** A page of matching records around one record. */
export interface LogsAroundRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly record: StoredLog
  /** Rows of the page, the record included: half of the others before it, the rest after it. */
  readonly limit: number
  readonly order: Order
  readonly maxBytes: number
}

/** Its rows in `order`, and whether more match after and before them. */
export interface LogsAround {
  readonly rows: readonly StoredLog[]
  readonly hasMore: boolean
  readonly hasMoreBefore: boolean
  /** Completeness and warnings of both sides. */
  readonly sides: readonly Pick<SearchResult<StoredLog>, 'complete' | 'warnings'>[]
}

/** Reads both sides of a record by one request each. The record is in the page whether or not it matches the filter. */
export async function logsAround(
  logs: Pick<LogStore, 'search'>,
  ns: NamespaceId,
  { range, filter, record, limit, order, maxBytes }: LogsAroundRequest,
  signal: AbortSignal
): Promise<LogsAround> {
  const others = Math.max(0, limit - 1)
  const after = { timestampNs: record.timestampNs, id: record.id }
  const read = async (direction: Order, rows: number) => {
    const request: RowsRequest = { limit: rows, order: direction, after, maxBytes: Math.ceil(maxBytes / 2) }
    return logs.search(ns, { range, filter, rows: request }, signal)
  }
  const before = Math.floor(others / 2)
  const [preceding, following] = await Promise.all([read(order === 'asc' ? 'desc' : 'asc', before), read(order, others - before)])
  return {
    rows: [...(preceding.rows ?? []).toReversed(), ...(limit > 0 ? [record] : []), ...(following.rows ?? [])],
    hasMore: following.hasMore === true,
    hasMoreBefore: preceding.hasMore === true,
    sides: [preceding, following]
  }
}
