import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Pace } from '../../../threads/pace.js'
import {
  BLOCK_ENTRIES,
  CRC_BYTES,
  ENTRY_BYTES,
  FIRST_AT,
  HEADER_BYTES,
  LAST_AT,
  NS_PER_DAY,
  NS_PER_MS,
  TRACE_INDEX_MAGIC,
  traceIndexFile,
  UNSUMMED_MAGIC
} from '../trace-index.js'

/** Times between which all spans of a trace in one segment start, both inclusive. */
export interface TraceTimes {
  readonly traceId: string
  readonly firstNs: bigint
  readonly lastNs: bigint
}

/** Entries read at once: ids are random, so that a guess is hardly ever off by more than some hundred. */
const WINDOW = 1_024
const TRACE_ID = /^[0-9a-f]{32}$/
const HASH_BITS = 64n
/** More traces than this are looked up in the whole index, read once, ... */
const MAX_PROBES = 32
/** ... where that is not more than the probes would read, and no more than so many entries (16 MiB). */
const MAX_WHOLE = 1_048_576
const PROBES_AT_ONCE = 256
/** What opening an index counts. */
const OPENING = 4

/** Between the probes of one read, which may be of many traces in many segments. */
export function probePace(signal: AbortSignal): Pace {
  return new Pace(PROBES_AT_ONCE, signal)
}

/** Entries that do not have the checksum that was written with them. */
class DamagedIndex extends Error {}

/** The entries of an open index. Reads are of a few pages, mostly in memory, and cost less than handing them to a thread. */
class OpenIndex {
  readonly #file: number
  readonly #traces: number
  readonly #dayNs: bigint
  readonly #isSummed: boolean
  #whole: Buffer | null = null

  private constructor(file: number, { traces, dayNs, isSummed }: { traces: number; dayNs: bigint; isSummed: boolean }) {
    this.#file = file
    this.#traces = traces
    this.#dayNs = dayNs
    this.#isSummed = isSummed
  }

  /** Null for a file that is not an index. */
  static open(file: number): OpenIndex | null {
    const header = Buffer.alloc(HEADER_BYTES)
    const read = readSync(file, header, 0, HEADER_BYTES, 0)
    const traces = header.readUInt32LE(TRACE_INDEX_MAGIC.length)
    const dayNs = BigInt(header.readUInt32LE(TRACE_INDEX_MAGIC.length + 4)) * NS_PER_DAY
    const magic = header.subarray(0, TRACE_INDEX_MAGIC.length)
    const isSummed = magic.equals(TRACE_INDEX_MAGIC)
    if (read !== HEADER_BYTES || (!isSummed && !magic.equals(UNSUMMED_MAGIC))) return null
    const sums = isSummed ? Math.ceil(traces / BLOCK_ENTRIES) * CRC_BYTES : 0
    const isWhole = fstatSync(file).size === HEADER_BYTES + traces * ENTRY_BYTES + sums
    return isWhole ? new OpenIndex(file, { traces, dayNs, isSummed }) : null
  }

  /** Reads all entries at once when so many traces are requested that it costs less. */
  expect(traceIds: number): void {
    if (traceIds > MAX_PROBES && this.#traces <= Math.min(traceIds * WINDOW, MAX_WHOLE)) this.#whole = this.#read(0, this.#traces)
  }

  find(traceId: string): TraceTimes | null {
    const hash = BigInt(`0x${traceId.slice(16)}`)
    let [low, high] = [0, this.#traces]
    let guess = Number((hash * BigInt(this.#traces)) >> HASH_BITS)
    while (low < high) {
      const start = Math.max(low, Math.min(guess - WINDOW / 2, high - WINDOW))
      const entries = this.#read(start, Math.min(WINDOW, high - start))
      const count = entries.length / ENTRY_BYTES
      if (hash < entries.readBigUInt64LE(0)) high = start
      else if (hash > entries.readBigUInt64LE((count - 1) * ENTRY_BYTES)) low = start + count
      else return this.#among(entries, hash, traceId)
      guess = (low + high) >> 1
    }
    return null
  }

  #read(from: number, count: number): Buffer {
    if (this.#whole) return this.#whole.subarray(from * ENTRY_BYTES, (from + count) * ENTRY_BYTES)
    if (!this.#isSummed) return this.#bytes(HEADER_BYTES + from * ENTRY_BYTES, count * ENTRY_BYTES)
    const first = Math.floor(from / BLOCK_ENTRIES)
    const start = first * BLOCK_ENTRIES
    const end = Math.min(Math.ceil((from + count) / BLOCK_ENTRIES) * BLOCK_ENTRIES, this.#traces)
    const blocks = this.#bytes(HEADER_BYTES + start * ENTRY_BYTES, (end - start) * ENTRY_BYTES)
    this.#check(blocks, first)
    return blocks.subarray((from - start) * ENTRY_BYTES, (from - start + count) * ENTRY_BYTES)
  }

  /** A wrong entry would mean that a trace is missing. */
  #check(blocks: Buffer, first: number): void {
    const blockBytes = BLOCK_ENTRIES * ENTRY_BYTES
    const count = Math.ceil(blocks.length / blockBytes)
    const sums = this.#bytes(HEADER_BYTES + this.#traces * ENTRY_BYTES + first * CRC_BYTES, count * CRC_BYTES)
    for (let i = 0; i < count; i++)
      if (crc32(blocks.subarray(i * blockBytes, (i + 1) * blockBytes)) !== sums.readUInt32LE(i * CRC_BYTES))
        throw new DamagedIndex()
  }

  #bytes(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    readSync(this.#file, bytes, 0, length, position)
    return bytes
  }

  #among(entries: Buffer, hash: bigint, traceId: string): TraceTimes | null {
    let [low, high] = [0, entries.length / ENTRY_BYTES]
    while (low < high) {
      const middle = (low + high) >> 1
      if (entries.readBigUInt64LE(middle * ENTRY_BYTES) < hash) low = middle + 1
      else high = middle
    }
    const at = low * ENTRY_BYTES
    if (at >= entries.length || entries.readBigUInt64LE(at) !== hash) return null
    const [first, last] = [entries.readUInt32LE(at + FIRST_AT), entries.readUInt32LE(at + LAST_AT)]
    return {
      traceId,
      firstNs: this.#dayNs + BigInt(first) * NS_PER_MS,
      lastNs: this.#dayNs + BigInt(last + 1) * NS_PER_MS - 1n
    }
  }
}

/** Which of the traces a segment may contain, and when; null when it has no index that can be read: any may be there at any time. */
export async function findTraces(
  segment: string,
  traceIds: readonly string[],
  pace: Pace
): Promise<readonly TraceTimes[] | null> {
  if (!traceIds.every(id => TRACE_ID.test(id))) return null
  if (pace.isDue(OPENING)) await pace.rest()
  let file: number
  try {
    file = openSync(traceIndexFile(segment), 'r')
  } catch {
    // Segments of earlier versions have none; without it all of the segment is read.
    return null
  }
  try {
    const index = OpenIndex.open(file)
    return index && (await findAll(index, traceIds, pace))
  } catch (error) {
    if (error instanceof DamagedIndex) return null
    throw error
  } finally {
    closeSync(file)
  }
}

async function findAll(index: OpenIndex, traceIds: readonly string[], pace: Pace): Promise<readonly TraceTimes[]> {
  index.expect(traceIds.length)
  const found: TraceTimes[] = []
  for (const id of traceIds) {
    if (pace.isDue()) await pace.rest()
    const times = index.find(id)
    if (times) found.push(times)
  }
  return found
}
