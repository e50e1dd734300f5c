import { groupedBy } from '../../../domain/grouped-by.js'
import { oneOfSql } from './one-of.js'
import { Params } from './params.js'
import { ORDER_COLUMNS } from './record-order.js'
import { filesSql, type Scope } from './source.js'
import { runStatement, type ResultRow } from './statement.js'

/** Columns that find a row of a segment again: the engine gives each row of a file its file and number. */
export const KEY_COLUMNS: readonly string[] = [...ORDER_COLUMNS, 'filename', 'file_row_number']

function placeOf(file: string, row: ResultRow): string {
  return `${file} ${row['file_row_number'] as bigint}`
}

function isKey(row: ResultRow): boolean {
  return row['filename'] !== undefined
}

async function fetchRows(
  scope: Scope,
  file: string,
  keys: readonly ResultRow[],
  columns: readonly string[]
): Promise<readonly ResultRow[]> {
  const params = new Params()
  const isListed = (column: string) => {
    const values = keys.map(key => key[column] as bigint)
    return oneOfSql(column, values, params)
  }
  // The numbers select the rows; the times let the engine skip row groups.
  const sql = `SELECT ${columns.join(', ')}, file_row_number FROM ${filesSql(scope, [file])}
    WHERE ${isListed('ts')} AND ${isListed('file_row_number')}`
  return runStatement(scope, sql, params)
}

/** Replaces keys of rows in segments by the rows, in the same order; other rows are whole already. */
export async function fillKeys(
  scope: Scope,
  rows: readonly ResultRow[],
  columns: readonly string[]
): Promise<readonly ResultRow[]> {
  const byFile = groupedBy(rows.filter(isKey), row => row['filename'] as string)
  const found = new Map<string, ResultRow>()
  for (const [file, keys] of byFile) {
    for (const row of await fetchRows(scope, file, keys, columns)) found.set(placeOf(file, row), row)
  }
  return rows.map(row => (isKey(row) ? found.get(placeOf(row['filename'] as string, row))! : row))
}
