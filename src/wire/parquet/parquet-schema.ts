import type { ThriftWriter } from './thrift-writer.js'

/** What a column holds: strings, JSON, numbers, booleans, or times since 1970. */
export type ParquetType = 'text' | 'json' | 'int32' | 'int64' | 'double' | 'boolean' | 'nanoseconds' | 'milliseconds'

/** A column; all of its values may be null. */
export interface ParquetColumn {
  readonly name: string
  readonly type: ParquetType
}

const BOOLEAN = 0
const INT32 = 1
const INT64 = 2
const DOUBLE = 5
const BYTE_ARRAY = 6
const OPTIONAL = 1
/** Members of the union `LogicalType`. */
const STRING = 1
const TIMESTAMP = 8
const JSON_TEXT = 12
/** Members of the union `TimeUnit`. */
const MILLIS = 1
const NANOS = 3

const PHYSICAL: Readonly<Record<ParquetType, number>> = {
  text: BYTE_ARRAY,
  json: BYTE_ARRAY,
  int32: INT32,
  int64: INT64,
  double: DOUBLE,
  boolean: BOOLEAN,
  nanoseconds: INT64,
  milliseconds: INT64
}
/** What older readers know instead of the logical type. */
const CONVERTED: Readonly<Partial<Record<ParquetType, number>>> = { text: 0, json: 19, milliseconds: 9 }

/** The physical type by its number in the format. */
export function physicalType({ type }: ParquetColumn): number {
  return PHYSICAL[type]
}

function writeLogicalType(writer: ThriftWriter, type: ParquetType): void {
  const empty = (): void => undefined
  const time = (unit: number) => (inner: ThriftWriter) => inner.boolean(1, true).struct(2, one => one.struct(unit, empty))
  if (type === 'text') writer.struct(STRING, empty)
  else if (type === 'json') writer.struct(JSON_TEXT, empty)
  else if (type === 'nanoseconds') writer.struct(TIMESTAMP, time(NANOS))
  else if (type === 'milliseconds') writer.struct(TIMESTAMP, time(MILLIS))
}

const HAS_LOGICAL_TYPE: ReadonlySet<ParquetType> = new Set<ParquetType>(['text', 'json', 'nanoseconds', 'milliseconds'])

function writeColumn(writer: ThriftWriter, column: ParquetColumn): void {
  const converted = CONVERTED[column.type]
  writer.i32(1, physicalType(column)).i32(3, OPTIONAL).string(4, column.name)
  if (converted !== undefined) writer.i32(6, converted)
  if (HAS_LOGICAL_TYPE.has(column.type)) writer.struct(10, inner => writeLogicalType(inner, column.type))
}

/** Writes the schema as member `id`: the root, then the columns. */
export function writeSchema(writer: ThriftWriter, id: number, columns: readonly ParquetColumn[]): void {
  writer.structs(id, [null, ...columns], (element, column) => {
    if (column === null) element.string(4, 'schema').i32(5, columns.length)
    else writeColumn(element, column)
  })
}
