import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { literal } from '../process/sql.js'
import {
  BLOCK_ENTRIES,
  CRC_BYTES,
  ENTRY_BYTES,
  HEADER_BYTES,
  NS_PER_DAY,
  NS_PER_MS,
  TRACE_INDEX_MAGIC,
  traceIndexFile
} from '../trace-index.js'

const MAX_UINT32 = 2 ** 32 - 1
const WORD_BYTES = 4

function header(traces: number, day: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  TRACE_INDEX_MAGIC.copy(bytes)
  bytes.writeUInt32LE(traces, TRACE_INDEX_MAGIC.length)
  bytes.writeUInt32LE(day, TRACE_INDEX_MAGIC.length + 4)
  return bytes
}

/** The numbers of a column, without a JavaScript value per row. */
function itemsOf(chunk: DuckDBDataChunk, column: number): unknown {
  return (chunk.getColumnVector(column) as unknown as { readonly items: unknown }).items
}

/** Null for times or ids that an entry cannot contain. */
function encode(chunk: DuckDBDataChunk): Buffer | null {
  const hashes = itemsOf(chunk, 0) as BigUint64Array
  const [first, last] = [itemsOf(chunk, 1), itemsOf(chunk, 2)] as [Uint32Array, Uint32Array]
  if (first.includes(MAX_UINT32) || last.includes(MAX_UINT32)) return null
  const halves = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length)
  const words = new Uint32Array((hashes.length * ENTRY_BYTES) / WORD_BYTES)
  for (let i = 0; i < hashes.length; i++) {
    words[4 * i] = halves[2 * i]!
    words[4 * i + 1] = halves[2 * i + 1]!
    words[4 * i + 2] = first[i]!
    words[4 * i + 3] = last[i]!
  }
  return Buffer.from(words.buffer)
}

function checksums(entries: Buffer): Buffer {
  const blockBytes = BLOCK_ENTRIES * ENTRY_BYTES
  const sums = Buffer.alloc(Math.ceil(entries.length / blockBytes) * CRC_BYTES)
  for (let block = 0; block * CRC_BYTES < sums.length; block++)
    sums.writeUInt32LE(crc32(entries.subarray(block * blockBytes, (block + 1) * blockBytes)), block * CRC_BYTES)
  return sums
}

/**
 * Writes the index of a segment of spans of one day and returns its bytes; 0 without an index, for times or ids that it
 * cannot contain: such a segment is read without.
 */
export async function writeTraceIndex(connection: DuckDBConnection, segment: string, day: number): Promise<number> {
  const offset = (time: string) => `(${time}(ts) - ${BigInt(day) * NS_PER_DAY}) // ${NS_PER_MS}`
  // What is not a time of the day, and either time of what is not an id, comes as the largest number, which no day has.
  const word = (sql: string) => `coalesce(TRY_CAST(${sql} AS UINTEGER), ${MAX_UINT32}::UINTEGER)`
  const result =
    await connection.stream(`SELECT hash, ${word('first')} AS first, ${word('CASE WHEN hash IS NOT NULL THEN last END')} AS last
    FROM (SELECT TRY_CAST('0x' || substr(trace_id, 17) AS UBIGINT) AS hash, ${offset('min')} AS first, ${offset('max')} AS last
      FROM read_parquet(${literal(segment)}) GROUP BY hash) ORDER BY hash NULLS FIRST`)
  const pieces: Buffer[] = []
  let traces = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    const entries = day < 0 ? null : encode(chunk)
    if (entries === null) return 0
    pieces.push(entries)
    traces += chunk.rowCount
  }
  const entries = Buffer.concat(pieces)
  const bytes = Buffer.concat([header(traces, day), entries, checksums(entries)])
  await writeFile(traceIndexFile(segment), bytes, { flag: 'wx' })
  return bytes.length
}
