const WORD_DIGITS = 8
const V4_MAPPED_WORDS = [0, 0, 0, 0, 0, 0xffff]

/** The bytes of a word that the kernel printed as a number of the machine. */
function bytesOf(word: string, isLittleEndian: boolean): readonly number[] {
  const bytes = [0, 2, 4, 6].map(at => Number.parseInt(word.slice(at, at + 2), 16))
  return isLittleEndian ? bytes.toReversed() : bytes
}

/** Where the longest run of zeros of an address is, of two groups at least (RFC 5952, section 4.2). */
function longestZeros(groups: readonly number[]): { readonly at: number; readonly length: number } {
  let best = { at: -1, length: 1 }
  for (let at = 0; at < groups.length; at++) {
    let length = 0
    while (groups[at + length] === 0) length++
    if (length > best.length) best = { at, length }
  }
  return best
}

/** An IPv6 address of eight groups as RFC 5952 writes it. */
function ipv6(groups: readonly number[]): string {
  if (V4_MAPPED_WORDS.every((word, i) => groups[i] === word)) {
    const [high = 0, low = 0] = groups.slice(6)
    return `::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const text = (some: readonly number[]): string => some.map(group => group.toString(16)).join(':')
  const { at, length } = longestZeros(groups)
  return at < 0 ? text(groups) : `${text(groups.slice(0, at))}::${text(groups.slice(at + length))}`
}

/** An address of `/proc/net/tcp` and its like: hexadecimal words of the machine's byte order. Null for any other string. */
export function parseHexAddress(hex: string, isLittleEndian: boolean): string | null {
  if (!/^(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{32})$/.test(hex)) return null
  const words = Array.from({ length: hex.length / WORD_DIGITS }, (_, i) => hex.slice(i * WORD_DIGITS, (i + 1) * WORD_DIGITS))
  const bytes = words.flatMap(word => bytesOf(word, isLittleEndian))
  if (bytes.length === 4) return bytes.join('.')
  return ipv6(Array.from({ length: 8 }, (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!))
}
