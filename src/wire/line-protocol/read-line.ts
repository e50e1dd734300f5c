import { isDecimal } from '../../domain/decimal.js'
import type { Label } from '../../domain/metric-point.js'
import { BadSyntax, shown } from '../text-lines/read-lines.js'
import type { LineField, ProtocolLine } from './lines.js'

const INTEGER = /^[+-]?\d+$/
const UNSIGNED = /^\d+$/
const TRUE: ReadonlySet<string> = new Set(['t', 'T', 'true', 'True', 'TRUE'])
const FALSE: ReadonlySet<string> = new Set(['f', 'F', 'false', 'False', 'FALSE'])
const MAX_INT64 = 2n ** 63n - 1n
const MIN_INT64 = -(2n ** 63n)
const MAX_UINT64 = 2n ** 64n - 1n
/** Far more digits than any 64 bits have. */
const MAX_DIGITS = 30

type Parts = Omit<ProtocolLine, 'line'>

/**
 * Reads a line: `measurement[,tag=value...] field=value[,field=value...] [time]` (docs.influxdata.com/influxdb/v2/
 * reference/syntax/line-protocol). Throws `BadSyntax`.
 */
export function readLine(text: string): Parts {
  const cursor = new Cursor(text)
  const measurement = cursor.word(', ', ', ')
  if (measurement === '') throw new BadSyntax('missing measurement')
  const tags: Label[] = []
  while (cursor.take(',')) tags.push(readTag(cursor))
  cursor.spaces()
  const fields: LineField[] = []
  let strings = 0
  do {
    const field = readField(cursor)
    if (field === null) strings++
    else fields.push(field)
  } while (cursor.take(','))
  cursor.spaces()
  const time = cursor.rest().trimEnd()
  return { measurement, tags, fields, strings, time: time === '' ? null : readTime(time) }
}

function readTag(cursor: Cursor): Label {
  const name = cursor.word(',= ', '= ,')
  if (name === '') throw new BadSyntax('missing tag key')
  if (!cursor.take('=')) throw new BadSyntax('missing tag value')
  const value = cursor.word(', ', ',= ')
  if (value === '') throw new BadSyntax(`missing value of tag ${shown(name)}`)
  return { name, value }
}

/** Null for a string. */
function readField(cursor: Cursor): LineField | null {
  const key = cursor.word('=, ', ',= ')
  if (key === '') throw new BadSyntax('missing fields')
  if (!cursor.take('=')) throw new BadSyntax(`missing value of field ${shown(key)}`)
  if (cursor.peek() === '"') {
    cursor.string()
    return null
  }
  return { key, value: readNumber(cursor.word(', ', '')) }
}

function readNumber(text: string): number {
  if (TRUE.has(text)) return 1
  if (FALSE.has(text)) return 0
  if (isDecimal(text)) {
    const value = Number(text)
    if (Number.isFinite(value)) return value
    throw new BadSyntax(`${shown(text)} is out of range`)
  }
  const digits = text.slice(0, -1)
  if (text.endsWith('i') && INTEGER.test(digits)) return Number(within(digits, MIN_INT64, MAX_INT64))
  if (text.endsWith('u') && UNSIGNED.test(digits)) return Number(within(digits, 0n, MAX_UINT64))
  throw new BadSyntax(text === '' ? 'missing field value' : `${shown(text)} is not a field value`)
}

function within(digits: string, least: bigint, most: bigint): bigint {
  const value = digits.length > MAX_DIGITS ? most + 1n : BigInt(digits.replace('+', ''))
  if (value < least || value > most) throw new BadSyntax(`${shown(digits)} is out of range`)
  return value
}

function readTime(text: string): bigint {
  if (!INTEGER.test(text)) throw new BadSyntax(`${shown(text)} is not a timestamp`)
  return within(text, MIN_INT64, MAX_INT64)
}

/** Reads one line from left to right. */
class Cursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  peek(): string {
    return this.#text[this.#at] ?? ''
  }

  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  spaces(): void {
    while (this.#text[this.#at] === ' ') this.#at++
  }

  rest(): string {
    return this.#text.slice(this.#at)
  }

  /**
   * All up to one of the characters of `ends`. A backslash before one of `escapable` is not part of it; before any other
   * it is literal.
   */
  word(ends: string, escapable: string): string {
    let value = ''
    let from = this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!
      if (character === '\\') {
        const next = this.#text[this.#at + 1]
        if (next === undefined || !escapable.includes(next)) continue
        value += this.#text.slice(from, this.#at)
        from = ++this.#at
      } else if (ends.includes(character)) break
    }
    return value + this.#text.slice(from, this.#at)
  }

  /** Skips a string in quotes, in which a backslash escapes a quote or a backslash. */
  string(): void {
    const start = this.#at
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '\\') this.#at++
      else if (character === '"') {
        this.#at++
        return
      }
    }
    throw new BadSyntax(`the string ${shown(this.#text.slice(start))} is not terminated`)
  }
}
