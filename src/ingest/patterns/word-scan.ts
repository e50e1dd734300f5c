import { BLANK, classOf, CLOSER, DIGIT, HEX, JOINT, LETTER, runEnd } from './chars.js'

/** Longest word that a template keeps; a longer one is an identifier. */
export const MAX_WORD = 128
/** Replaces a run of digits: `DIGITS` of `domain/log-pattern`. */
const DIGITS_MARK = 2

const DOT = 46
const DASH = 45
const UNDERSCORE = 95
const AT = 64
const COLON = 58
const EQUALS = 61
/** Where both hashes of a word begin. */
const HIGH = 0x811c9dc5
const LOW = 7
/** Changes between letters and digits within one run of both, from which a word looks random: `a1b2c`. */
const RANDOM_CHANGES = 4

/** Last labels of names of hosts that need no more than one dot. */
const TOP_LEVELS: ReadonlySet<string> = new Set([
  'com',
  'net',
  'org',
  'edu',
  'gov',
  'mil',
  'info',
  'local',
  'internal',
  'lan',
  'io',
  'arpa',
  'corp'
])
/** Extensions of files that look like the label of a country. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  'py',
  'rs',
  'sh',
  'js',
  'ts',
  'so',
  'md',
  'pl',
  'cs',
  'cc',
  'ps',
  'gz',
  'tf',
  'vb'
])

function isJoint(code: number): boolean {
  return code === DOT || code === DASH || code === UNDERSCORE
}

/**
 * Reads one word of a message, with every run of digits replaced by a mark. Digits that follow in the same word behind
 * at most two letters (`attempt_12_0020_m_000001`) belong to the first run: they are parts of one id.
 */
export class WordScan {
  readonly #masked = new Uint16Array(MAX_WORD)
  #length = 0
  #changes = 0
  /** Where the word ends. */
  end = 0
  hasDigits = false
  hasLetters = false
  dots = 0
  /** Position of an `@` within the word, or -1. */
  atSign = -1
  /** Two hashes of the masked word. */
  high = HIGH
  low = LOW

  /**
   * Reads the word at a position when it is of letters alone, and what follows makes nothing else of it: most words are such,
   * and one look at each character is enough. False for other words, which `scan` reads.
   */
  scanPlain(text: string, at: number, limit: number): boolean {
    let high = HIGH
    let low = LOW
    let end = at
    for (; end < limit; end++) {
      const code = text.charCodeAt(end)
      if ((classOf(code) & LETTER) === 0) break
      high = Math.imul(high ^ code, 0x01000193)
      low = (Math.imul(low, 31) + code) | 0
    }
    if (end - at > MAX_WORD || !endsPlainWord(text, end)) return false
    this.end = end
    this.high = high
    this.low = low
    this.hasDigits = false
    return true
  }

