import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { DuckDBBlobValue, DuckDBConnection } from '@duckdb/node-api'
import {
  blockBytes,
  BLOCKS,
  CRC_BYTES,
  forEachGram,
  GRAM_INDEX_MAGIC,
  gramIndexFile,
  HEADER_BYTES,
  SLOTS,
  SLOTS_PER_BLOCK,
  STRANGERS
} from '../gram-index.js'
import { literal, queryRows } from '../process/sql.js'
import { rowGroupsOf } from './row-groups.js'
import { writeIndexFile } from './write-index-file.js'

/** Messages that are read at once; a row group with more may contain anything. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024
const BLOCKS_AT_ONCE = 256

/** A matrix of bits: a row for each slot, a column for each row group. */
class GramMatrix {
  readonly #rowGroups: number
  readonly #blockBytes: number
  readonly #bytes: Buffer
  readonly #marked = new Uint8Array(SLOTS / 8)

  constructor(rowGroups: number, rowsPerGroup: number) {
    this.#rowGroups = rowGroups
    this.#blockBytes = blockBytes(rowGroups)
    this.#bytes = Buffer.alloc(HEADER_BYTES + BLOCKS * this.#blockBytes)
    GRAM_INDEX_MAGIC.copy(this.#bytes)
    this.#bytes.writeUInt32LE(rowGroups, GRAM_INDEX_MAGIC.length)
    this.#bytes.writeUInt32LE(rowsPerGroup, GRAM_INDEX_MAGIC.length + 4)
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, HEADER_BYTES - CRC_BYTES)), HEADER_BYTES - CRC_BYTES)
  }

  /** Enters the grams of all messages of a row group; null: it may contain anything. */
  enter(rowGroup: number, text: Buffer | null): void {
    const marked = this.#marked
    if (text === null || STRANGERS.some(stranger => text.includes(stranger))) marked.fill(0xff)
    else {
      marked.fill(0)
      forEachGram(text, slot => (marked[slot >> 3]! |= 1 << (slot & 7)))
    }
    for (let i = 0; i < marked.length; i++) {
      for (let rest = marked[i]!; rest !== 0; rest &= rest - 1) this.#set(i * 8 + 31 - Math.clz32(rest & -rest), rowGroup)
    }
  }

  #set(slot: number, rowGroup: number): void {
    const block = HEADER_BYTES + Math.floor(slot / SLOTS_PER_BLOCK) * this.#blockBytes + CRC_BYTES
    const bit = (slot % SLOTS_PER_BLOCK) * this.#rowGroups + rowGroup
    this.#bytes[block + (bit >> 3)]! |= 1 << (bit & 7)
  }

  /** The whole index with its sums. */
  async seal(): Promise<Buffer> {
    for (let block = 0; block < BLOCKS; block++) {
      const at = HEADER_BYTES + block * this.#blockBytes
      this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(at + CRC_BYTES, at + this.#blockBytes)), at)
      if (block % BLOCKS_AT_ONCE === 0) await yieldToEventLoop()
    }
    return this.#bytes
  }
}

/** Bytes of the messages of each row group, as strings: the file has a repeated one once. */
async function textBytesOf(connection: DuckDBConnection, segment: string, rows: number): Promise<readonly number[]> {
  const sql = `SELECT CAST(sum(strlen(message)) AS DOUBLE) AS bytes FROM read_parquet(${literal(segment)})
    GROUP BY file_row_number // ${rows} ORDER BY file_row_number // ${rows}`
  return (await queryRows<{ bytes: number | null }>(connection, sql)).map(each => each.bytes ?? 0)
}

/** How many row groups from `from` on are read at once; 0 when one alone is too much. */
function countAtOnce(textBytes: readonly number[], from: number): number {
  let total = 0
  let end = from
  while (end < textBytes.length && (total += textBytes[end]!) <= MAX_TEXT_BYTES) end++
  return end - from
}

/**
 * Writes the index of a segment of logs and returns its bytes; 0 without an index, when the row groups are not alike or the
 * memory does not suffice: such a segment is read without. Costs about 0.4 times the `JSON.parse` of a log.
 */
export async function writeGramIndex(connection: DuckDBConnection, segment: string): Promise<number> {
  return writeIndexFile(gramIndexFile(segment), () => build(connection, segment))
}

async function build(connection: DuckDBConnection, segment: string): Promise<Buffer | null> {
  const groups = await rowGroupsOf(connection, segment)
  if (groups === null) return null
  const { count: rowGroups, rowsPerGroup: rows } = groups
  const textBytes = await textBytesOf(connection, segment, rows)
  const matrix = new GramMatrix(rowGroups, rows)
  for (let from = 0; from < rowGroups;) {
    const count = countAtOnce(textBytes, from)
    if (count === 0) matrix.enter(from, null)
    for (const [rowGroup, text] of count === 0 ? [] : await readStrings(connection, segment, { from, count, rows })) {
      matrix.enter(rowGroup, text)
      await yieldToEventLoop()
    }
    from += Math.max(count, 1)
  }
  return matrix.seal()
}

/** All messages of each row group as one text. */
async function readStrings(
  connection: DuckDBConnection,
  segment: string,
  { from, count, rows }: { readonly from: number; readonly count: number; readonly rows: number }
): Promise<readonly (readonly [rowGroup: number, text: Buffer])[]> {
  const sql = `SELECT CAST(file_row_number // ${rows} AS INTEGER) AS n, encode(string_agg(message, chr(10))) FROM read_parquet(${literal(segment)})
    WHERE file_row_number >= ${from * rows} AND file_row_number < ${(from + count) * rows} GROUP BY n`
  const found = (await connection.runAndReadAll(sql)).getRows() as [number, DuckDBBlobValue | null][]
  return found.map(([rowGroup, text]) => {
    const bytes = text?.bytes ?? new Uint8Array()
    return [rowGroup, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)] as const
  })
}
