/** Values that examples of several operations share. */
export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
/** Span id of the examples. */
export const SPAN_ID = '00f067aa0ba902b7'
/** Span id of a child in the examples. */
export const CHILD_SPAN_ID = 'b9c7c989f97918e1'
/** Event time of the example records. */
export const EVENT_TIME = '2026-11-20T11:40:00.000000000Z'
/** The same in Unix nanoseconds. */
export const EVENT_NS = '1795174800000000000'
/** A window around the example records. */
export const HOUR = { start: '2026-11-20T11:00:00Z', end: '2026-11-20T12:00:00Z' }

/** Members of every read about itself. */
export const READ_FACTS = {
  complete: true,
  window: { start: '2026-11-20T11:00:00.000000000Z', end: '2026-11-20T12:00:00.000000000Z', unit_detected: 'rfc3339' },
  warnings: [],
  stats: { took_ms: 12.4, cuts: [] }
}

/** Members of every list about itself. */
export const LIST_FACTS = {
  page: { next_cursor: null, has_more: false, limit: 100 },
  total: { value: 1, relation: 'eq' },
  ...READ_FACTS
}

const QUICK = { p50_ms: 20, p90_ms: 20, p95_ms: 20, p99_ms: 20 }

/** Requests of a service, or calls. */
export const RED = {
  calls: 1,
  rate_per_second: 0.0003,
  errors: 0,
  error_rate: 0,
  p50_ms: 120,
  p90_ms: 120,
  p95_ms: 120,
  p99_ms: 120
}

/** Nodes and edges of a service that calls a database. */
export const MAP = {
  nodes: [
    { id: 'database:postgresql', name: 'postgresql', kind: 'database', ...RED, ...QUICK },
    { id: 'service:checkout', name: 'checkout', kind: 'service', ...RED }
  ],
  edges: [{ source: 'service:checkout', target: 'database:postgresql', protocol: 'postgresql', ...RED, ...QUICK }]
}

/** Reply to a write whose records are all stored. */
export function stored(accepted = 1): object {
  const ids = { namespace: 'default', namespace_source: 'api_key', ingest_id: '01M7WCCGD8AEGG0Q8SZ4G09AMG' }
  return { status: 'ok', accepted, rejected: 0, ...ids }
}
