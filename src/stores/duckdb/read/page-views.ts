import { zeros } from '../../../domain/zeros.js'
import type { PageViews, PageViewsRequest, PageViewsRow } from '../../../ports/event-store.js'
import { compileFilter } from './compile-filter.js'
import { RUM_TABLE } from './field-target.js'
import { cellsSql, eachCell, measuredSql } from './grid-cells.js'
import { gridScope } from './histogram.js'
import { Params } from './params.js'
import { groupKeys, groupOf, groupOrderSql } from './row-groups.js'
import { allRowsSql, type Scope } from './source.js'
import { type ResultRow, runStatement } from './statement.js'

type Vital = NonNullable<PageViewsRequest['vital']>

/** Aggregates of a vital: its sum, its samples, and those up to each bound. */
function vitalMeasures({ name, bounds }: Vital, params: Params): readonly string[] {
  const counts = bounds.map(bound => `count(*) FILTER (${name} <= ${params.add(bound)})`)
  // Sums of doubles that lose nothing on the way do not depend on the order of rows.
  return [`coalesce(fsum(${name}), 0)`, `count(${name})`, ...counts]
}

function toRow(row: ResultRow, measures: number, { groupBy, grid, vital }: PageViewsRequest): PageViewsRow {
  const [views, sums] = [zeros(grid.count), zeros(grid.count)]
  const buckets = [...(vital?.bounds ?? []), null].map(() => zeros(grid.count))
  eachCell(row['cells'] ?? null, measures, (at, [seen, sum = 0, samples = 0, ...atMost]) => {
    views[at] = Number(seen)
    sums[at] = Number(sum)
    const upTo = [...atMost, samples].map(Number)
    upTo.forEach((count, i) => (buckets[i]![at] = count - (upTo[i - 1] ?? 0)))
  })
  return { key: groupOf(row, groupBy), views, ...(vital && { sums, buckets }) }
}

/** As `EventStore.pageViews`. */
export async function readPageViews(scope: Scope, request: PageViewsRequest): Promise<PageViews> {
  const { groupBy, grid, vital, limit, filter } = request
  const params = new Params()
  const within = gridScope(scope, grid)
  const keys = groupKeys(groupBy, RUM_TABLE, params)
  const names = keys.map((_, i) => `k${i}`)
  const measures = ['count(*)', ...(vital ? vitalMeasures(vital, params) : [])]
  const columns = ['ts', ...(vital ? [vital.name] : []), ...keys.map((key, i) => `${key} AS k${i}`)]
  const rows = `SELECT ${columns.join(', ')} FROM ${allRowsSql(within, params)} WHERE ${compileFilter(filter, RUM_TABLE, params)}`
  const measured = measuredSql({ rows, names, grid, range: within.range, measures }, params)
  const sql = `SELECT ${[...names, 'sum(m0) AS views', `${cellsSql(measures)} AS cells`].join(', ')} FROM (${measured})
    ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : ''} HAVING count(*) > 0
    ORDER BY ${groupOrderSql('views', names)} LIMIT ${params.add(limit + 1)}`
  const found = await runStatement(scope, sql, params)
  const all = found.slice(0, limit).map(row => toRow(row, measures.length, request))
  return { rows: all, hasMore: found.length > limit, complete: true, warnings: [] }
}
