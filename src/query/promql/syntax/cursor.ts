const DIGIT = /^[0-9]$/
const ALPHA = /^[a-zA-Z_]$/

/** Whether a character is a decimal digit. */
export function isDigit(char: string): boolean {
  return DIGIT.test(char)
}

/** Whether names and keywords may begin with it. */
export function isAlpha(char: string): boolean {
  return ALPHA.test(char)
}

/** Whether a character is white space. */
export function isSpaceChar(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

/** A place in a string that is read from left to right. */
export class Cursor {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The character that is next; empty at the end. */
  get next(): string {
    const codePoint = this.text.codePointAt(this.at)
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint)
  }

  take(): string {
    const { next } = this
    this.at += next.length
    return next
  }

  /** Whether the next character is one of these. */
  isOneOf(chars: string): boolean {
    return this.at < this.text.length && chars.includes(this.text[this.at]!)
  }

  /** Takes the next character if it is one of these. */
  accept(chars: string): boolean {
    const isHere = this.isOneOf(chars)
    if (isHere) this.at++
    return isHere
  }

  takeWhile(isRequested: (char: string) => boolean): void {
    while (this.at < this.text.length && isRequested(this.text[this.at]!)) this.at++
  }
}
