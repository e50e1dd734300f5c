import type { ParquetValue } from '../../wire/parquet/column-values.js'
import { ParquetWriter } from '../../wire/parquet/parquet-writer.js'
import type { ExportColumn } from './export-column.js'
import { endJson } from './ndjson-format.js'
import type { ExportEnd, RowFormat } from './row-format.js'

/** Key of the metadata that states what the file has. */
const END_KEY = 'alidade.export'

function parquetValue<Row>({ type, of }: ExportColumn<Row>, row: Row): ParquetValue {
  const value = of(row)
  if (value === null) return null
  if (type === 'json') return JSON.stringify(value)
  if (type !== 'text') return value as ParquetValue
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A Parquet file. Its metadata has the end of the export; without it the file cannot be read. */
export class ParquetFormat<Row> implements RowFormat<Row> {
  readonly contentType = 'application/vnd.apache.parquet'
  readonly extension = 'parquet'
  readonly #columns: readonly ExportColumn<Row>[]
  readonly #writer: ParquetWriter

  constructor(columns: readonly ExportColumn<Row>[]) {
    this.#columns = columns
    this.#writer = new ParquetWriter(columns)
  }

  begin(): Buffer {
    return this.#writer.begin()
  }

  async rows(rows: readonly Row[]): Promise<Buffer> {
    const groups: Buffer[] = []
    for (const row of rows) {
      this.#writer.add(this.#columns.map(column => parquetValue(column, row)))
      if (this.#writer.isFull) groups.push(await this.#writer.rowGroup())
    }
    return Buffer.concat(groups)
  }

  async rest(): Promise<Buffer> {
    return this.#writer.rowGroup()
  }

  end(end: ExportEnd): Buffer | null {
    return end.error ? null : this.#writer.end({ [END_KEY]: endJson(end) })
  }
}
