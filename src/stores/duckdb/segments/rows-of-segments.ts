import type { DuckDBConnection } from '@duckdb/node-api'
import { groupedBy } from '../../../domain/grouped-by.js'
import { distinctPoints } from '../distinct-points.js'
import { freeColumnName } from '../free-columns.js'
import { sealedSql } from '../sealed-files.js'
import type { TableLayout } from '../table-layout.js'
import { isSampled, type TableKind } from '../tables.js'
import { segmentOrder } from '../write/schema.js'
import type { SegmentRows } from './free-copy.js'
import { joinedLists } from './free-plan.js'
import { readFreeColumns } from './read-free-columns.js'

/** Segments that become one. */
interface MergedSegments {
  readonly kind: TableKind
  readonly segments: readonly { readonly path: string; readonly rows: number }[]
  /** Rows before are deleted. */
  readonly markNs: bigint
}

/**
 * The rows of segments as those of a new one, in a part for each set of free columns: their values are not taken out of the
 * JSON again.
 */
export async function rowsOfSegments(
  connection: DuckDBConnection,
  layout: TableLayout,
  { kind, segments, markNs }: MergedSegments
): Promise<SegmentRows> {
  const columns = layout.names(kind)
  const lists = await readFreeColumns(
    connection,
    segments.map(({ path }) => path)
  )
  const groups = groupedBy([...lists], ([, free]) => (free === null ? '' : free.columns.map(freeColumnName).sort().join()))
  const parts = [...groups.values()].map(group => {
    const free = joinedLists(group.map(([, list]) => list))
    const names = free?.columns.map(freeColumnName) ?? []
    const quoted = [...columns.map(column => `"${column}"`), ...names]
    const files = sealedSql(
      layout,
      kind,
      group.map(([path]) => path),
      names
    )
    const sql = `SELECT ${quoted.join(', ')} FROM ${files} WHERE ts >= ${markNs}`
    return { sql: isSampled(kind) ? distinctPoints(sql) : sql, free }
  })
  return { parts, rows: segments.reduce((sum, { rows }) => sum + rows, 0), columns, order: segmentOrder(kind) }
}
