import { BLANK, CLOSER, classOf, DIGIT, HEX, isAlnumAt, isDigitAt, JOINT, LETTER, runEnd } from './chars.js'
import { afterEscape, closingQuote, isMixedHex, portEnd } from './extents.js'
import { headEnd, headStart } from './message-head.js'
import { DURATION, EMAIL, GAP, HEXADECIMAL, HOST, IDENTIFIER, IP, MARK, NUMBER, PATH, QUOTED } from './tokens.js'
import { TIMESTAMP, TokenBuffer, URL_KIND, UUID, VALUE, WORD } from './tokens.js'
import { clockEnd, colonGroupsEnd, dashPairsEnd, dateEnd, digitsEnd, endsNumber, ip4End, isTimeUnit } from './value-ends.js'
import { numberTailEnd, pathEnd, prefixedHexEnd, urlEnd, uuidEnd } from './value-ends.js'
import { WordScan } from './word-scan.js'

const QUOTE = 34
const AMPERSAND = 38
const PLUS = 43
const DASH = 45
const DOT = 46
const SLASH = 47
const COLON = 58
const EQUALS = 61
const BACKSLASH = 92
/** Of a run of one punctuation mark, so many count: `:` and `::` differ, a drawn line has one length. */
const MAX_REPEATS = 3
/** Shortest hexadecimal number without a prefix. */
const MIN_HEX = 6

/** Keys whose value is the sentence of a structured message: it is read, not replaced. */
const MESSAGE_KEYS: ReadonlySet<string> = new Set(['msg', 'message', 'event', 'text', 'error', 'err'])

/** What is known of the value that comes next. */
const NO_VALUE = 0
const AFTER_EQUALS = 1
const AFTER_MEMBER = 2

/**
 * Splits messages into tokens: words, punctuation, and variable parts by their kind. Holds the tokens of the last
 * message; linear in the length of its head, with a bounded number of tokens.
 */
export class MessageScanner {
  readonly tokens = new TokenBuffer()
  readonly #word = new WordScan()
  readonly #seed: number
  #text = ''
  #expects = NO_VALUE
  /** The last token is the name of a member of JSON. */
  #isMember = false
  #isMessageKey = false
  /** Where the quoted sentence of a structured message closes; -1 when none is open. */
  #sentenceEnd = -1

  /** `seed` changes the keys, so that no sender can choose messages whose keys are equal. */
  constructor(seed = 0) {
    this.#seed = seed
  }

  /** Fills `tokens` from the head of a message, and returns its key. */
  scan(message: string): number {
    const { tokens } = this
    this.#text = message
    const start = headStart(message)
    const end = headEnd(message, start)
    this.#expects = NO_VALUE
    this.#isMember = this.#isMessageKey = false
    this.#sentenceEnd = -1
    tokens.clear(this.#seed)
    let at = start
    while (at < end && !tokens.isFull) at = this.#next(at, end)
    return tokens.key
  }

  /** The masked form of a word of the last message. */
  wordText(index: number): string {
    this.#word.scan(this.#text, this.tokens.starts[index]!, this.tokens.ends[index]!)
    return this.#word.text
  }

  #next(at: number, end: number): number {
    const text = this.#text
    const code = text.charCodeAt(at)
    const bits = classOf(code)
    if ((bits & BLANK) !== 0) return this.#blank(at, end)
    if (this.#expects !== NO_VALUE) {
      const next = this.#value(at, end, code)
      if (next >= 0) return next
    }
    this.#isMember = false
    if ((bits & LETTER) !== 0) return this.#letters(at, end, bits)
    if ((bits & DIGIT) !== 0) return this.#number(at, end)
    if (code === QUOTE) return this.#quoted(at, end)
    if (code === SLASH) return this.#slash(at, end)
    if ((code === DASH || code === PLUS) && isDigitAt(text, at + 1) && !isAlnumAt(text, at - 1)) return this.#signed(at, end)
    if (code === COLON) return this.#colon(at, end)
    if (code === DOT || (bits & JOINT) !== 0) {
      const follows = text.charCodeAt(at + 1)
      if (isAlnumAt(text, at + 1) && at + 1 < end && follows !== code) return this.#addWord(at, end)
    }
    return this.#mark(at, end, code)
  }

