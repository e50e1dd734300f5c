import type { SpanStats, SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { planCells } from './cell-plan.js'
import type { CellStats } from './cell-stats.js'
import { compileFilter } from './compile-filter.js'
import { Params } from './params.js'
import { groupKeys, groupOf, groupOrderSql } from './row-groups.js'
import { gridColumnsSql, gridOfRow, withDurationsSql } from './span-grid.js'
import { atMostOf, atMostSql, bucketsOfRow, percentilesOf, percentilesSql } from './span-durations.js'
import { isFine } from './span-grid-counts.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement, toCount, type ResultRow } from './statement.js'
import { SPANS } from './stored-span.js'

/** What counts long ranges, and how many sealed spans must be in them for that to pay. */
export interface LongRanges {
  readonly cells: CellStats
  readonly leastRows: number
}

function toRow(row: ResultRow, request: SpanStatsRequest): SpanStatsRow {
  const { groupBy, percentiles, grid } = request
  const [spans, errors] = [toCount(row['spans']), toCount(row['errors'])]
  return {
    key: groupOf(row, groupBy),
    ...{ spans, errors },
    percentilesNs: percentilesOf(row, percentiles),
    lastSeenNs: row['last'] as bigint,
    ...bucketsOfRow(request, { spans, errors, ...atMostOf(row, request) }),
    ...(grid && { grid: gridOfRow(row, { ...request, grid }) })
  }
}

/** One row more than the limit when there are more; exact, all of the range is read. */
async function readRows(scope: Scope, request: SpanStatsRequest): Promise<readonly SpanStatsRow[]> {
  const params = new Params()
  const keys = groupKeys(request.groupBy, SPANS.fields, params)
  const names = keys.map((_, i) => `k${i}`)
  const columns = [
    'count(*) AS spans',
    "count(*) FILTER (status = 'error') AS errors",
    'max(ts) AS last',
    `${percentilesSql(request.percentiles)} AS percentiles`,
    ...atMostSql(request, params),
    ...(request.grid ? gridColumnsSql(scope, request.grid, params) : [])
  ]
  const spans = `SELECT ts, status, duration_ns${keys.map((key, i) => `, ${key} AS k${i}`).join('')} FROM ${allRowsSql(scope, params)}
    WHERE ${compileFilter(request.filter, SPANS.fields, params)}`
  const sql = `SELECT ${[...names, ...columns].join(', ')} FROM (${spans}) ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : ''}
    HAVING count(*) > 0 ORDER BY ${groupOrderSql('spans', names)} LIMIT ${params.add(request.limit + 1)}`
  const { grid } = request
  const whole = grid && isFine(grid) ? withDurationsSql({ sql, spans, names }, scope, { ...request, grid }, params) : sql
  return (await runStatement(scope, whole, params)).map(row => toRow(row, request))
}

/** As `TraceStore.stats`. Percentiles of long ranges are estimates within half a percent (`duration-bins`), counts are exact. */
export async function readSpanStats(scope: Scope, request: SpanStatsRequest, long: LongRanges): Promise<SpanStats> {
  const plan = planCells(scope, request, long.leastRows)
  const counted = plan && (await long.cells.rows(scope, request, plan))
  const rows = counted ?? (await readRows(scope, request))
  return { rows: rows.slice(0, request.limit), hasMore: rows.length > request.limit, complete: true, warnings: [] }
}
