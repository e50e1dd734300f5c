import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { ColumnValues, type ParquetValue } from './column-values.js'
import { type ParquetColumn, physicalType, writeSchema } from './parquet-schema.js'
import { ThriftWriter } from './thrift-writer.js'

// Parquet files (github.com/apache/parquet-format): flat columns, one page of each column in a row group, compressed with gzip.

const compress = promisify(gzip)

const MAGIC = Buffer.from('PAR1')
const VERSION = 1
const DATA_PAGE = 0
const PLAIN = 0
const RLE = 3
const GZIP = 2
const CREATOR = 'alidade'
/** A row group ends with so many rows, or bytes of values. */
export const MAX_GROUP_ROWS = 50_000
export const MAX_GROUP_BYTES = 8 * 1024 * 1024

interface Chunk {
  readonly column: ParquetColumn
  readonly rows: number
  readonly at: number
  readonly bytes: number
  readonly plainBytes: number
}

interface RowGroup {
  readonly rows: number
  readonly chunks: readonly Chunk[]
}

function pageHeader(rows: number, plainBytes: number, bytes: number): Buffer {
  const writer = new ThriftWriter().i32(1, DATA_PAGE).i32(2, plainBytes).i32(3, bytes)
  return writer.struct(5, page => page.i32(1, rows).i32(2, PLAIN).i32(3, RLE).i32(4, RLE)).finish()
}

function writeChunk(writer: ThriftWriter, { column, rows, at, bytes, plainBytes }: Chunk): void {
  writer.i64(2, at).struct(3, meta => {
    meta.i32(1, physicalType(column)).i32s(2, [PLAIN, RLE]).strings(3, [column.name]).i32(4, GZIP)
    meta.i64(5, rows).i64(6, plainBytes).i64(7, bytes).i64(9, at)
  })
}

function writeGroup(writer: ThriftWriter, { rows, chunks }: RowGroup): void {
  writer.structs(1, chunks, writeChunk)
  writer.i64(
    2,
    chunks.reduce((sum, { plainBytes }) => sum + plainBytes, 0)
  )
  writer.i64(3, rows)
}

/**
 * Writes a Parquet file as a stream of buffers, in this order: `begin`, row groups, `end`. It holds the rows of one row
 * group. A file without its end cannot be read.
 */
export class ParquetWriter {
  readonly #columns: readonly ParquetColumn[]
  readonly #groups: RowGroup[] = []
  #values: readonly ColumnValues[]
  #at = 0

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns
    this.#values = columns.map(({ type }) => new ColumnValues(type))
  }

  /** What the file begins with. */
  begin(): Buffer {
    return this.#given(MAGIC)
  }

  /** Adds a row, with one cell for each column. Write a row group when `isFull` is true. */
  add(cells: readonly ParquetValue[]): void {
    this.#values.forEach((values, i) => values.add(cells[i]!))
  }

  /** Whether the rows that were added are a whole row group. */
  get isFull(): boolean {
    const bytes = this.#values.reduce((sum, values) => sum + values.bytes, 0)
    return this.#rows >= MAX_GROUP_ROWS || bytes >= MAX_GROUP_BYTES
  }

  /** The rows since the row group before; empty without any. */
  async rowGroup(): Promise<Buffer> {
    const rows = this.#rows
    if (rows === 0) return Buffer.alloc(0)
    const taken = this.#values
    this.#values = this.#columns.map(({ type }) => new ColumnValues(type))
    const pages = await Promise.all(taken.map(values => compressedPage(values, rows)))
    const chunks = pages.map(({ bytes, plainBytes }, i) => {
      const at = this.#at
      this.#at += bytes.length
      return { column: this.#columns[i]!, rows, at, bytes: bytes.length, plainBytes }
    })
    this.#groups.push({ rows, chunks })
    return Buffer.concat(pages.map(({ bytes }) => bytes))
  }

  /** What the file ends with; `facts` are its key-value metadata. All rows must have been written. */
  end(facts: Readonly<Record<string, string>>): Buffer {
    const writer = new ThriftWriter().i32(1, VERSION)
    writeSchema(writer, 2, this.#columns)
    writer.i64(
      3,
      this.#groups.reduce((sum, { rows }) => sum + rows, 0)
    )
    writer.structs(4, this.#groups, writeGroup)
    writer.structs(5, Object.entries(facts), (element, [key, value]) => element.string(1, key).string(2, value))
    const footer = writer.string(6, CREATOR).finish()
    const length = Buffer.alloc(4)
    length.writeUInt32LE(footer.length)
    return this.#given(Buffer.concat([footer, length, MAGIC]))
  }

  get #rows(): number {
    return this.#values[0]?.rows ?? 0
  }

  #given(bytes: Buffer): Buffer {
    this.#at += bytes.length
    return bytes
  }
}

async function compressedPage(
  values: ColumnValues,
  rows: number
): Promise<{ readonly bytes: Buffer; readonly plainBytes: number }> {
  const plain = values.page()
  const packed = await compress(plain, { level: constants.Z_BEST_SPEED })
  const header = pageHeader(rows, plain.length, packed.length)
  return { bytes: Buffer.concat([header, packed]), plainBytes: header.length + plain.length }
}
