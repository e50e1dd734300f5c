import type { DuckDBConnection } from '@duckdb/node-api'
import type { FreeColumnList } from '../free-columns.js'
import type { FailPoints } from '../process/fail-points.js'
import { FreePlan, type RowsPart } from './free-plan.js'
import { isWrongGuess, partSql } from './free-rows.js'

/** Rows of a new segment. */
export interface SegmentRows {
  readonly parts: readonly RowsPart[]
  /** How many they are. */
  readonly rows: number
  /** The columns of their kind. */
  readonly columns: readonly string[]
  /** SQL of their order; null: as the parts have them, one after the other. */
  readonly order: string | null
}

/** What writing free columns works with. */
export interface FreeCopyDeps {
  /** Free columns of a segment could not be written (it is without), or were (null). */
  readonly report: (error: unknown) => void
  readonly failPoints: FailPoints
}

/** SQL of the rows in their order, with free columns. */
export function segmentRowsSql({ parts, columns, order }: SegmentRows, free: FreeColumnList | null): string {
  const names = columns.map(column => `"${column}"`)
  const selects = parts.map(part =>
    free === null ? `SELECT ${names.join(', ')} FROM (${part.sql})` : partSql(part, names, free)
  )
  const rows = selects.join(' UNION ALL ')
  return order === null ? rows : `SELECT * FROM (${rows}) ORDER BY ${order}`
}

/**
 * Writes rows by `copy` with the free columns that they should have. Types are guessed by a few rows, and the statement
 * fails for a row that does not fit: then all rows are looked at. What else fails costs the columns, and not the segment:
 * `report` is called with the failure (null when there was none), and the rows are written without.
 */
export async function copyWithFreeColumns(
  connection: DuckDBConnection,
  rows: SegmentRows,
  copy: (free: FreeColumnList | null) => Promise<number>,
  { report, failPoints }: FreeCopyDeps
): Promise<number> {
  try {
    const plan = await FreePlan.of(connection, rows.parts, rows.rows)
    const written = await copyAsPlanned(connection, plan, copy, failPoints)
    report(null)
    return written
  } catch (error) {
    report(error)
    return copy(null)
  }
}

async function copyAsPlanned(
  connection: DuckDBConnection,
  plan: FreePlan,
  copy: (free: FreeColumnList) => Promise<number>,
  failPoints: FailPoints
): Promise<number> {
  const guessed = await plan.guessed(connection)
  failPoints.reach('columns.planned')
  try {
    return await copy(guessed)
  } catch (error) {
    if (!isWrongGuess(error)) throw error
  }
  failPoints.reach('columns.refused')
  return copy(await plan.certain(connection))
}
