import type { NamespaceId } from '../../../domain/ids.js'
import { compareStrings } from '../../../domain/string-order.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { ServiceEdge, ServiceEdgesRequest } from '../../../ports/trace-store.js'
import { Pace } from '../../../threads/pace.js'
import { BEYOND_NS, endsSql } from './call-ends.js'
import { CELL_NS, stretchSql } from './cell-plan.js'
import { BIN_SQL } from './duration-bins.js'
import { type EdgePlan, hourKey, newestNs, unsealedHours } from './edge-plan.js'
import { GroupSums } from './group-sums.js'
import { Params } from './params.js'
import { allRowsSql, narrowed, type Scope } from './source.js'
import type { GroupCounts, SpanCells } from './span-cells.js'
import { type ResultRow, runStatement, toCount } from './statement.js'

/** Edges and hours of one statement; with more of them reading them as one range costs less. */
const MAX_ROWS = 50_000
const ROWS_PER_TURN = 500
/** Each looks at all segments of the namespace. */
const HOURS_PER_TURN = 100
/** Namespaces of which is known that they have more. */
const MAX_TOO_FINE = 1_000
const KEY = 'source, target, kind, protocol'

/** Ranges in order, those that meet made one. */
function joined(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const sorted = ranges.toSorted((a, b) => (a.startNs < b.startNs ? -1 : 1))
  const found: TimeRange[] = []
  for (const range of sorted) {
    const last = found.at(-1)
    if (!last || range.startNs > last.endNs) found.push(range)
    else if (range.endNs > last.endNs) found[found.length - 1] = { startNs: last.startNs, endNs: range.endNs }
  }
  return found
}

/** What one statement counts. */
interface EdgeCellsRequest {
  /** In order, none of them next to another. */
  readonly ranges: readonly TimeRange[]
  /** Where callers may still arrive: spans there are not strays yet. */
  readonly young: readonly TimeRange[]
}

function withinSql(ranges: readonly TimeRange[], params: Params): string {
  const parts = ranges.map(({ startNs, endNs }) => `ts >= ${params.add(startNs)} AND ts < ${params.add(endNs)}`)
  return `(${parts.join(' OR ')})`
}

function countSql(everything: Scope, { ranges: requested, young }: EdgeCellsRequest, maxRows: number, params: Params): string {
  const near = requested.map(({ startNs, endNs }) => ({ startNs: startNs - BEYOND_NS, endNs: endNs + BEYOND_NS }))
  const rows = joined(near).map(range => `SELECT * FROM ${allRowsSql(narrowed(everything, range), params)}`)
  const isRequested = withinSql(requested, params)
  const isOld = young.length === 0 ? '' : `WHERE NOT ${withinSql(young, params)}`
  return `WITH ${endsSql({ rows: `(${rows.join(' UNION ALL ')})`, isRequested, isBounded: true })},
    counted AS (
      SELECT ${stretchSql(CELL_NS)} AS hour, ${KEY}, ${BIN_SQL} AS bin, count(*) AS n, count(*) FILTER (status = 'error') AS failed
      FROM ends GROUP BY hour, ${KEY}, bin),
    edges AS (
      SELECT hour, ${KEY}, sum(n) AS calls, sum(failed) AS errors, string_agg(concat(bin, ' ', n), ' ') AS bins
      FROM counted GROUP BY hour, ${KEY})
    SELECT * FROM edges UNION ALL
    SELECT ${stretchSql(CELL_NS)} AS hour, NULL, NULL, NULL, NULL, count(*), 0, '' FROM strays ${isOld} GROUP BY hour
    LIMIT ${params.add(maxRows + 1)}`
}

function toCounts(row: ResultRow): GroupCounts {
  const key = ['source', 'target', 'kind', 'protocol'].map(name => row[name] as string | null)
  const bins = row['bins'] as string
  return {
    ...{ key, spans: toCount(row['calls']), errors: toCount(row['errors']), lastNs: 0n },
    ...{ atMost: [], failedAtMost: [], slots: new Float64Array(0), slotsAtMost: new Float64Array(0), slotsNs: [] },
    bins: bins === '' ? new Int32Array(0) : Int32Array.from(bins.split(' '), Number)
  }
}

/**
 * What of the ranges is within ten minutes of the newest span. A caller ends, and is sent, after what it calls. Of hours that
 * are kept all strays count: their callers come as spans that are not sealed, or in another segment.
 */
async function youngParts(everything: Scope, ranges: readonly TimeRange[]): Promise<readonly TimeRange[]> {
  const newest = ranges.length === 0 ? null : await newestNs(everything)
  if (newest === null) return []
  const young = { startNs: newest - BEYOND_NS, endNs: newest + 1n }
  return ranges
    .filter(({ startNs, endNs }) => startNs < young.endNs && endNs > young.startNs)
    .map(({ startNs, endNs }) => ({ startNs: startNs > young.startNs ? startNs : young.startNs, endNs }))
}

