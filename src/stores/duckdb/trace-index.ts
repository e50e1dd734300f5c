/**
 * A segment of spans has an index file of its traces: when each has spans there. Parquet cannot find a random id
 * without reading every row group, and all spans of a trace are requested wherever they are.
 *
 * `[8 magic][u32 traces][u32 day]`, then for each trace, by hash, `[u64 hash][u32 first ms][u32 last ms]`, little endian; the
 * hash is the id's last 16 digits, times count from the start of the day. Traces that share a hash share an entry. At the end
 * is a CRC-32 for each 1,024 entries.
 */
export const TRACE_INDEX_MAGIC = Buffer.from('alidtrc2')
/** Of earlier versions: without checksums. */
export const UNSUMMED_MAGIC = Buffer.from('alidtrc1')
export const CRC_BYTES = 4
/** Entries that one checksum covers. */
export const BLOCK_ENTRIES = 1_024
export const HEADER_BYTES = 16
export const ENTRY_BYTES = 16
/** Where an entry's times begin. */
export const FIRST_AT = 8
/** As above. */
export const LAST_AT = 12
export const NS_PER_MS = 1_000_000n
export const NS_PER_DAY = 86_400_000_000_000n

/** The path of the index of a segment. */
export function traceIndexFile(segment: string): string {
  return `${segment}.traces`
}
