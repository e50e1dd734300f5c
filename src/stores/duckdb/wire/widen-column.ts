import type { ColumnType } from '../field-columns.js'
import { encodeStrings, type WireColumn } from './columns.js'

type Numbers = BigInt64Array | Int32Array | Uint8Array | Float64Array

const MAKERS: Readonly<Record<Exclude<ColumnType, 'VARCHAR'>, (numbers: ArrayLike<number | bigint>) => Numbers>> = {
  UTINYINT: numbers => Uint8Array.from(numbers, Number),
  INTEGER: numbers => Int32Array.from(numbers, Number),
  BIGINT: numbers => BigInt64Array.from(numbers, BigInt),
  DOUBLE: numbers => Float64Array.from(numbers, Number)
}

/** A column of a narrower type as one of `type`: whole numbers become larger ones, doubles or their digits. */
export function widenColumn(column: WireColumn, type: ColumnType): WireColumn {
  if (column === null || 'lengths' in column || 'shared' in column) return column
  if ('orNaN' in column) return type === 'VARCHAR' ? digitsOf(column.orNaN) : column
  return type === 'VARCHAR' ? digitsOf(column) : MAKERS[type](column)
}

/** A column in which every row has the same value. */
export function constantColumn(value: string | number | null, type: ColumnType, rows: number): WireColumn {
  if (value === null) return null
  return type === 'VARCHAR'
    ? { shared: Buffer.from(String(value)) }
    : MAKERS[type](Array.from({ length: rows }, () => value as number))
}

function digitsOf(numbers: ArrayLike<number | bigint>): WireColumn {
  return encodeStrings(Array.from(numbers), number => (Number.isNaN(number) ? null : String(number)))
}