/** Edges out of hours. */
export interface CountedEdges {
  readonly edges: readonly ServiceEdge[]
  /** Spans whose parent is not near them: calls of such parents, where they are stored, are left out. */
  readonly strays: number
}

function firstOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return compareStrings(a, b) <= 0 ? a : b
}

/** Edges of calls that are known by protocol, one more than the limit when there are more, and the number of strays. */
function countedEdges(sums: GroupSums, { percentiles, limit }: ServiceEdgesRequest): CountedEdges {
  const edges = new GroupSums()
  const protocols = new Map<string, string | null>()
  let strays = 0
  for (const { key, ...counts } of sums.counts()) {
    // Strays are a group without a name.
    if (key[0] === null) {
      strays = counts.spans
      continue
    }
    const ends = key.slice(0, -1)
    edges.add({ key: ends, ...counts })
    const text = JSON.stringify(ends)
    protocols.set(text, firstOf(protocols.get(text) ?? null, key.at(-1)!))
  }
  const found = edges.rows({ percentiles, limit }).map(({ key, spans, errors, percentilesNs }) => {
    const [source, target, targetKind] = key as [string, string, ServiceEdge['targetKind']]
    return { source, target, targetKind, protocol: protocols.get(JSON.stringify(key))!, calls: spans, errors, percentilesNs }
  })
  return { edges: found, strays }
}

/**
 * Computes the edges of long ranges from hours that were counted before; only what is new is read (docs/adr/0022). Calls whose
 * spans begin more than ten minutes from each other are left out, so that an hour does not depend on the rest of the request.
 */
export class EdgeCells {
  readonly #cells: SpanCells
  readonly #maxRows: number
  /** So many hours of a namespace were too many at once; fewer may do. */
  readonly #tooFine = new Map<NamespaceId, bigint>()

  /** @param maxRows edges and hours of one statement. */
  constructor(cells: SpanCells, maxRows = MAX_ROWS) {
    this.#cells = cells
    this.#maxRows = maxRows
  }

  /** One edge more than the limit when there are more; null when hours would not pay. The scope holds all times. */
  async edges(everything: Scope, request: ServiceEdgesRequest, plan: EdgePlan): Promise<CountedEdges | null> {
    const tooMany = this.#tooFine.get(everything.ns)
    if (tooMany !== undefined && plan.last - plan.first >= tooMany) return null
    const unsealed = await unsealedHours(everything, plan)
    const sums = new GroupSums()
    const missing = new Map<bigint, string | null>()
    const pace = new Pace(HOURS_PER_TURN, everything.signal)
    for (let hour = plan.first; hour < plan.last; hour++) {
      if (pace.isDue()) await pace.rest()
      const key = unsealed.has(hour) ? null : hourKey(everything, hour)
      const cell = key === null ? undefined : this.#cells.get(key)
      if (cell) for (const counts of cell) sums.add(counts)
      else missing.set(hour, key)
    }
    const hours = Array.from(missing.keys(), hour => ({ startNs: hour * CELL_NS, endNs: (hour + 1n) * CELL_NS }))
    const ranges = joined([...plan.edges, ...hours])
    const unkept = [...plan.edges, ...hours.filter(({ startNs }) => missing.get(startNs / CELL_NS) === null)]
    const requested = { ranges, young: await youngParts(everything, unkept) }
    const fresh = ranges.length === 0 ? new Map<bigint, GroupSums>() : await this.#count(everything, requested, sums)
    if (fresh === null) {
      this.#barFrom(everything.ns, plan.last - plan.first)
      return null
    }
    for (const [hour, key] of missing) if (key !== null) this.#cells.set(key, fresh.get(hour)?.counts() ?? [])
    return countedEdges(sums, request)
  }

  /** Adds the calls of the ranges to `sums`, and returns them by hour; null if they are too many groups. */
  async #count(everything: Scope, requested: EdgeCellsRequest, sums: GroupSums): Promise<Map<bigint, GroupSums> | null> {
    const params = new Params()
    const found = await runStatement(everything, countSql(everything, requested, this.#maxRows, params), params)
    if (found.length > this.#maxRows) return null
    const fresh = new Map<bigint, GroupSums>()
    const pace = new Pace(ROWS_PER_TURN, everything.signal)
    for (const row of found) {
      if (pace.isDue()) await pace.rest()
      const counts = toCounts(row)
      sums.add(counts)
      const hour = BigInt(toCount(row['hour']))
      const ofHour = fresh.get(hour) ?? new GroupSums()
      ofHour.add(counts)
      fresh.set(hour, ofHour)
    }
    return fresh
  }

  #barFrom(ns: NamespaceId, hours: bigint): void {
    if (this.#tooFine.size >= MAX_TOO_FINE) this.#tooFine.clear()
    this.#tooFine.set(ns, hours)
  }
}
