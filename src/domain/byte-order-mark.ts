/** The bytes behind the byte order mark of UTF-8, which some programs write in front of JSON (RFC 8259, section 8.1: may be ignored). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
