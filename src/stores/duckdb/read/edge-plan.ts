import { createHash } from 'node:crypto'
import type { TimeRange } from '../../../domain/time-range.js'
import { BEYOND_NS } from './call-ends.js'
import { CELL_NS } from './cell-plan.js'
import { hotSql, narrowed, overlapping, type Scope } from './source.js'
import { Params } from './params.js'
import { runStatement, toCount } from './statement.js'

/** With fewer whole hours most would be read anyway. */
const LEAST_HOURS = 2n

/** How a range is put together: whole hours, and what is before and behind them. */
export interface EdgePlan {
  /** Hours since 1970; the last is not one of them. */
  readonly first: bigint
  readonly last: bigint
  readonly edges: readonly TimeRange[]
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function ceilHour(ns: bigint): bigint {
  return ns <= 0n ? 0n : (ns + CELL_NS - 1n) / CELL_NS
}

/** Null when the range is to be read as it is: it is short or holds few spans. The scope holds all times. */
export function planEdges(everything: Scope, range: TimeRange, leastRows: number): EdgePlan | null {
  const requested = narrowed(everything, range).range
  // Hours next to deleted spans are read each time: their callers may be gone since.
  const first = ceilHour(later(requested.startNs, everything.range.startNs + BEYOND_NS))
  const last = requested.endNs / CELL_NS
  if (last - first < LEAST_HOURS) return null
  const inside = overlapping(narrowed(everything, { startNs: first * CELL_NS, endNs: last * CELL_NS }))
  if (inside.length === 0 || inside.reduce((sum, { rows }) => sum + rows, 0) < leastRows) return null
  const low = inside.reduce((least, { minNs }) => (minNs < least ? minNs : least), inside[0]!.minNs) / CELL_NS
  const high = inside.reduce((most, { maxNs }) => later(most, maxNs), inside[0]!.maxNs) / CELL_NS + 1n
  const [from, to] = [later(first, low), high < last ? high : last]
  const edges = [
    { startNs: requested.startNs, endNs: from * CELL_NS },
    { startNs: to * CELL_NS, endNs: requested.endNs }
  ]
  return { first: from, last: to, edges: edges.filter(({ startNs, endNs }) => startNs < endNs) }
}

/** An hour, and the spans around it whose calls may meet its own. */
export function aroundHour(hour: bigint): TimeRange {
  return { startNs: hour * CELL_NS - BEYOND_NS, endNs: (hour + 1n) * CELL_NS + BEYOND_NS }
}

/** What is the same as long as an hour and what is around it are made of the same segments, which never change. */
export function hourKey(everything: Scope, hour: bigint): string {
  const files = overlapping(narrowed(everything, aroundHour(hour))).map(({ file }) => file)
  const digest = createHash('sha256').update(JSON.stringify([everything.ns, ...files.sort()]))
  return `edges ${hour} ${digest.digest('base64')}`
}

/** Hours of the plan in or around which spans are not sealed yet: another may come without a sign. */
export async function unsealedHours(everything: Scope, { first, last }: EdgePlan): Promise<ReadonlySet<bigint>> {
  const params = new Params()
  const inside = narrowed(everything, { startNs: aroundHour(first).startNs, endNs: aroundHour(last - 1n).endNs })
  const tables = everything.snapshot.hotTables.map(table => hotSql(table, 'ts', inside, params))
  if (tables.length === 0) return new Set()
  const sql = `SELECT DISTINCT ts // ${BEYOND_NS} AS slot FROM (${tables.join(' UNION ALL ')})`
  const slots = (await runStatement(everything, sql, params)).map(row => BigInt(toCount(row['slot'])))
  return new Set(slots.flatMap(slot => [-1n, 0n, 1n].map(by => ((slot + by) * BEYOND_NS) / CELL_NS)))
}

/** The time of the namespace's newest span; null when it has none. */
export async function newestNs(everything: Scope): Promise<bigint | null> {
  const sealed = everything.snapshot.segments.map(({ maxNs }) => maxNs)
  const params = new Params()
  const tables = everything.snapshot.hotTables.map(table => hotSql(table, 'ts', everything, params))
  const sql = `SELECT max(ts) AS ts FROM (${tables.join(' UNION ALL ')})`
  const hot = tables.length === 0 ? null : (await runStatement(everything, sql, params))[0]!['ts']
  return [...sealed, ...(typeof hot === 'bigint' ? [hot] : [])].reduce<bigint | null>(
    (newest, ns) => (newest === null || ns > newest ? ns : newest),
    null
  )
}
