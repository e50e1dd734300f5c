import type { Segment } from '../snapshot.js'
import { findTraces, probePace, type TraceTimes } from './find-traces.js'
import { oneOfSql } from './one-of.js'
import type { Params } from './params.js'
import { emptySql, filesSql, hotSql, overlapping, type Scope, segmentsSql } from './source.js'

/** SQL of a span's end, kept within 64 bits. */
export const END_SQL = '(ts + least(duration_ns, 9223372036854775807 - greatest(ts, 0)))'

/** SQL: of spans that were sent more than once, whether this is the latest. */
export const IS_LAST_SENT = 'row_number() OVER (PARTITION BY trace_id, span_id ORDER BY ingest_id DESC, idx DESC) = 1'

/** Digits of a trace id before its suffix. */
const SUFFIX_AT = 16

/** Rows of a row group of a segment: reading fewer does not cost less. */
const ROWS_AT_ONCE = 32_768n
/** A file is opened this often in one statement at most. */
const MAX_PARTS = 16

/** Traces of one segment that are near each other in time. */
interface Cluster {
  readonly traceIds: string[]
  readonly firstNs: bigint
  lastNs: bigint
}

function clustersWithin(traces: readonly TraceTimes[], gapNs: bigint): readonly Cluster[] {
  const clusters: Cluster[] = []
  for (const { traceId, firstNs, lastNs } of traces) {
    const last = clusters.at(-1)
    if (last && firstNs <= last.lastNs + gapNs) {
      last.traceIds.push(traceId)
      if (lastNs > last.lastNs) last.lastNs = lastNs
    } else {
      clusters.push({ traceIds: [traceId], firstNs, lastNs })
    }
  }
  return clusters
}

function clustersOf({ minNs, maxNs, rows }: Segment, traces: readonly TraceTimes[]): readonly Cluster[] {
  const sorted = traces.toSorted((a, b) => (a.firstNs < b.firstNs ? -1 : a.firstNs > b.firstNs ? 1 : 0))
  let gapNs = ((maxNs - minNs) * ROWS_AT_ONCE) / BigInt(Math.max(rows, 1)) + 1n
  for (;;) {
    const clusters = clustersWithin(sorted, gapNs)
    if (clusters.length <= MAX_PARTS) return clusters
    gapNs *= 2n
  }
}

/** The traces to read, and the SQL condition that selects the spans of some of them. */
interface TraceSelection {
  readonly traceIds: readonly string[]
  readonly condition: (traceIds: readonly string[], params: Params) => string
}

function segmentParts(
  scope: Scope,
  segment: Segment,
  { found, requested }: { readonly found: readonly TraceTimes[] | null; readonly requested: TraceSelection },
  columns: string,
  params: Params
): string[] {
  if (found === null) {
    const all = segmentsSql(scope, [segment], columns, params)
    return [`SELECT * FROM (${all}) WHERE ${requested.condition(requested.traceIds, params)}`]
  }
  const { startNs, endNs } = scope.range
  return clustersOf(segment, found).map(cluster => {
    const from = cluster.firstNs > startNs ? cluster.firstNs : startNs
    const to = cluster.lastNs < endNs ? cluster.lastNs + 1n : endNs
    return `SELECT ${columns} FROM ${filesSql(scope, [segment.file])} WHERE ts >= ${params.add(from)} AND ts < ${params.add(to)}
      AND ${requested.condition(cluster.traceIds, params)}`
  })
}

async function spansSql(scope: Scope, requested: TraceSelection, names: readonly string[], params: Params): Promise<string> {
  const { traceIds } = requested
  const columns = names.join(', ')
  const parts = scope.snapshot.hotTables.map(
    table => `${hotSql(table, columns, scope, params)} AND ${requested.condition(traceIds, params)}`
  )
  const pace = probePace(scope.signal)
  for (const segment of overlapping(scope)) {
    const found = await findTraces(segment.file, traceIds, pace)
    parts.push(...segmentParts(scope, segment, { found, requested }, columns, params))
  }
  return parts.length === 0 ? emptySql(scope) : `(${parts.join(' UNION ALL ')})`
}

/** All stored spans of the traces as one table; segments are read only where their indices have the traces. */
export async function spansOfTracesSql(
  scope: Scope,
  traceIds: readonly string[],
  names: readonly string[],
  params: Params
): Promise<string> {
  return spansSql(scope, { traceIds, condition: (ids, to) => oneOfSql('trace_id', ids, to) }, names, params)
}

/** SQL of the last 16 digits of a trace id: what the index of traces is sorted by. */
export const SUFFIX_SQL = `substr(trace_id, ${SUFFIX_AT + 1})`

/** As `spansOfTracesSql`, of the traces whose ids end in one of the suffixes, which the index finds as it finds whole ids. */
export async function spansBySuffixSql(
  scope: Scope,
  suffixes: readonly string[],
  names: readonly string[],
  params: Params
): Promise<string> {
  const traceIds = suffixes.map(suffix => '0'.repeat(SUFFIX_AT) + suffix)
  const suffixesOf = (ids: readonly string[]) => ids.map(id => id.slice(SUFFIX_AT))
  return spansSql(scope, { traceIds, condition: (ids, to) => oneOfSql(SUFFIX_SQL, suffixesOf(ids), to) }, names, params)
}
