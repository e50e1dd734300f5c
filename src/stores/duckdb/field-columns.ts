import { fieldList, type RecordField } from '../../domain/records/field.js'

/** DuckDB types that columns have. */
export type ColumnType = 'VARCHAR' | 'BIGINT' | 'INTEGER' | 'UTINYINT' | 'DOUBLE'

/** Column name to DuckDB type, in storage order. */
export type Columns = Readonly<Record<string, ColumnType>>

type Table = Readonly<Record<string, RecordField>>

const TYPES: Readonly<Record<Exclude<RecordField['type'], 'object'>, ColumnType>> = {
  text: 'VARCHAR',
  flag: 'UTINYINT',
  byte: 'UTINYINT',
  bits: 'INTEGER',
  integer: 'INTEGER',
  double: 'DOUBLE',
  nanoseconds: 'BIGINT'
}

function typedColumns(field: RecordField): Columns {
  const { column } = field
  if (field.type === 'object') return { [`${column}_json`]: 'VARCHAR', [`${column}_sent`]: 'VARCHAR' }
  if (field.type === 'text' && field.isFolded) return { [column]: 'VARCHAR', [`${column}_fold`]: 'VARCHAR' }
  return { [column]: TYPES[field.type] }
}

/**
 * The columns of the table of a record: time and position in its requests, then those of its fields. `strings`: positions
 * of string columns other than those of fields.
 */
export function columnsOf(table: Table, strings: Readonly<Record<string, number>> = {}): Columns {
  const placed = [
    ...fieldList(table).map(field => ({ at: field.at, columns: typedColumns(field) })),
    ...Object.entries(strings).map(([name, at]) => ({ at, columns: { [name]: 'VARCHAR' } }))
  ]
  const ordered = placed.sort((a, b) => a.at - b.at).map(({ columns }) => columns)
  return Object.assign({ ts: 'BIGINT', ingest_id: 'VARCHAR', idx: 'INTEGER' }, ...ordered) as Columns
}

/** The columns that a format adds to the table of a record. */
export function columnsSince(format: number, table: Table): readonly { readonly add: string }[] {
  const added = fieldList(table).filter(({ since }) => since === format)
  return added.sort((a, b) => a.at - b.at).flatMap(field => Object.keys(typedColumns(field)).map(add => ({ add })))
}
