import { isDecimal } from '../../domain/decimal.js'
import type { Label } from '../../domain/metric-point.js'
import { BadSyntax, shown } from '../text-lines/read-lines.js'

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y
const LABEL_NAME = /[a-zA-Z_][a-zA-Z0-9_]*/y
const BLANKS = /[ \t]*/y
const TOKEN = /[^ \t]+/y
const INFINITE = /^([+-]?)inf(?:inity)?$/i
const NAN = /^[+-]?nan$/i
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n' }

/** Reads one line from left to right. */
export class LineScanner {
  readonly #text: string
  #at = 0

  constructor(text: string, from = 0) {
    this.#text = text
    this.#at = from
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Passes over spaces and tabs. */
  blanks(): this {
    this.#match(BLANKS)
    return this
  }

  /** Whether the character is next; takes it. */
  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  peek(): string {
    return this.#text[this.#at] ?? ''
  }

  /** What is left of the line. */
  rest(): string {
    const rest = this.#text.slice(this.#at)
    this.#at = this.#text.length
    return rest
  }

  /** All up to the next blank; empty at the end. */
  token(): string {
    return this.#match(TOKEN)
  }

  /** Name of a metric, plain or in quotes. */
  metricName(): string {
    const name = this.peek() === '"' ? this.quoted() : this.#match(NAME)
    if (name === '') throw this.fault('the name of a metric')
    return name
  }

  /** `"text"` with the escapes `\\`, `\"` and `\n`. */
  quoted(): string {
    if (!this.take('"')) throw this.fault('a quoted string')
    let value = ''
    for (let from = this.#at; ; this.#at++) {
      const character = this.#text[this.#at]
      if (character === undefined) throw new BadSyntax('a quoted string is not terminated')
      if (character === '"') {
        value += this.#text.slice(from, this.#at)
        this.#at++
        return value
      }
      if (character !== '\\') continue
      const escaped = this.#text[this.#at + 1] ?? ''
      const meant = ESCAPES[escaped]
      if (meant === undefined) throw new BadSyntax(`\\${escaped} is not an escape sequence`)
      value += this.#text.slice(from, this.#at) + meant
      this.#at++
      from = this.#at + 1
    }
  }

  /**
   * Labels in braces, a trailing comma allowed. `name` is that of the metric if it is in the braces, in quotes
   * (`{"my.metric",a="b"}`).
   */
  labels(): { readonly labels: Label[]; readonly name: string | null } {
    if (!this.take('{')) throw this.fault('{')
    const labels: Label[] = []
    let name: string | null = null
    for (;;) {
      if (this.blanks().take('}')) return { labels, name }
      const isQuoted = this.peek() === '"'
      const label = isQuoted ? this.quoted() : this.#match(LABEL_NAME)
      if (label === '') throw this.fault('the name of a label or }')
      if (this.blanks().take('=')) labels.push({ name: label, value: this.blanks().quoted() })
      else if (isQuoted && name === null) name = label
      else throw this.fault('=')
      if (!this.blanks().take(',') && this.peek() !== '}') throw this.fault(', or }')
    }
  }

  /** A number as Go reads it, but no hexadecimal one. */
  number(): number {
    const text = this.token()
    if (isDecimal(text)) return Number(text)
    const infinite = INFINITE.exec(text)
    if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
    if (NAN.test(text)) return Number.NaN
    throw new BadSyntax(`${shown(text)} is not a number`)
  }

  /** Throws unless the line has ended. */
  end(): void {
    if (!this.blanks().isAtEnd) throw this.fault('the end of the line')
  }

  fault(expected: string): BadSyntax {
    const rest = this.#text.slice(this.#at)
    return new BadSyntax(`expected ${expected}, found ${rest === '' ? 'the end of the line' : shown(rest)}`)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }
}
