import { VARIABLE } from '../../domain/log-pattern.js'

/**
 * Hashes of a template and of its contexts: all of it but one token. Hashes of tokens are added, so that leaving one out
 * takes one subtraction.
 */
export class Signature {
  readonly #highs: Int32Array
  readonly #lows: Int32Array
  #high: number
  #low: number

  constructor(tokens: readonly string[]) {
    const { length } = tokens
    this.#highs = new Int32Array(length)
    this.#lows = new Int32Array(length)
    this.#high = this.#low = length
    for (let i = 0; i < length; i++) {
      let high = 0x811c9dc5
      let low = 7
      const token = tokens[i]!
      for (let c = 0; c < token.length; c++) {
        const code = token.charCodeAt(c)
        high = Math.imul(high ^ code, 0x01000193)
        low = (Math.imul(low, 31) + code) | 0
      }
      this.#highs[i] = mix(high, i)
      this.#lows[i] = mix(low, ~i)
      this.#high = (this.#high + this.#highs[i]!) | 0
      this.#low = (this.#low + this.#lows[i]!) | 0
    }
  }

  /** Key of the template. */
  get key(): number {
    return join(this.#high, this.#low)
  }

  /** Key that templates share which differ in the token at a position only. */
  contextKey(at: number): number {
    return join(this.#high - this.#highs[at]! + Math.imul(at + 1, 0x9e3779b1), this.#low - this.#lows[at]! - at)
  }
}

function mix(hash: number, at: number): number {
  let mixed = Math.imul(hash ^ Math.imul(at + 1, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function join(high: number, low: number): number {
  return (high >>> 0) * 0x200000 + ((low >>> 11) ^ (low & 0x1fffff))
}

const HAS_LETTER = /\p{L}/u

/** Whether a token is a word, which may vary, and not punctuation. */
export function isWord(token: string): boolean {
  return token !== VARIABLE && HAS_LETTER.test(token)
}
