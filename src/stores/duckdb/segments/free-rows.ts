import { type FreeColumn, FreeColumns, type FreeColumnList, freeColumnName } from '../free-columns.js'
import { isIntegerSql, isListSql, isNumberSql, MemberStrings } from './free-facts.js'
import type { RowsPart } from './free-plan.js'

/** What the engine reports when a row is not what was guessed of its free columns. */
const WRONG_GUESS = 'a value does not fit its free column'

/** Whether a statement failed because the type of a free column was guessed wrongly. */
export function isWrongGuess(error: unknown): boolean {
  return (error as Error).message.includes(WRONG_GUESS)
}

const SQL_TYPES = { integer: 'BIGINT', number: 'DOUBLE', text: 'VARCHAR' } as const

/** SQL of the value of a column by the string of the member; fails for strings that the column cannot contain. */
function valueOf(column: FreeColumn, text: string): string {
  const failure = `error('${WRONG_GUESS}')`
  switch (column.type) {
    case 'integer':
      return `CASE WHEN ${text} IS NULL THEN NULL WHEN ${isIntegerSql(text)} THEN CAST(${text} AS BIGINT) ELSE ${failure} END`
    case 'number':
      return `CASE WHEN ${text} IS NULL THEN NULL WHEN ${isNumberSql(text)} THEN CAST(${text} AS DOUBLE) ELSE ${failure} END`
    default: {
      const isNumber = column.hasNumbers ? '' : ` OR ${isNumberSql(text)}`
      return `CASE WHEN ${isListSql(column, text)}${isNumber} THEN ${failure} ELSE ${text} END`
    }
  }
}

/** SQL of the value of a column by the one that a part has; null when that does not have the strings. */
function valueOfColumn(column: FreeColumn, source: FreeColumn): string | null {
  const name = freeColumnName(source)
  if (source.type === column.type) return name
  if (column.type === 'number') return `CAST(${name} AS DOUBLE)`
  return source.type === 'integer' ? `CAST(${name} AS VARCHAR)` : null
}

/** SQL of the rows of a part with these columns, and with free ones. */
export function partSql({ sql, free }: RowsPart, columns: readonly string[], planned: FreeColumnList): string {
  const places = free && new FreeColumns(free)
  const sources = planned.columns.map(column => {
    const place = places?.place(column.of, column.name) ?? null
    if (place === 'absent') return 'NULL'
    return place && valueOfColumn(column, place)
  })
  const strings = new MemberStrings(planned.columns.filter((_, i) => sources[i] === null))
  const values = planned.columns.map((column, i) => {
    const value = sources[i] ?? valueOf(column, strings.stringSql(column))
    return `CAST(${value} AS ${SQL_TYPES[column.type]}) AS ${freeColumnName(column)}`
  })
  return `SELECT ${[...columns, ...values].join(', ')} FROM ${strings.sourceSql(sql)}`
}
