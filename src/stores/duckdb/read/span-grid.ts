import type { SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { compileFilter } from './compile-filter.js'
import { gridScope } from './histogram.js'
import { Params } from './params.js'
import { allRowsSql, type Scope } from './source.js'
import { groupKeys, groupOf } from './span-groups.js'
import { runStatement, toCount } from './statement.js'
import { SPANS } from './stored-span.js'

type Grid = NonNullable<SpanStatsRequest['grid']>

interface Counts {
  readonly spans: number[]
  readonly errors: number[]
}

// Two groups may share a text if their values hold the separator; they are told apart afterwards.
const SEPARATOR = '\u001f'

function textOf(key: readonly (string | null)[]): string {
  return key.map(value => value ?? '').join(SEPARATOR)
}

function emptyCounts({ count }: Grid): Counts {
  const zeros = () => Array.from({ length: count }, () => 0)
  return { spans: zeros(), errors: zeros() }
}

/** The rows with counts per bucket of the grid. */
export async function countGrid(
  scope: Scope,
  request: SpanStatsRequest,
  grid: Grid,
  rows: readonly SpanStatsRow[]
): Promise<readonly SpanStatsRow[]> {
  if (rows.length === 0) return rows
  const params = new Params()
  const keys = groupKeys(request, params)
  const names = keys.map((_, i) => `k${i}`)
  const listed =
    keys.length === 0
      ? 'TRUE'
      : `${names.map(name => `coalesce(${name}, '')`).join(` || chr(31) || `)} = ANY(${params.addList(rows.map(({ key }) => textOf(key)))})`
  const spans = `SELECT (ts - ${params.add(grid.startNs)}) // ${params.add(grid.stepNs)} AS bucket, status${keys.map((key, i) => `, ${key} AS k${i}`).join('')}
    FROM ${allRowsSql(gridScope(scope, grid), params)} WHERE ${compileFilter(request.filter, SPANS.fields, params)}`
  const sql = `SELECT bucket::INTEGER AS bucket, ${[...names, ''].join(', ')} count(*) AS spans, count(*) FILTER (status = 'error') AS errors
    FROM (${spans}) WHERE ${listed} GROUP BY ALL`
  const counts = new Map(rows.map(({ key }) => [JSON.stringify(key), emptyCounts(grid)]))
  for (const row of await runStatement(scope, sql, params)) {
    const found = counts.get(JSON.stringify(groupOf(row, keys)))
    if (!found) continue
    const bucket = row['bucket'] as number
    found.spans[bucket] = toCount(row['spans'])
    found.errors[bucket] = toCount(row['errors'])
  }
  return rows.map(row => ({ ...row, grid: counts.get(JSON.stringify(row.key))! }))
}
