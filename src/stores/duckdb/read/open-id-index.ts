import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import {
  blockBytes,
  blockOf,
  CRC_BYTES,
  FILTER_BYTES,
  forEachBit,
  HEADER_BYTES,
  ID_INDEX_MAGIC,
  idIndexFile,
  type IdHash
} from '../id-index.js'

/** The open index of a segment. Reads are of a page or two, mostly in memory, and cost less than handing them to a thread. */
export class OpenIdIndex {
  readonly rowGroups: number
  /** Of each row group but perhaps the last. */
  readonly rowsPerGroup: number
  readonly #blocks: number
  readonly #file: number

  private constructor(file: number, header: Buffer) {
    this.#file = file
    this.rowGroups = header.readUInt32LE(ID_INDEX_MAGIC.length)
    this.rowsPerGroup = header.readUInt32LE(ID_INDEX_MAGIC.length + 4)
    this.#blocks = header.readUInt32LE(ID_INDEX_MAGIC.length + 8)
  }

  /** Null when the segment has none, or one that is damaged. */
  static open(segment: string): OpenIdIndex | null {
    let file: number
    try {
      file = openSync(idIndexFile(segment), 'r')
    } catch {
      // Of earlier versions, or without ids; without it all of the segment is read.
      return null
    }
    const index = OpenIdIndex.#read(file)
    if (!index) closeSync(file)
    return index
  }

  static #read(file: number): OpenIdIndex | null {
    const header = Buffer.alloc(HEADER_BYTES)
    const isHeader = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES
    if (!isHeader || !ID_INDEX_MAGIC.equals(header.subarray(0, ID_INDEX_MAGIC.length))) return null
    if (crc32(header.subarray(0, HEADER_BYTES - CRC_BYTES)) !== header.readUInt32LE(HEADER_BYTES - CRC_BYTES)) return null
    const index = new OpenIdIndex(file, header)
    return fstatSync(file).size === HEADER_BYTES + index.#blocks * blockBytes(index.rowGroups) ? index : null
  }

  /** For each row group whether it may have an id with this hash; null when that cannot be read. */
  groupsWith({ high, low }: IdHash): readonly boolean[] | null {
    const bytes = Buffer.allocUnsafe(blockBytes(this.rowGroups))
    const at = HEADER_BYTES + blockOf(high, this.#blocks) * bytes.length
    if (readSync(this.#file, bytes, 0, bytes.length, at) !== bytes.length) return null
    const filters = bytes.subarray(CRC_BYTES)
    if (crc32(filters) !== bytes.readUInt32LE(0)) return null
    return Array.from({ length: this.rowGroups }, (_, group) => {
      let mayHave = true
      forEachBit(low, (byte, mask) => (mayHave = (filters[group * FILTER_BYTES + byte]! & mask) !== 0))
      return mayHave
    })
  }

  close(): void {
    closeSync(this.#file)
  }
}
