import type { VitalName } from '../../../domain/records/rum.js'
import { VITALS } from '../../../domain/records/rum.js'
import type { VitalsRequest, VitalsRow, VitalStats } from '../../../ports/event-store.js'
import { compileFilter } from './compile-filter.js'
import { RUM_TABLE } from './field-target.js'
import { eachValueSql, fieldValue } from './field-value.js'
import { Params } from './params.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

function vitalSql(name: VitalName, at: number, percentiles: readonly number[]): string {
  const { good, poor } = VITALS[name]
  const rated = good === null ? 'FALSE, FALSE' : `${name} <= ${good}, ${name} > ${poor}`
  const [isGood, isPoor] = rated.split(', ')
  const columns = [`count(${name}) AS n${at}`, `count_if(${isGood}) AS good${at}`, `count_if(${isPoor}) AS poor${at}`]
  // The engine takes a list of percentiles only as constants; they are numbers here, whatever the caller sent.
  if (percentiles.length > 0) columns.push(`quantile_cont(${name}, [${percentiles.map(Number).join(', ')}]) AS q${at}`)
  return columns.join(', ')
}

function keySql({ groupBy }: VitalsRequest, params: Params): string {
  if (!groupBy) return 'CAST(NULL AS VARCHAR)'
  const value = fieldValue(groupBy, RUM_TABLE, params)
  return value.isList ? eachValueSql(value.sql) : value.sql
}

function toStats(row: ResultRow, vital: VitalName, at: number, percentiles: readonly number[]): VitalStats {
  const samples = toCount(row[`n${at}`])
  const good = toCount(row[`good${at}`])
  const poor = toCount(row[`poor${at}`])
  const list = row[`q${at}`] as { readonly items: readonly number[] } | null | undefined
  const isRated = VITALS[vital].good !== null
  return {
    vital,
    samples,
    percentiles: percentiles.map((_, i) => list?.items[i] ?? null),
    good,
    needsImprovement: isRated ? samples - good - poor : 0,
    poor
  }
}

/** Percentiles and ratings per group, most events first, at most `limit` and one more to show whether more exist. */
export async function readVitals(
  scope: Scope,
  request: VitalsRequest
): Promise<{ readonly rows: readonly VitalsRow[]; readonly hasMore: boolean }> {
  const { vitals, percentiles, limit } = request
  const params = new Params()
  const aggregates = [
    'count(*) AS events',
    'count(DISTINCT session_id) AS sessions',
    ...vitals.map((name, at) => vitalSql(name, at, percentiles))
  ]
  const columns = ['session_id', ...new Set(vitals)].join(', ')
  const sql = `SELECT key, ${aggregates.join(', ')} FROM (
      SELECT ${columns}, ${keySql(request, params)} AS key FROM ${allRowsSql(scope, params)}
      WHERE ${compileFilter(request.filter, RUM_TABLE, params)})
    GROUP BY key ORDER BY events DESC, key ASC NULLS LAST LIMIT ${params.add(limit + 1)}`
  const found = await runStatement(scope, sql, params)
  const rows = found.slice(0, limit).map(row => ({
    key: row['key'] as string | null,
    events: toCount(row['events']),
    sessions: toCount(row['sessions']),
    vitals: vitals.map((name, at) => toStats(row, name, at, percentiles))
  }))
  return { rows, hasMore: found.length > limit }
}
