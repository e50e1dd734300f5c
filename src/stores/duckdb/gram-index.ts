import { caseVariants } from '../../domain/case-folding.js'

/**
 * A large segment of logs has an index file of its messages: which row groups hold a run of five characters (a gram), of
 * ASCII and case-insensitive. A row group that lacks one gram of a string has no row with that string; whether a row has
 * it, only the row shows.
 *
 * `[8 magic][u32 row groups][u32 rows of each but the last][u32 crc32 of these]`, then blocks `[u32 crc32][bits]`, little
 * endian. A gram has one of 2^19 slots, of which a block holds 256: for each one bit a row group.
 */
export const GRAM_INDEX_MAGIC = Buffer.from('alidgrm1')
export const HEADER_BYTES = 20
export const CRC_BYTES = 4
// Of 51 characters a message, 32,768 rows have some 160,000 different grams: 30 % of the slots, for two bytes a log.
const SLOT_BITS = 19
export const SLOTS = 2 ** SLOT_BITS
export const SLOTS_PER_BLOCK = 256
export const BLOCKS = SLOTS / SLOTS_PER_BLOCK

const GRAM_CHARS = 5

/** The path of the index of a segment. */
export function gramIndexFile(segment: string): string {
  return `${segment}.grams`
}

/** Bytes of a block, its sum among them. */
export function blockBytes(rowGroups: number): number {
  return CRC_BYTES + (SLOTS_PER_BLOCK / 8) * rowGroups
}

// What a character counts as: its small letter; 0 for those that no gram holds.
const CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e) return 0
  return String.fromCharCode(byte).toLowerCase().charCodeAt(0)
})

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
/** Letters beyond ASCII that fold to one of ASCII (the long s, the Kelvin sign): grams of a string that has one are not all here. */
export const STRANGERS = LETTERS.flatMap(letter => caseVariants(letter).filter(variant => variant > '\u{7f}')).map(char =>
  Buffer.from(char)
)

/** Calls `visit` with the slot of each gram of a string in UTF-8. */
export function forEachGram(text: Uint8Array, visit: (slot: number) => void): void {
  let last = 0
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = CODES[text[i]!]!
    if (code === 0) {
      length = 0
      continue
    }
    // `last` holds the four characters before this one.
    if (++length >= GRAM_CHARS) visit((Math.imul(last, 0x9e3779b1) + Math.imul(code, 0x85ebca6b)) >>> (32 - SLOT_BITS))
    last = (last << 8) | code
  }
}
