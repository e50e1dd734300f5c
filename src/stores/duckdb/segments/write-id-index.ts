import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import {
  blockBytes,
  blockOf,
  blocksFor,
  CRC_BYTES,
  FILTER_BYTES,
  forEachBit,
  hashOfIdSql,
  HEADER_BYTES,
  ID_COLUMNS,
  ID_INDEX_MAGIC,
  idIndexFile
} from '../id-index.js'
import { literal, queryRows } from '../process/sql.js'
import { rowGroupsOf } from './row-groups.js'
import { writeIndexFile } from './write-index-file.js'

const BLOCKS_AT_ONCE = 1_024

/** The index of a segment while it is made. */
class IdFilters {
  readonly #rowGroups: number
  readonly #blocks: number
  readonly #bytes: Buffer

  constructor(rowGroups: number, rowsPerGroup: number, blocks: number) {
    this.#rowGroups = rowGroups
    this.#blocks = blocks
    this.#bytes = Buffer.alloc(HEADER_BYTES + blocks * blockBytes(rowGroups))
    ID_INDEX_MAGIC.copy(this.#bytes)
    for (const [i, number] of [rowGroups, rowsPerGroup, blocks].entries())
      this.#bytes.writeUInt32LE(number, ID_INDEX_MAGIC.length + 4 * i)
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, HEADER_BYTES - CRC_BYTES)), HEADER_BYTES - CRC_BYTES)
  }

  add(rowGroup: number, high: number, low: number): void {
    const block = HEADER_BYTES + blockOf(high, this.#blocks) * blockBytes(this.#rowGroups)
    const filter = block + CRC_BYTES + rowGroup * FILTER_BYTES
    forEachBit(low, (byte, mask) => {
      this.#bytes[filter + byte]! |= mask
      return true
    })
  }

  /** The whole index with its sums. */
  async seal(): Promise<Buffer> {
    const size = blockBytes(this.#rowGroups)
    for (let block = 0; block < this.#blocks; block++) {
      const at = HEADER_BYTES + block * size
      this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(at + CRC_BYTES, at + size)), at)
      if (block % BLOCKS_AT_ONCE === 0) await yieldToEventLoop()
    }
    return this.#bytes
  }
}

/** SQL of the hashes of all ids, each once for a row group. */
function idsSql(segment: string, rowsPerGroup: number): string {
  const parts = ID_COLUMNS.map(
    column => `SELECT DISTINCT CAST(file_row_number // ${rowsPerGroup} AS INTEGER) AS row_group, ${hashOfIdSql(column)} AS hash
      FROM read_parquet(${literal(segment)}) WHERE ${column} IS NOT NULL`
  )
  return parts.join(' UNION ALL ')
}

function addChunk(filters: IdFilters, chunk: DuckDBDataChunk): void {
  const itemsOf = (column: number) => (chunk.getColumnVector(column) as unknown as { readonly items: unknown }).items
  const [groups, hashes] = [itemsOf(0) as Int32Array, itemsOf(1) as BigUint64Array]
  const halves = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length)
  for (let i = 0; i < chunk.rowCount; i++) filters.add(groups[i]!, halves[2 * i + 1]!, halves[2 * i]!)
}

/**
 * Writes the index of a segment of logs and returns its bytes; 0 without an index, when no log has an id, the row groups are
 * not alike or the memory does not suffice: such a segment is read without.
 */
export async function writeIdIndex(connection: DuckDBConnection, segment: string): Promise<number> {
  return writeIndexFile(idIndexFile(segment), () => build(connection, segment))
}

async function build(connection: DuckDBConnection, segment: string): Promise<Buffer | null> {
  const groups = await rowGroupsOf(connection, segment)
  if (groups === null) return null
  const { count, rowsPerGroup } = groups
  const counted = `SELECT max(ids) AS most FROM (SELECT sum(ids) AS ids FROM (${ID_COLUMNS.map(
    column => `SELECT file_row_number // ${rowsPerGroup} AS row_group, least(approx_count_distinct(${column}), count(${column})) AS ids
      FROM read_parquet(${literal(segment)}) WHERE ${column} IS NOT NULL GROUP BY row_group`
  ).join(' UNION ALL ')}) GROUP BY row_group)`
  const [found] = await queryRows<{ most: bigint | null }>(connection, counted)
  if (found?.most === null || found?.most === undefined) return null
  const filters = new IdFilters(count, rowsPerGroup, blocksFor(Number(found.most)))
  const result = await connection.stream(idsSql(segment, rowsPerGroup))
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return filters.seal()
    addChunk(filters, chunk)
  }
}
