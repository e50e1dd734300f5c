import type { Segment } from '../snapshot.js'
import { findTraces, probePace, type TraceTimes } from './find-traces.js'
import { oneOfSql } from './one-of.js'
import type { Params } from './params.js'
import { emptySql, filesSql, hotSql, overlapping, type Scope, segmentsSql } from './source.js'

/** SQL of a span's end, kept within 64 bits. */
export const END_SQL = '(ts + least(duration_ns, 9223372036854775807 - greatest(ts, 0)))'

/** SQL: of spans that were sent more than once, whether this is what came last. */
export const IS_LAST_SENT = 'row_number() OVER (PARTITION BY trace_id, span_id ORDER BY ingest_id DESC, idx DESC) = 1'

/** Rows of a row group of a segment: reading fewer does not cost less. */
const ROWS_AT_ONCE = 32_768n
/** A file is opened this often in one statement at most. */
const MAX_PARTS = 16

/** Traces of one segment that lie near each other in time. */
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

function segmentParts(
  scope: Scope,
  segment: Segment,
  { found, traceIds }: { readonly found: readonly TraceTimes[] | null; readonly traceIds: readonly string[] },
  columns: string,
  params: Params
): string[] {
  if (found === null) {
    return [`SELECT * FROM (${segmentsSql(scope, [segment], columns, params)}) WHERE ${oneOfSql('trace_id', traceIds, params)}`]
  }
  const { startNs, endNs } = scope.range
  return clustersOf(segment, found).map(cluster => {
    const from = cluster.firstNs > startNs ? cluster.firstNs : startNs
    const to = cluster.lastNs < endNs ? cluster.lastNs + 1n : endNs
    return `SELECT ${columns} FROM ${filesSql(scope, [segment.file])} WHERE ts >= ${params.add(from)} AND ts < ${params.add(to)}
      AND ${oneOfSql('trace_id', cluster.traceIds, params)}`
  })
}

/** All stored spans of the traces as one table; segments are asked only where their indices say that the traces are. */
export async function spansOfTracesSql(
  scope: Scope,
  traceIds: readonly string[],
  names: readonly string[],
  params: Params
): Promise<string> {
  const columns = names.join(', ')
  const isAsked = oneOfSql('trace_id', traceIds, params)
  const parts = scope.snapshot.hotTables.map(table => `${hotSql(table, columns, scope, params)} AND ${isAsked}`)
  const pace = probePace(scope.signal)
  for (const segment of overlapping(scope)) {
    const found = await findTraces(segment.file, traceIds, pace)
    parts.push(...segmentParts(scope, segment, { found, traceIds }, columns, params))
  }
  return parts.length === 0 ? emptySql(scope) : `(${parts.join(' UNION ALL ')})`
}
