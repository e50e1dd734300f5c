import { open } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'
import { crcOfFile, type FileSum } from './crc-of-file.js'
import type { ManifestRow } from './manifest.js'
import { firstLine } from './unlisted-segments.js'

const MAGIC = Buffer.from('PAR1')
/** Magic, length of the footer, magic again. */
const LEAST_BYTES = 12

/** What is wrong with the frame of a Parquet file: size, first and last bytes; null when nothing is. Reads two pages at most. */
export async function checkFrame(path: string, sum: FileSum | undefined): Promise<string | null> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      if (sum && size !== sum.bytes) return `has ${size} bytes instead of ${sum.bytes}`
      if (size < LEAST_BYTES) return `has ${size} bytes, too few for a segment`
      const ends = Buffer.alloc(2 * MAGIC.length)
      await file.read(ends, 0, MAGIC.length, 0)
      await file.read(ends, MAGIC.length, MAGIC.length, size - MAGIC.length)
      return ends.equals(Buffer.concat([MAGIC, MAGIC])) ? null : 'does not have the magic bytes of a Parquet file'
    } finally {
      await file.close()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is missing' : `cannot be opened: ${firstLine(error)}`
  }
}

/** What is wrong with a segment, every byte of it read; null when nothing is. Files of earlier versions have no checksum: all their rows are read. */
export async function checkWhole(
  connection: DuckDBConnection,
  path: string,
  { rows }: Pick<ManifestRow, 'rows'>,
  sum: FileSum | undefined
): Promise<string | null> {
  const frame = await checkFrame(path, sum)
  if (frame !== null) return frame
  try {
    if (sum) return (await crcOfFile(path)).crc === sum.crc ? null : 'does not match its checksum'
    // Whatever columns the format of the segment has.
    const sql = `SELECT count(*) AS rows, count(COLUMNS(*)) FROM read_parquet(${literal(path)})`
    const [found] = await queryRows<{ rows: bigint }>(connection, sql)
    return Number(found!.rows) === rows ? null : `has ${found!.rows} rows instead of ${rows}`
  } catch (error) {
    return `cannot be read: ${firstLine(error)}`
  }
}
