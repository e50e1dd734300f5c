import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { blockBytes, BLOCKS, CRC_BYTES, GRAM_INDEX_MAGIC, gramIndexFile, HEADER_BYTES, SLOTS_PER_BLOCK } from '../gram-index.js'

/** The open index of a segment. Reads are of a page or two, mostly in memory, and cost less than handing them to a thread. */
export class OpenGramIndex {
  readonly rowGroups: number
  /** Of each row group but perhaps the last. */
  readonly rowsPerGroup: number
  readonly #file: number

  private constructor(file: number, rowGroups: number, rowsPerGroup: number) {
    this.#file = file
    this.rowGroups = rowGroups
    this.rowsPerGroup = rowsPerGroup
  }

  /** Null when the segment has none, or one that is damaged. */
  static open(segment: string): OpenGramIndex | null {
    let file: number
    try {
      file = openSync(gramIndexFile(segment), 'r')
    } catch {
      // Small segments have none; without it all of the segment is read.
      return null
    }
    const index = OpenGramIndex.#read(file)
    if (!index) closeSync(file)
    return index
  }

  static #read(file: number): OpenGramIndex | null {
    const header = Buffer.alloc(HEADER_BYTES)
    if (readSync(file, header, 0, HEADER_BYTES, 0) !== HEADER_BYTES || !GRAM_INDEX_MAGIC.equals(header.subarray(0, 8)))
      return null
    if (crc32(header.subarray(0, HEADER_BYTES - CRC_BYTES)) !== header.readUInt32LE(HEADER_BYTES - CRC_BYTES)) return null
    const rowGroups = header.readUInt32LE(GRAM_INDEX_MAGIC.length)
    const isWhole = fstatSync(file).size === HEADER_BYTES + BLOCKS * blockBytes(rowGroups)
    return isWhole ? new OpenGramIndex(file, rowGroups, header.readUInt32LE(GRAM_INDEX_MAGIC.length + 4)) : null
  }

  /** For each row group whether it may contain all of these grams; null when that cannot be read. */
  groupsWith(slots: readonly number[]): readonly boolean[] | null {
    let groups = Array.from({ length: this.rowGroups }, () => true)
    for (const slot of slots) {
      const block = this.#block(Math.floor(slot / SLOTS_PER_BLOCK))
      if (!block) return null
      const first = (slot % SLOTS_PER_BLOCK) * this.rowGroups
      groups = groups.map((may, i) => may && (block[(first + i) >> 3]! & (1 << ((first + i) & 7))) !== 0)
      if (!groups.includes(true)) break
    }
    return groups
  }

  #block(number: number): Buffer | null {
    const bytes = Buffer.allocUnsafe(blockBytes(this.rowGroups))
    const read = readSync(this.#file, bytes, 0, bytes.length, HEADER_BYTES + number * bytes.length)
    const bits = bytes.subarray(CRC_BYTES)
    return read === bytes.length && crc32(bits) === bytes.readUInt32LE(0) ? bits : null
  }

  close(): void {
    closeSync(this.#file)
  }
}
