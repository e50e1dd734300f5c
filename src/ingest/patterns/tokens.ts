/** Kinds of tokens; `domain/log-pattern` has their names. Those from `NUMBER` on are variable parts of a message; a template keeps their place only. */
export const WORD = 0
export const MARK = 1
export const GAP = 2
export const NUMBER = 3
export const IP = 4
export const UUID = 5
export const HEXADECIMAL = 6
export const PATH = 7
export const DURATION = 8
export const QUOTED = 9
export const TIMESTAMP = 10
/** Value of a `key=value` pair or of a member of JSON. */
export const VALUE = 11
export const HOST = 12
export const URL_KIND = 13
export const EMAIL = 14
/** A long or random-looking word. */
export const IDENTIFIER = 15
/** A word at a place that was found to vary. */
export const ANY_WORD = 16

/** Most tokens of a message that count; what follows is not part of its pattern. */
export const MAX_TOKENS = 192

/**
 * The tokens of one message, without their strings, and a key that equal token sequences share. One buffer serves one
 * message after another.
 */
export class TokenBuffer {
  readonly kinds = new Uint8Array(MAX_TOKENS)
  readonly starts = new Int32Array(MAX_TOKENS)
  readonly ends = new Int32Array(MAX_TOKENS)
  length = 0
  #high = 0
  #low = 0
  #lastHigh = 0
  #lastLow = 0
  /** State before the separators that follow a repeatable token; -1 when the last token is not repeatable. */
  #repeatable = -1
  #savedHigh = 0
  #savedLow = 0

  /** Empties the buffer; keys of two seeds do not compare. */
  clear(seed: number): void {
    this.length = 0
    this.#high = seed | 0
    this.#low = ~seed | 0
    this.#repeatable = -1
  }

  /** Whether another token would be ignored. */
  get isFull(): boolean {
    return this.length === MAX_TOKENS
  }

  /** 53 bits that equal sequences of kinds and constant words share. */
  get key(): number {
    return (this.#high >>> 0) * 0x200000 + (this.#low >>> 11)
  }

  /** Adds a blank or a punctuation mark. */
  addMark(kind: number, at: number, end: number, code: number): void {
    if (this.#repeatable >= 0 && ((code !== 32 && code !== 44) || this.length - this.#repeatable > 2)) this.#repeatable = -1
    this.#push(kind, at, end, code, code)
  }

  /** Adds a variable part. A list of them, separated by blanks and commas, counts as one. */
  addValue(kind: number, at: number, end: number): void {
    this.#addRepeatable(kind, at, end, kind + 0x10000, kind * 0x01000193)
  }

  /** Adds a word by two hashes of its characters. A list of one word with digits in it counts as one. */
  addWord(at: number, end: number, high: number, low: number, hasDigits: boolean): void {
    if (hasDigits) return this.#addRepeatable(WORD, at, end, high, low)
    this.#repeatable = -1
    this.#push(WORD, at, end, high, low)
  }

  #addRepeatable(kind: number, at: number, end: number, high: number, low: number): void {
    if (this.#repeatable >= 0 && this.length > this.#repeatable && this.#lastHigh === high && this.#lastLow === low) {
      this.length = this.#repeatable
      this.#high = this.#savedHigh
      this.#low = this.#savedLow
      return
    }
    this.#push(kind, at, end, high, low)
    this.#repeatable = this.length
    this.#savedHigh = this.#high
    this.#savedLow = this.#low
    this.#lastHigh = high
    this.#lastLow = low
  }

  #push(kind: number, at: number, end: number, high: number, low: number): void {
    const index = this.length
    if (index === MAX_TOKENS) return
    this.kinds[index] = kind
    this.starts[index] = at
    this.ends[index] = end
    this.length = index + 1
    this.#high = Math.imul(this.#high ^ high, 0x85ebca6b) + index
    this.#high ^= this.#high >>> 15
    this.#low = Math.imul(this.#low + low, 0xc2b2ae35) ^ (kind + 1)
    this.#low ^= this.#low >>> 13
  }
}
