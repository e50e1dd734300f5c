import { windowReply } from '../../domain/time-range.js'
import { warningSentence } from '../../domain/warning.js'
import type { ExportEnd, RowFormat } from './row-format.js'

/** The end of an export as JSON. */
export function endJson({ complete, rows, sha256, window, warnings, error }: ExportEnd): string {
  const isWhole = complete && error === undefined
  return JSON.stringify({
    complete: isWhole,
    rows,
    sha256,
    window: windowReply(window),
    warnings: warnings.map(warningSentence),
    ...(error && { error })
  })
}

/** A JSON object a line. The last line has `complete` instead of `id`. */
export class NdjsonFormat<Row> implements RowFormat<Row> {
  readonly contentType = 'application/x-ndjson'
  readonly extension = 'ndjson'
  readonly #json: (row: Row) => unknown

  constructor(json: (row: Row) => unknown) {
    this.#json = json
  }

  begin(): Buffer {
    return Buffer.alloc(0)
  }

  async rows(rows: readonly Row[]): Promise<Buffer> {
    return Buffer.from(rows.map(row => `${JSON.stringify(this.#json(row))}\n`).join(''))
  }

  async rest(): Promise<Buffer> {
    return Buffer.alloc(0)
  }

  end(end: ExportEnd): Buffer {
    return Buffer.from(`${endJson(end)}\n`)
  }
}
