/** How far outside of the range the other span of a call is looked for. */
export const BEYOND_NS = 600_000_000_000n

/** What calls are made of. */
export interface CallSource {
  /** SQL of a table of spans: those that are requested, and those around them. */
  readonly rows: string
  /** SQL of whether the calls of a span are requested. */
  readonly isRequested: string
  /** Leaves out calls whose spans begin farther from each other than `BEYOND_NS`. */
  readonly isBounded?: boolean
}

/**
 * SQL of tables for a `WITH`, the last of them `ends`: the calls that are requested, by `TraceStore.serviceEdges`, with source,
 * target, kind and protocol, and with time, state and duration of the span that dates them. Spans are known by a hash of 64 bits
 * of their ids, which costs a third of comparing the ids. `known` has a span that was sent twice once, so that it does not
 * multiply its children. `strays` has the times of spans that are requested and name a parent that is not
 * near them: it is not stored, or its calls are among those that are left out.
 */
export function endsSql({ rows, isRequested, isBounded = false }: CallSource): string {
  const times = isBounded ? ', min(ts) AS low, max(ts) AS high' : ''
  const isNear = isBounded ? `AND ts >= known.low - ${BEYOND_NS} AND ts <= known.high + ${BEYOND_NS}` : ''
  return `spans AS MATERIALIZED (
      SELECT ts, hash(trace_id, span_id) AS id, CASE WHEN parent_span_id IS NOT NULL THEN hash(trace_id, parent_span_id) END AS parent,
        ${isRequested} AS is_asked, service, status, duration_ns, peer, peer_kind, protocol
      FROM ${rows} WHERE service IS NOT NULL),
    known AS (SELECT id, min(service) AS service, min(protocol) AS protocol${times} FROM spans GROUP BY id),
    met AS MATERIALIZED (
      SELECT known.id AS caller, known.service AS source, spans.service AS target, is_asked, ts, status, duration_ns,
        coalesce(known.protocol, spans.protocol) AS protocol
      FROM spans LEFT JOIN known ON known.id = spans.parent ${isNear}
      WHERE known.service <> spans.service OR (known.id IS NULL AND parent IS NOT NULL AND is_asked)),
    calls AS (SELECT * FROM met WHERE caller IS NOT NULL),
    strays AS (SELECT ts FROM met WHERE caller IS NULL),
    ends AS (
      SELECT source, target, 'service' AS kind, ts, status, duration_ns, protocol FROM calls WHERE is_asked
      UNION ALL
      SELECT service, peer, peer_kind, ts, status, duration_ns, protocol FROM spans
      WHERE is_asked AND peer IS NOT NULL AND id NOT IN (SELECT caller FROM calls))`
}
