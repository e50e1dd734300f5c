import { createHash } from 'node:crypto'
import type { SpanStatsRequest } from '../../../ports/trace-store.js'
import type { Segment } from '../snapshot.js'
import { narrowed, overlapping, type Scope } from './source.js'
import { SLOT_NS } from './span-cells.js'

/** A cell counts an hour. */
export const CELL_NS = 3_600_000_000_000n
/** With fewer whole hours most would be read anyway. */
const LEAST_HOURS = 2n

/** Cells of one segment, all between two hours. */
export interface SegmentHours {
  readonly segment: Segment
  /** Hours since 1970; the last is not one of them. */
  readonly first: bigint
  readonly last: bigint
}

/** SQL of the stretch of this length around a row. The engine rounds quotients towards zero, which before 1970 is up. */
export function stretchSql(ns: bigint): string {
  return `CASE WHEN ts < 0 THEN (ts + 1) // ${ns} - 1 ELSE ts // ${ns} END`
}

/** How a range is put together. */
export interface CellPlan {
  readonly hours: readonly SegmentHours[]
  /** Parts of an hour before and behind them, in which segments are read. */
  readonly edges: readonly Scope[]
}

/** A string that is equal for requests with equal cells. */
export function requestKey({ filter, groupBy, boundsNs, errorBuckets, percentiles, grid }: SpanStatsRequest): string {
  const more = [grid?.sums === true, grid?.buckets === true, errorBuckets === true]
  const parts = [filter, groupBy, (boundsNs ?? []).map(String), percentiles.length > 0, more]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

/** Whether counts per slot make up the counts per step. */
function fitsSlots({ grid }: SpanStatsRequest): boolean {
  return !grid || (grid.startNs % SLOT_NS === 0n && grid.stepNs % SLOT_NS === 0n)
}

function hoursOf(segment: Segment, first: bigint, last: bigint): SegmentHours {
  const [own, end] = [segment.minNs / CELL_NS, segment.maxNs / CELL_NS + 1n]
  return { segment, first: own > first ? own : first, last: end < last ? end : last }
}

/** Null when the range is to be read as it is: it is short, holds few spans, or its grid fits no slots. */
export function planCells(scope: Scope, request: SpanStatsRequest, leastRows: number): CellPlan | null {
  const { startNs, endNs } = scope.range
  const first = startNs <= 0n ? 0n : (startNs + CELL_NS - 1n) / CELL_NS
  const last = endNs / CELL_NS
  if (last - first < LEAST_HOURS || !fitsSlots(request)) return null
  const inside = overlapping(narrowed(scope, { startNs: first * CELL_NS, endNs: last * CELL_NS }))
  if (inside.length === 0 || inside.reduce((sum, { rows }) => sum + rows, 0) < leastRows) return null
  return {
    hours: inside.map(segment => hoursOf(segment, first, last)),
    edges: [narrowed(scope, { startNs, endNs: first * CELL_NS }), narrowed(scope, { startNs: last * CELL_NS, endNs })]
  }
}
