import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type { Gap } from '../gaps.js'
import { queryRows, run } from '../process/sql.js'
import type { TableKind } from '../tables.js'

interface GapRow {
  readonly kind: TableKind | null
  readonly ns: NamespaceId | null
  readonly min_ns: bigint
  readonly max_ns: bigint
  readonly rows: bigint | null
  readonly reason: string
}

/** Notes rows that are lost for good. */
export function noteLost(connection: DuckDBConnection, gap: Omit<Gap, 'isOpen'>): Promise<void> {
  const { kind, ns, minNs, maxNs, rows, reason } = gap
  return run(connection, 'INSERT INTO hot.main.gaps VALUES (?, ?, ?, ?, ?, ?)', [kind, ns, minNs, maxNs, rows, reason])
}

/** What was noted by this and earlier starts. */
export async function readLost(connection: DuckDBConnection): Promise<readonly Gap[]> {
  const rows = await queryRows<GapRow>(connection, 'SELECT * FROM hot.main.gaps')
  return rows.map(({ min_ns: minNs, max_ns: maxNs, rows: lost, ...row }) => {
    return { ...row, minNs, maxNs, rows: lost === null ? null : Number(lost), isOpen: false }
  })
}