  #blank(at: number, end: number): number {
    const text = this.#text
    let next = at
    while (next < end && (classOf(text.charCodeAt(next)) & BLANK) !== 0) next = afterEscape(text, next, end)
    if (this.#expects === AFTER_EQUALS) {
      this.#expects = NO_VALUE
      if (!this.#isMessageKey) this.tokens.addValue(VALUE, at, at)
    }
    if (next < end && this.tokens.length > 0) this.tokens.addMark(GAP, at, next, 32)
    return next
  }

  #mark(at: number, end: number, code: number): number {
    const text = this.#text
    let next = at + 1
    while (next < end && text.charCodeAt(next) === code && next - at < MAX_REPEATS) next++
    const { tokens } = this
    const last = tokens.length - 1
    const isKey = code === EQUALS && next === at + 1 && last >= 0 && tokens.kinds[last] === WORD && tokens.ends[last] === at
    if (isKey) {
      this.#isMessageKey = this.#isMessageName(tokens.starts[last]!, at)
      this.#expects = AFTER_EQUALS
    }
    for (let i = at; i < next; i++) tokens.addMark(MARK, i, i + 1, code)
    while (next < end && text.charCodeAt(next) === code && next - at >= MAX_REPEATS) next++
    if (isKey && next === end && !this.#isMessageKey) tokens.addValue(VALUE, end, end)
    return next
  }

  #isMessageName(at: number, end: number): boolean {
    return end - at <= 7 && end - at >= 3 && MESSAGE_KEYS.has(this.#text.slice(at, end))
  }

  /** The value behind `key=` or of a member; -1 when it has a structure of its own, or is a sentence. */
  #value(at: number, end: number, code: number): number {
    const text = this.#text
    const isMember = this.#expects === AFTER_MEMBER
    this.#expects = NO_VALUE
    if (code === QUOTE) {
      const close = closingQuote(text, at, end)
      if (close < 0) return -1
      if (this.#isMessageKey) {
        this.tokens.addMark(MARK, at, at + 1, QUOTE)
        this.#sentenceEnd = close
        return at + 1
      }
      this.tokens.addValue(QUOTED, at, close + 1)
      return close + 1
    }
    if (this.#isMessageKey && !isMember) return -1
    if ((classOf(code) & CLOSER) !== 0 || code === EQUALS) return -1
    let next = at
    while (next < end) {
      const follows = text.charCodeAt(next)
      if ((classOf(follows) & (BLANK | CLOSER)) !== 0 || follows === AMPERSAND) break
      next++
    }
    if (next === at) return -1
    this.tokens.addValue(VALUE, at, next)
    return next
  }

  #quoted(at: number, end: number): number {
    const text = this.#text
    const { tokens } = this
    const close = at <= this.#sentenceEnd ? -1 : closingQuote(text, at, end)
    if (close < 0) {
      tokens.addMark(MARK, at, at + 1, QUOTE)
      return at + 1
    }
    const colon = runEnd(text, close + 1, end, BLANK)
    if (text.charCodeAt(colon) !== COLON || colon >= end || close === at + 1) {
      tokens.addValue(QUOTED, at, close + 1)
      return close + 1
    }
    tokens.addMark(MARK, at, at + 1, QUOTE)
    this.#word.scan(text, at + 1, close)
    if (this.#word.end === close && !this.#word.isIdentifier) this.#pushWord(at + 1)
    else tokens.addValue(QUOTED, at + 1, close)
    tokens.addMark(MARK, close, close + 1, QUOTE)
    this.#isMember = true
    this.#isMessageKey = this.#isMessageName(at + 1, close)
    return this.#colon(colon, end)
  }

  #colon(at: number, end: number): number {
    if (this.#isMember) {
      this.#isMember = false
      this.#expects = AFTER_MEMBER
      this.tokens.addMark(MARK, at, at + 1, COLON)
      return at + 1
    }
    if (this.#text.charCodeAt(at + 1) === COLON && !isAlnumAt(this.#text, at - 1)) {
      const stop = colonGroupsEnd(this.#text, at, end)
      if (stop >= 0) return this.#add(IP, at, stop)
    }
    return this.#mark(at, end, COLON)
  }

