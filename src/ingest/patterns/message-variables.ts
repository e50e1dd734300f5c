import { VARIABLE } from '../../domain/log-pattern.js'
import { MessageScanner } from './message-scanner.js'
import { GAP, NUMBER, WORD } from './tokens.js'

/** Reads the variable parts of messages at the places where a template has them. */
export class MessageVariables {
  readonly #scanner = new MessageScanner()
  readonly #tokens: readonly string[]

  /** `tokens` are those of the template. */
  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  /** The variable parts of a message, in the order of the template; null for a message that the template does not cover. Of a list, the first. */
  of(message: string): readonly string[] | null {
    this.#scanner.scan(message)
    const { length, starts, ends } = this.#scanner.tokens
    if (length !== this.#tokens.length) return null
    const values: string[] = []
    for (let i = 0; i < length; i++) {
      if (this.#tokens[i] === VARIABLE) values.push(message.slice(starts[i], ends[i]))
      else if (!this.#isSame(message, i)) return null
    }
    return values
  }

  #isSame(message: string, i: number): boolean {
    const { kinds, starts } = this.#scanner.tokens
    const kind = kinds[i]!
    if (kind >= NUMBER) return false
    if (kind === WORD) return this.#scanner.wordText(i) === this.#tokens[i]
    return this.#tokens[i] === (kind === GAP ? ' ' : message[starts[i]!])
  }
}
