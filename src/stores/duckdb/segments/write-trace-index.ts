import { writeFile } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal } from '../process/sql.js'
import {
  ENTRY_BYTES,
  FIRST_AT,
  HEADER_BYTES,
  LAST_AT,
  NS_PER_DAY,
  NS_PER_MS,
  TRACE_INDEX_MAGIC,
  traceIndexFile
} from '../trace-index.js'

const MAX_UINT32 = 2 ** 32 - 1

function header(traces: number, day: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  TRACE_INDEX_MAGIC.copy(bytes)
  bytes.writeUInt32LE(traces, TRACE_INDEX_MAGIC.length)
  bytes.writeUInt32LE(day, TRACE_INDEX_MAGIC.length + 4)
  return bytes
}

type Entry = readonly [hash: bigint | null, first: bigint, last: bigint]

function isIndexable([hash, first, last]: Entry): boolean {
  return hash !== null && first >= 0n && last <= BigInt(MAX_UINT32)
}

function encode(entries: readonly Entry[]): Buffer {
  const bytes = Buffer.allocUnsafe(entries.length * ENTRY_BYTES)
  entries.forEach(([hash, first, last], i) => {
    bytes.writeBigUInt64LE(hash!, i * ENTRY_BYTES)
    bytes.writeUInt32LE(Number(first), i * ENTRY_BYTES + FIRST_AT)
    bytes.writeUInt32LE(Number(last), i * ENTRY_BYTES + LAST_AT)
  })
  return bytes
}

/**
 * Writes the index of a segment of spans of one day and answers its bytes; 0 without an index, for times or ids that it
 * cannot hold: such a segment is read without.
 */
export async function writeTraceIndex(connection: DuckDBConnection, segment: string, day: number): Promise<number> {
  const offset = (time: string) => `(${time}(ts) - ${BigInt(day) * NS_PER_DAY}) // ${NS_PER_MS}`
  const result = await connection.stream(`SELECT TRY_CAST('0x' || substr(trace_id, 17) AS UBIGINT) AS hash,
    ${offset('min')} AS first, ${offset('max')} AS last FROM read_parquet(${literal(segment)}) GROUP BY hash ORDER BY hash NULLS FIRST`)
  const pieces: Buffer[] = []
  let traces = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    const entries = chunk.getRows() as unknown as readonly Entry[]
    if (day < 0 || !entries.every(isIndexable)) return 0
    pieces.push(encode(entries))
    traces += entries.length
  }
  const bytes = Buffer.concat([header(traces, day), ...pieces])
  await writeFile(traceIndexFile(segment), bytes, { flag: 'wx' })
  return bytes.length
}
