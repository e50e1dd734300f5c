import type { IngestId } from './ids.js'

// ULID: 48 bits of Unix milliseconds and 80 bits of randomness, Crockford base 32 (github.com/ulid/spec).
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARS = 10
const RANDOM_CHARS = 16
// Drawing costs much the same for one id and for many.
const IDS_PER_DRAW = 64
const VALUES: Readonly<Record<string, number>> = Object.fromEntries([...ALPHABET].map((c, i) => [c, i]))

function encodeTime(ms: number): string {
  let rest = ms
  let text = ''
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** No ULID of this millisecond or a later one sorts below it; every one of an earlier millisecond does. */
export function firstUlidAt(ms: number): string {
  return encodeTime(ms)
}

function increment(digits: number[]): boolean {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i]! < 31) {
      digits[i]!++
      return true
    }
    digits[i] = 0
  }
  return false
}

/**
 * Returns a maker of strictly increasing ULIDs: within one millisecond, and while the clock stalls or moves
 * backwards, the random part of the last id is incremented instead.
 * @param nowMs Unix milliseconds. @param randomBytes cryptographically random bytes.
 */
export function createUlidSource(nowMs: () => number, randomBytes: (n: number) => Uint8Array): () => IngestId {
  let lastMs = -1
  let prefix = ''
  let digits: number[] = []
  let drawn = new Uint8Array(0)
  let used = 0
  const draw = (): number[] => {
    if (used === drawn.length) {
      drawn = Uint8Array.from(randomBytes(RANDOM_CHARS * IDS_PER_DRAW))
      used = 0
    }
    return Array.from(drawn.subarray(used, (used += RANDOM_CHARS)), byte => byte & 31)
  }
  return () => {
    const ms = nowMs()
    if (ms > lastMs || !increment(digits)) {
      lastMs = Math.max(ms, lastMs + (ms > lastMs ? 0 : 1))
      prefix = encodeTime(lastMs)
      digits = draw()
    }
    let random = ''
    for (const digit of digits) random += ALPHABET[digit]!
    return (prefix + random) as IngestId
  }
}

/** The ULID of a time in Unix milliseconds whose other 80 bits are the last five bits of each of `bytes`' first 16. */
export function ulidOf(ms: number, bytes: Uint8Array): IngestId {
  let text = encodeTime(ms)
  for (let i = 0; i < RANDOM_CHARS; i++) text += ALPHABET[bytes[i]! & 31]!
  return text as IngestId
}

/** Unix milliseconds at which the id was made. */
export function ulidTimeMs(id: string): number {
  let ms = 0
  for (let i = 0; i < TIME_CHARS; i++) ms = ms * 32 + (VALUES[id[i]!] ?? 0)
  return ms
}
