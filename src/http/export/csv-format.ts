import { formatNs } from '../../domain/timestamp.js'
import { warningSentence } from '../../domain/warning.js'
import { csvLine, type CsvStyle, type CsvValue } from '../../wire/csv/csv-line.js'
import type { ExportColumn } from './export-column.js'
import type { ExportEnd, RowFormat } from './row-format.js'

function csvValue<Row>({ type, of }: ExportColumn<Row>, row: Row): CsvValue {
  const value = of(row)
  if (value === null) return null
  if (type === 'nanoseconds') return formatNs(value as bigint)
  if (type === 'milliseconds') return new Date(value as number).toISOString()
  return type !== 'json' && typeof value !== 'object' ? value : JSON.stringify(value)
}

/** Lines of CSV (RFC 4180) with a header. The last line begins with `# `, as no other does. */
export class CsvFormat<Row> implements RowFormat<Row> {
  readonly contentType = 'text/csv; charset=utf-8; header=present'
  readonly extension = 'csv'
  readonly #columns: readonly ExportColumn<Row>[]
  readonly #style: CsvStyle

  constructor(columns: readonly ExportColumn<Row>[], style: CsvStyle) {
    this.#columns = columns
    this.#style = style
  }

  begin(): Buffer {
    const names = this.#columns.map(({ name }) => name)
    return Buffer.from(csvLine(names, this.#style))
  }

  async rows(rows: readonly Row[]): Promise<Buffer> {
    const lines = rows.map(row => {
      const cells = this.#columns.map(column => csvValue(column, row))
      return csvLine(cells, this.#style)
    })
    return Buffer.from(lines.join(''))
  }

  async rest(): Promise<Buffer> {
    return Buffer.alloc(0)
  }

  end({ complete, rows, sha256, window, warnings, error }: ExportEnd): Buffer {
    const isWhole = complete && error === undefined
    const facts = [
      ...[`complete=${isWhole}`, `rows=${rows}`, `sha256=${sha256}`],
      ...[`start=${formatNs(window.startNs)}`, `end=${formatNs(window.endNs)}`],
      ...(warnings.length > 0 ? [`warnings=${JSON.stringify(warnings.map(warningSentence))}`] : []),
      ...(error ? [`error=${error.code}`] : [])
    ]
    return Buffer.from(`# ${facts.join(' ')}\r\n`)
  }
}
