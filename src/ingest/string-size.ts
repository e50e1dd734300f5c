// The longest UTF-8 of one UTF-16 code unit.
const MAX_BYTES_PER_UNIT = 3

/** Whether the string needs more bytes of UTF-8 than the limit; most strings are too short to be measured. */
export function isLonger(text: string, limitBytes: number): boolean {
  if (text.length * MAX_BYTES_PER_UNIT <= limitBytes) return false
  return text.length > limitBytes || Buffer.byteLength(text) > limitBytes
}

/** The text cut to at most so many bytes of UTF-8, never inside a character. */
export function truncateString(text: string, limitBytes: number): string {
  if (!isLonger(text, limitBytes)) return text
  // One code unit more than can be kept, so that a pair of surrogates is not torn before the bytes are counted.
  const bytes = Buffer.from(text.slice(0, limitBytes + 1))
  let end = Math.min(limitBytes, bytes.length)
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
