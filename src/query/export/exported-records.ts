import type { StoredLog } from '../../domain/records/log.js'
import type { StoredSpan } from '../../domain/span.js'
import type { LogStore } from '../../ports/log-store.js'
import type { StreamLedger } from '../../ports/stream-ledger.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { type LogConditions, logFilter } from '../conditions.js'
import { rowBytes } from '../json-bytes.js'
import { gapsInSearch } from '../streams/gaps-in-search.js'
import { traceRequest, type TraceConditionsInput } from '../traces/trace-conditions.js'
import type { ExportedRecords } from './export-run.js'

/** Conditions on spans: those on traces that speak of one span alone. */
export type SpanConditions = Omit<TraceConditionsInput, 'scope' | 'hasError'>

/** Logs. */
export function exportedLogs(
  logs: Pick<LogStore, 'search'>,
  streams: Pick<StreamLedger, 'lost'>
): ExportedRecords<StoredLog, LogConditions> {
  return {
    signal: 'logs',
    filterOf: logFilter,
    search: (...requested) => logs.search(...requested),
    bytesOf: ({ message, fields, tags }) => rowBytes(message, fields, tags),
    missing: async (ns, search) => (await gapsInSearch(streams, ns.id, search)).cuts
  }
}

/** Spans. */
export function exportedSpans(traces: Pick<TraceStore, 'searchSpans'>): ExportedRecords<StoredSpan, SpanConditions> {
  return {
    signal: 'traces',
    filterOf: conditions => traceRequest({ ...conditions, scope: 'span' }).filter,
    search: (...requested) => traces.searchSpans(...requested),
    bytesOf: spanBytes,
    missing: async () => []
  }
}

function spanBytes({ attributes, resource, events, links }: StoredSpan): number {
  const nested = [...events, ...links].reduce((sum, part) => sum + rowBytes(part.attributes), 0)
  return rowBytes(attributes, resource) + nested
}
