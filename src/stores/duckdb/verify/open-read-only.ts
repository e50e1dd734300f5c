import { stat } from 'node:fs/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'
import { readWholeStrings } from '../process/whole-strings.js'
import { whenMissing } from '../../disk/when-missing.js'

/** A hot file that is looked at and not changed; its log is read, too. */
export interface ReadOnlyHot {
  readonly connection: DuckDBConnection
  /** Whether the hot file has a table: earlier versions lack some. */
  has(table: string): Promise<boolean>
  close(): void
}

/** Opens a hot file for reading, or for one repair; null if it is missing or empty. The folder's lock must be held. */
export async function openHot(hotFile: string, mode: 'read' | 'repair'): Promise<ReadOnlyHot | null> {
  const bytes = await stat(hotFile).then(({ size }) => size, whenMissing(0))
  if (bytes === 0) return null
  readWholeStrings()
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' })
  const connection = await instance.connect()
  const close = (): void => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    await connection.run(`ATTACH ${literal(hotFile)} AS hot${mode === 'read' ? ' (READ_ONLY)' : ''}`)
  } catch (error) {
    close()
    throw error
  }
  return {
    connection,
    has: async table => {
      const sql = "SELECT 1 FROM duckdb_tables() WHERE database_name = 'hot' AND table_name = ?"
      return (await queryRows(connection, sql, [table])).length > 0
    },
    close
  }
}
