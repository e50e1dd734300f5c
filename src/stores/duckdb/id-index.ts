import { createHash } from 'node:crypto'

/**
 * A segment of logs has an index file of its trace and span ids: which row groups may have a log with an id. Ids are random,
 * so that statistics of Parquet do not help.
 *
 * `[8 magic][u32 row groups][u32 rows of each but the last][u32 blocks][u32 crc32 of these]`, then blocks
 * `[u32 crc32][32 bytes for each row group]`, little endian. A row group has a split block Bloom filter, as Parquet has:
 * the upper half of an id's hash selects the block, the lower half one bit in each of the block's eight words. Blocks of the
 * same number are together, so that one read is enough for an id.
 */
export const ID_INDEX_MAGIC = Buffer.from('alidids1')
export const HEADER_BYTES = 24
export const CRC_BYTES = 4
export const FILTER_BYTES = 32
/** Bits for each id of the row group with most: about one of a hundred others seems to be in a row group. */
const BITS_PER_ID = 11
const BITS_PER_BLOCK = FILTER_BYTES * 8

/** Columns whose values are in the index. */
export const ID_COLUMNS = ['trace_id', 'span_id'] as const
export type IdColumn = (typeof ID_COLUMNS)[number]

/** The halves of the hash of an id. */
export interface IdHash {
  readonly high: number
  readonly low: number
}

/** Where the index of a segment is. */
export function idIndexFile(segment: string): string {
  return `${segment}.ids`
}

/** How many blocks the filters of row groups with at most so many ids have. */
export function blocksFor(ids: number): number {
  return Math.max(1, Math.ceil((ids * BITS_PER_ID) / BITS_PER_BLOCK))
}

/** Bytes of one block of all row groups, its sum among them. */
export function blockBytes(rowGroups: number): number {
  return CRC_BYTES + FILTER_BYTES * rowGroups
}

/** The hash of an id as it is stored: each spelling has its own. */
export function hashOfId(column: IdColumn, id: string): IdHash {
  const digest = createHash('md5').update(`${column} ${id}`).digest()
  return { high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) }
}

/** SQL of the same hash as one number. */
export function hashOfIdSql(column: IdColumn): string {
  return `CAST('0x' || substr(md5('${column} ' || ${column}), 1, 16) AS UBIGINT)`
}

/** The block of a hash. */
export function blockOf(high: number, blocks: number): number {
  return Math.floor((high / 2 ** 32) * blocks)
}

const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]
const WORD_BYTES = 4

/** Calls `visit` with each bit of a hash: the byte in its filter, and the mask in the byte. Stops when it returns false. */
export function forEachBit(low: number, visit: (byte: number, mask: number) => boolean): void {
  for (let word = 0; word < SALTS.length; word++) {
    const bit = Math.imul(low, SALTS[word]!) >>> 27
    if (!visit(word * WORD_BYTES + (bit >> 3), 1 << (bit & 7))) return
  }
}
