import type { SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { Pace } from '../../../threads/pace.js'
import { CELL_NS, type CellPlan, requestKey, type SegmentHours, stretchSql } from './cell-plan.js'
import { compileFilter } from './compile-filter.js'
import { BIN_SQL } from './duration-bins.js'
import { GroupSums } from './group-sums.js'
import { Params } from './params.js'
import { groupKeys, groupOf } from './row-groups.js'
import { columnsSql, filesSql, hotSql, overlapping, type Scope, segmentsSql } from './source.js'
import { type GroupCounts, SLOT_NS, type SpanCells } from './span-cells.js'
import { atMostNames, atMostOf, atMostSql } from './span-durations.js'
import { fineBounds } from './span-grid-counts.js'
import { type ResultRow, runStatement, toCount } from './statement.js'
import { SPANS } from './stored-span.js'

/** Groups and slots of one statement; with more of them reading the spans themselves costs less. */
const MAX_ROWS = 50_000
/** Bins of so many are read before other work gets its turn: a few milliseconds. */
const ROWS_PER_TURN = 500
/** How many of them are remembered. */
const MAX_TOO_FINE = 1_000
/** The index of a segment for rows that belong to no cell. */
const NO_CELL = -1
const SLOTS_PER_CELL = CELL_NS / SLOT_NS

/** Rows of the segments whose cells are missing, each with the segment's place, and all other rows of the range. */
function sourceSql(scope: Scope, { edges }: CellPlan, missing: readonly SegmentHours[], params: Params): string | null {
  const columns = columnsSql(scope)
  const loose = scope.snapshot.hotTables.map(table => hotSql(table, columns, scope, params))
  for (const edge of edges) {
    const sealed = segmentsSql(edge, overlapping(edge), columns, params)
    if (sealed !== null) loose.push(sealed)
  }
  const parts = loose.map(sql => `SELECT ${NO_CELL} AS place, * FROM (${sql})`)
  missing.forEach(({ segment, first, last }, place) => {
    const isIn = `ts >= ${params.add(first * CELL_NS)} AND ts < ${params.add(last * CELL_NS)}`
    parts.push(`SELECT ${place} AS place, ${columns} FROM ${filesSql(scope, [segment.file])} WHERE ${isIn}`)
  })
  return parts.length === 0 ? null : `(${parts.join(' UNION ALL ')})`
}

function countSql(source: string, request: SpanStatsRequest, maxRows: number, params: Params): string {
  const keys = groupKeys(request.groupBy, SPANS.fields, params)
  const names = ['place', 'slot', ...keys.map((_, i) => `k${i}`)].join(', ')
  const isSummed = request.grid?.sums === true
  const bin = request.percentiles.length > 0 ? BIN_SQL : '0'
  const spans = `SELECT place, ts, ${stretchSql(SLOT_NS)} AS slot, status, duration_ns, ${bin} AS bin${keys.map((key, i) => `, ${key} AS k${i}`).join('')}
    FROM ${source} WHERE ${compileFilter(request.filter, SPANS.fields, params)}`
  const counted = `SELECT ${names}, bin, count(*) AS n, count(*) FILTER (status = 'error') AS failed, max(ts) AS last
    ${atMostSql(request, params)
      .map(sql => `, ${sql}`)
      .join('')}
    ${isSummed ? ', sum(duration_ns) AS took' : ''}
    FROM (${spans}) GROUP BY ${names}, bin`
  return `SELECT ${names}, sum(n) AS spans, sum(failed) AS errors, max(last) AS last
    ${atMostNames(request)
      .map(name => `, sum(${name}) AS ${name}`)
      .join('')}${isSummed ? ', sum(took) AS took' : ''}, string_agg(concat(bin, ' ', n), ' ') AS bins
    FROM (${counted}) GROUP BY ${names} LIMIT ${params.add(maxRows + 1)}`
}

function toCounts(row: ResultRow, request: SpanStatsRequest): GroupCounts {
  const { groupBy, percentiles, grid } = request
  const [spans, errors] = [toCount(row['spans']), toCount(row['errors'])]
  const { atMost, failedAtMost } = atMostOf(row, request)
  return {
    key: groupOf(row, groupBy),
    ...{ spans, errors, lastNs: row['last'] as bigint },
    ...{ atMost, failedAtMost },
    bins: percentiles.length > 0 ? Int32Array.from((row['bins'] as string).split(' '), Number) : new Int32Array(0),
    slots: Float64Array.of(toCount(row['slot']), spans, errors),
    slotsAtMost: Float64Array.from(fineBounds(request), (_, i) => atMost[i]!),
    slotsNs: grid?.sums === true ? [row['took'] as bigint] : []
  }
}

/** Computes statistics of long ranges from cells; only what no cell has yet is read. */
export class CellStats {
  readonly #cells: SpanCells
  readonly #maxRows: number
  /** Requests that made too many groups, in their namespace and hours. */
  readonly #tooFine = new Set<string>()

  /** @param maxRows groups and slots of one statement. */
  constructor(cells: SpanCells, maxRows = MAX_ROWS) {
    this.#cells = cells
    this.#maxRows = maxRows
  }

  /** One row more than the limit when there are more; null when cells would not pay. */
  async rows(scope: Scope, request: SpanStatsRequest, plan: CellPlan): Promise<readonly SpanStatsRow[] | null> {
    const query = requestKey(request)
    const requested = requestedKey(scope, query)
    if (this.#tooFine.has(requested)) return null
    const sums = new GroupSums()
    const missing = plan.hours.flatMap(hours => this.#addKnown(hours, query, sums))
    const params = new Params()
    const source = sourceSql(scope, plan, missing, params)
    const found = source === null ? [] : await runStatement(scope, countSql(source, request, this.#maxRows, params), params)
    if (found.length > this.#maxRows) {
      this.#forget(requested)
      return null
    }
    const fresh = new Map<string, GroupSums>()
    const pace = new Pace(ROWS_PER_TURN, scope.signal)
    for (const row of found) {
      if (pace.isDue()) await pace.rest()
      const counts = toCounts(row, request)
      sums.add(counts)
      const hours = missing[row['place'] as number]
      if (hours) sumsOf(fresh, cellKey(hours, toCount(row['slot']), query)).add(counts)
    }
    for (const hours of missing) this.#keep(hours, query, fresh)
    return sums.rows(request)
  }

  /** Adds the known cells of a segment; returns the hours from the first to the last that is not known, which it leaves out. */
  #addKnown(hours: SegmentHours, query: string, sums: GroupSums): readonly SegmentHours[] {
    const { segment, first } = hours
    const cells = hoursIn(hours).map(hour => this.#cells.get(`${segment.file} ${hour} ${query}`))
    const [from, to] = [cells.indexOf(undefined), cells.lastIndexOf(undefined)]
    cells.forEach((cell, i) => {
      if (cell !== undefined && (i < from || i > to)) for (const counts of cell) sums.add(counts)
    })
    return from < 0 ? [] : [{ segment, first: first + BigInt(from), last: first + BigInt(to) + 1n }]
  }

  #keep(hours: SegmentHours, query: string, fresh: ReadonlyMap<string, GroupSums>): void {
    for (const hour of hoursIn(hours)) {
      const key = `${hours.segment.file} ${hour} ${query}`
      this.#cells.set(key, fresh.get(key)?.counts() ?? [])
    }
  }

  #forget(requested: string): void {
    if (this.#tooFine.size >= MAX_TOO_FINE) this.#tooFine.clear()
    this.#tooFine.add(requested)
  }
}

function hoursIn({ first, last }: SegmentHours): readonly bigint[] {
  return Array.from({ length: Number(last - first) }, (_, i) => first + BigInt(i))
}

function requestedKey({ ns, range }: Scope, query: string): string {
  return `${ns} ${range.startNs / CELL_NS} ${range.endNs / CELL_NS} ${query}`
}

function cellKey({ segment }: SegmentHours, slot: number, query: string): string {
  return `${segment.file} ${BigInt(slot) / SLOTS_PER_CELL} ${query}`
}

function sumsOf(sums: Map<string, GroupSums>, key: string): GroupSums {
  const known = sums.get(key) ?? new GroupSums()
  sums.set(key, known)
  return known
}