  #slash(at: number, end: number): number {
    const text = this.#text
    if (isDigitAt(text, at + 1) && ip4End(text, at + 1) >= 0) return this.#mark(at, end, SLASH)
    const stop = pathEnd(text, at, end)
    return stop < 0 ? this.#mark(at, end, SLASH) : this.#add(PATH, at, stop)
  }

  #signed(at: number, end: number): number {
    const stop = numberTailEnd(this.#text, digitsEnd(this.#text, at + 1, end), end)
    if (endsNumber(this.#text, stop)) return this.#add(NUMBER, at, stop)
    if (this.#text.charCodeAt(at) === PLUS) return this.#mark(at, end, PLUS)
    return this.#addWord(at, end)
  }

  #number(at: number, end: number): number {
    const text = this.#text
    const digits = runEnd(text, at, end, DIGIT)
    const follows = text.charCodeAt(digits)
    if (follows === DASH || follows === SLASH) {
      const stop = dateEnd(text, at, end)
      if (stop >= 0) return this.#add(TIMESTAMP, at, stop)
    } else if (follows === COLON) {
      const stop = clockEnd(text, at, end)
      if (stop >= 0) return this.#add(TIMESTAMP, at, stop)
    } else if (follows === DOT) {
      const stop = ip4End(text, at)
      if (stop >= 0) return this.#add(IP, at, stop)
    } else if (digits === at + 1 && (follows | 32) === 120) {
      const stop = prefixedHexEnd(text, at, end)
      if (stop >= 0) return this.#add(HEXADECIMAL, at, stop)
    }
    const next = this.#hexadecimal(at, end)
    if (next >= 0) return next
    const number = digitsEnd(text, at, end)
    const tail = numberTailEnd(text, number, end)
    if (endsNumber(text, tail)) return this.#add(NUMBER, at, tail)
    const unit = runEnd(text, number, end, LETTER)
    if (!isAlnumAt(text, unit) && isTimeUnit(text, number, unit)) return this.#add(DURATION, at, unit)
    return this.#addWord(at, end)
  }

  /** What consists of hexadecimal digits and has no prefix: MAC and IPv6 addresses, UUIDs, hashes. */
  #hexadecimal(at: number, end: number): number {
    const text = this.#text
    const run = runEnd(text, at, end, HEX)
    const follows = text.charCodeAt(run)
    if (follows === COLON && run - at <= 4) {
      const stop = colonGroupsEnd(text, at, end)
      if (stop >= 0) return this.#add(IP, at, stop)
    }
    if (follows === DASH) {
      const uuid = run - at === 8 ? uuidEnd(text, at) : -1
      if (uuid >= 0) return this.#add(UUID, at, uuid)
      const pairs = run - at === 2 ? dashPairsEnd(text, at) : -1
      if (pairs >= 0) return this.#add(HEXADECIMAL, at, pairs)
    }
    if (run - at < MIN_HEX || isAlnumAt(text, run) || !isMixedHex(text, at, run)) return -1
    return this.#add(HEXADECIMAL, at, run)
  }

  #letters(at: number, end: number, bits: number): number {
    const word = this.#word
    if (word.scanPlain(this.#text, at, end)) {
      this.#pushWord(at)
      return word.end
    }
    if ((bits & HEX) !== 0) {
      const next = this.#hexadecimal(at, end)
      if (next >= 0) return next
    }
    return this.#addWord(at, end)
  }

  #addWord(at: number, end: number): number {
    const text = this.#text
    const word = this.#word
    word.scan(text, at, end)
    const stop = word.end
    const follows = text.charCodeAt(stop)
    if (follows === COLON && text.charCodeAt(stop + 1) === SLASH && text.charCodeAt(stop + 2) === SLASH) {
      return this.#add(URL_KIND, at, urlEnd(text, stop + 3, end))
    }
    if (follows === COLON && stop === at + 1 && text.charCodeAt(stop + 1) === BACKSLASH) {
      return this.#add(PATH, at, Math.max(pathEnd(text, stop + 1, end), stop + 2))
    }
    if (word.isIdentifier) return this.#add(IDENTIFIER, at, stop)
    if (word.atSign >= 0 && word.dots > 0) return this.#add(EMAIL, at, stop)
    if (word.isHost(text, at)) return this.#add(HOST, at, portEnd(text, stop))
    this.#pushWord(at)
    return stop
  }

  #pushWord(at: number): void {
    const word = this.#word
    this.tokens.addWord(at, word.end, word.high, word.low, word.hasDigits)
  }

  #add(kind: number, at: number, stop: number): number {
    this.tokens.addValue(kind, at, stop)
    return stop
  }
}
