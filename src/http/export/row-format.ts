import type { ExportFacts } from '../../query/export/export-run.js'
import type { Problem } from '../error-reply.js'

/** How a file states what it has: the facts of the export, and the checksum of the bytes before that statement. */
export interface ExportEnd extends ExportFacts {
  /** SHA-256 as hexadecimal digits. */
  readonly sha256: string
  /** What ended the export before its time. */
  readonly error?: Problem
}

/** Writes one export as a file of some format. */
export interface RowFormat<Row> {
  readonly contentType: string
  /** Of the file's name. */
  readonly extension: string
  /** What the file begins with. */
  begin(): Buffer
  /** Bytes of these rows, or of earlier ones: a format may keep some back. */
  rows(rows: readonly Row[]): Promise<Buffer>
  /** What was kept back. */
  rest(): Promise<Buffer>
  /** What the file ends with; null if it has no way to state an error and ends without its end. */
  end(end: ExportEnd): Buffer | null
}