  /** Reads the word at a position; it has at least one character. */
  scan(text: string, at: number, limit: number): void {
    this.#reset()
    const end = this.#findEnd(text, at, limit)
    this.end = end
    let digitsEnd = -1
    let lengthAtDigits = 0
    let last = 0
    let changes = 0
    for (let i = at; i < end; i++) {
      const code = text.charCodeAt(i)
      const bits = classOf(code)
      if ((bits & DIGIT) !== 0) {
        if (last === LETTER) changes++
        last = DIGIT
        this.hasDigits = true
        if (digitsEnd >= 0 && isIdTail(text, digitsEnd, i)) this.#length = lengthAtDigits
        else this.#put(DIGITS_MARK)
        i = runEnd(text, i, end, DIGIT) - 1
        digitsEnd = i + 1
        lengthAtDigits = this.#length
        continue
      }
      if ((bits & LETTER) !== 0) {
        if (last === DIGIT) changes++
        last = LETTER
        this.hasLetters = true
      } else {
        if (changes > this.#changes) this.#changes = changes
        last = changes = 0
        if (code === DOT) this.dots++
        else if (code === AT) this.atSign = i
        else if (code === DASH && isSign(text, at, i)) continue
      }
      this.#put(code)
    }
    if (changes > this.#changes) this.#changes = changes
    this.#hash()
  }

  #hash(): void {
    let high = HIGH
    let low = LOW
    const length = Math.min(this.#length, MAX_WORD)
    for (let i = 0; i < length; i++) {
      const code = this.#masked[i]!
      high = Math.imul(high ^ code, 0x01000193)
      low = (Math.imul(low, 31) + code) | 0
    }
    this.high = high
    this.low = low
  }

  #reset(): void {
    this.#length = this.#changes = this.dots = 0
    this.hasDigits = this.hasLetters = false
    this.atSign = -1
  }

  #put(code: number): void {
    if (this.#length < MAX_WORD) this.#masked[this.#length] = code
    this.#length++
  }

  /** Dots and dashes at the end of a word are punctuation. */
  #findEnd(text: string, at: number, limit: number): number {
    let end = runEnd(text, at, limit, LETTER | DIGIT | JOINT)
    if (text.charCodeAt(end) === AT && (classOf(text.charCodeAt(end + 1)) & (LETTER | DIGIT)) !== 0) {
      end = runEnd(text, end + 1, limit, LETTER | DIGIT | JOINT)
    }
    while (end > at + 1 && (text.charCodeAt(end - 1) === DOT || text.charCodeAt(end - 1) === DASH)) end--
    return end
  }

  /** Whether the word names nothing but itself: too long, or letters and digits alternate. */
  get isIdentifier(): boolean {
    return this.#length > MAX_WORD || this.#changes >= RANDOM_CHANGES
  }

  /** Whether the word is a domain name: labels that end in one of those that names of hosts end in. */
  isHost(text: string, at: number): boolean {
    if (this.dots === 0 || !this.hasLetters) return false
    const lastDot = text.lastIndexOf('.', this.end - 1)
    const label = text.slice(lastDot + 1, this.end)
    if (label.length < 2 || label.length > 8) return false
    const isShort = label.length === 2 && this.dots > 1 && !EXTENSIONS.has(label) && isLowerCase(label)
    return (isShort || TOP_LEVELS.has(label)) && hasLabelsOnly(text, at, this.end)
  }

  /** The masked word. */
  get text(): string {
    let text = ''
    for (let i = 0; i < this.#length; i++) text += String.fromCharCode(this.#masked[i]!)
    return text
  }
}

/** Whether nothing that follows belongs to a word of letters that ends at a position, or makes an address of it. */
function endsPlainWord(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  const bits = classOf(code)
  if ((bits & (BLANK | CLOSER)) !== 0 || code === EQUALS) return true
  return (code === COLON || code === DOT) && (classOf(text.charCodeAt(end + 1)) & BLANK) !== 0
}

/** A dash before digits that separates nothing: `blk_-123`. */
function isSign(text: string, at: number, dash: number): boolean {
  if ((classOf(text.charCodeAt(dash + 1)) & DIGIT) === 0) return false
  return dash === at || (classOf(text.charCodeAt(dash - 1)) & (DIGIT | LETTER)) === 0
}

/** Whether nothing but a joint, up to two letters and another joint is between two runs of digits. */
function isIdTail(text: string, from: number, to: number): boolean {
  if (to - from > 4 || !isJoint(text.charCodeAt(from))) return false
  const letters = runEnd(text, from + 1, to, LETTER)
  if (letters - from > 3) return false
  return letters === to || (letters === to - 1 && isJoint(text.charCodeAt(letters)))
}

function isLowerCase(label: string): boolean {
  const first = label.charCodeAt(0)
  const second = label.charCodeAt(1)
  return first >= 97 && first <= 122 && second >= 97 && second <= 122
}

function hasLabelsOnly(text: string, at: number, end: number): boolean {
  let isEmpty = true
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      if (isEmpty) return false
      isEmpty = true
    } else {
      if (code !== DASH && (classOf(code) & (LETTER | DIGIT | HEX)) === 0) return false
      isEmpty = false
    }
  }
  return !isEmpty
}
