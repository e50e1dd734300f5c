import type { Insertable, Selectable } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type { GapReason, LogStream, PendingBatch, StreamEnd, StreamGap, StreamRun } from '../../domain/log-stream.js'
import type { StreamGapsTable, StreamRunsTable, StreamsTable } from './stream-schema.js'

/** Of the first batch alone: older versions record it without removing this. */
function pendingOf({ next_seq, pending_to: to, pending_anchor: anchor }: Selectable<StreamsTable>): PendingBatch | null {
  return to === null || next_seq > 1 ? null : { to, anchor }
}

/** A stream as the ledger has it. */
export function toStream(row: Selectable<StreamsTable>): LogStream {
  return {
    namespaceId: row.namespace_id as NamespaceId,
    id: row.id,
    hostId: row.host_id,
    host: row.host,
    path: row.path,
    kind: row.kind,
    service: row.service,
    head: row.head,
    anchor: row.anchor,
    nextSeq: row.next_seq,
    bytesFrom: row.bytes_from,
    bytesTo: row.bytes_to,
    firstLine: row.first_line,
    lineTo: row.line_to,
    lines: row.lines,
    stored: row.stored,
    rejected: row.rejected,
    gapCount: row.gap_count,
    firstAtMs: row.first_at_ms,
    lastAtMs: row.last_at_ms,
    sealedAtMs: row.sealed_at_ms,
    recovered: row.recovered_seq === null ? null : { seq: row.recovered_seq, records: row.recovered_records ?? 0 },
    end: row.end_reason as StreamEnd | null,
    pending: pendingOf(row)
  }
}

/** The row of a stream. */
export function streamRow(stream: LogStream): Insertable<StreamsTable> {
  return {
    namespace_id: stream.namespaceId,
    id: stream.id,
    host_id: stream.hostId,
    host: stream.host,
    path: stream.path,
    kind: stream.kind,
    service: stream.service,
    head: stream.head,
    anchor: stream.anchor,
    next_seq: stream.nextSeq,
    bytes_from: stream.bytesFrom,
    bytes_to: stream.bytesTo,
    first_line: stream.firstLine,
    line_to: stream.lineTo,
    lines: stream.lines,
    stored: stream.stored,
    rejected: stream.rejected,
    gap_count: stream.gapCount,
    first_at_ms: stream.firstAtMs,
    last_at_ms: stream.lastAtMs,
    sealed_at_ms: stream.sealedAtMs,
    recovered_seq: stream.recovered?.seq ?? null,
    recovered_records: stream.recovered?.records ?? null,
    end_reason: stream.end,
    pending_to: stream.pending?.to ?? null,
    pending_anchor: stream.pending?.anchor ?? null
  }
}

/** A run as the ledger has it. */
export function toRun(row: Selectable<StreamRunsTable>): StreamRun {
  return {
    from: row.bytes_from,
    to: row.bytes_to,
    firstLine: row.first_line,
    lines: row.lines,
    stored: row.stored,
    minMs: row.min_ms,
    maxMs: row.max_ms,
    atMs: row.at_ms
  }
}

/** Columns of the last run, next to those of its stream. */
export const LAST_RUN_COLUMNS = [
  'r.bytes_from as run_from',
  'r.bytes_to as run_to',
  'r.first_line as run_first_line',
  'r.lines as run_lines',
  'r.stored as run_stored',
  'r.min_ms as run_min_ms',
  'r.max_ms as run_max_ms',
  'r.at_ms as run_at_ms'
] as const

interface LastRunRow {
  readonly run_from: number | null
  readonly run_to: number | null
  readonly run_first_line: number | null
  readonly run_lines: number | null
  readonly run_stored: number | null
  readonly run_min_ms: number | null
  readonly run_max_ms: number | null
  readonly run_at_ms: number | null
}

/** The last run of a stream; null before the first. */
export function toLastRun(row: LastRunRow): StreamRun | null {
  if (row.run_from === null) return null
  return {
    from: row.run_from,
    to: row.run_to!,
    firstLine: row.run_first_line!,
    lines: row.run_lines!,
    stored: row.run_stored!,
    minMs: row.run_min_ms,
    maxMs: row.run_max_ms,
    atMs: row.run_at_ms!
  }
}

/** A gap as the ledger has it. */
export function toGap(row: Selectable<StreamGapsTable>): StreamGap {
  const { first_seq: first, end_seq: end } = row
  return {
    no: row.no,
    from: row.bytes_from,
    to: row.bytes_to,
    firstLine: row.first_line,
    lines: row.lines,
    reason: row.reason as GapReason,
    code: row.code,
    missing: first === null || end === null ? null : { first, end },
    merged: row.merged,
    atMs: row.at_ms
  }
}
