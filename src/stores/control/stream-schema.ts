// Tables of the stream ledger. 64-bit integers are read as numbers; times are Unix milliseconds.

export interface StreamsTable {
  namespace_id: string
  id: string
  host_id: string | null
  host: string | null
  path: string | null
  kind: string | null
  service: string | null
  head: string | null
  anchor: string | null
  next_seq: number
  bytes_from: number
  bytes_to: number
  first_line: number
  line_to: number
  lines: number
  stored: number
  rejected: number
  gap_count: number
  first_at_ms: number
  last_at_ms: number
  end_reason: string | null
  pending_to: number | null
  pending_anchor: string | null
  sealed_at_ms: number | null
  recovered_seq: number | null
  recovered_records: number | null
}

export interface StreamRunsTable {
  namespace_id: string
  stream_id: string
  bytes_from: number
  bytes_to: number
  first_line: number
  lines: number
  stored: number
  min_ms: number | null
  max_ms: number | null
  at_ms: number
}

export interface StreamGapsTable {
  namespace_id: string
  stream_id: string
  no: number
  bytes_from: number
  bytes_to: number
  first_line: number | null
  lines: number | null
  reason: string
  code: string | null
  first_seq: number | null
  end_seq: number | null
  merged: number
  at_ms: number
}
