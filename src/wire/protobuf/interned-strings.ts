const INTERNED_SLOTS = 4096
/** Longer strings are hardly ever the same again. */
const INTERNED_BYTES = 64
/** Bytes at the beginning of a string, and at its end, that decide where it is kept. */
const HASHED_BYTES = 8

/** Strings that come again and again in a body, attribute names above all: found by their bytes instead of decoded again. */
export class InternedStrings {
  readonly #slots = Array<string>(INTERNED_SLOTS).fill('')

  /** The string in `[start, end)`. Bytes that are not UTF-8 become U+FFFD. */
  text(bytes: Buffer, start: number, end: number): string {
    if (start === end) return ''
    if (end - start > INTERNED_BYTES) return bytes.toString('utf8', start, end)
    const slot = slotOf(bytes, start, end)
    const known = this.#slots[slot]!
    if (isSame(known, bytes, start, end)) return known
    const text = bytes.toString('utf8', start, end)
    // Only ASCII has as many code units as bytes: of `é`, kept for its two bytes, the single byte E9 would be taken to be the same.
    if (text.length === end - start) this.#slots[slot] = text
    return text
  }
}

/** Both ends differ for most strings. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  const head = Math.min(end, start + HASHED_BYTES)
  const tail = Math.max(head, end - HASHED_BYTES)
  let hash = end - start
  for (let i = start; i < head; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  for (let i = tail; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return (hash ^ (hash >>> 15)) & (INTERNED_SLOTS - 1)
}

/** Whether a text of ASCII has these bytes. */
function isSame(known: string, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false
  for (let i = 0; i < known.length; i++) if (known.charCodeAt(i) !== bytes[start + i]) return false
  return true
}
