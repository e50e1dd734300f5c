import { allOf, anyOf, type Filter } from '../../domain/filter.js'
import { isKnown, type Vocabulary } from '../vocabulary.js'
import { leaf, ValueFault } from './leaf.js'
import { Lexer, type Token } from './lexer.js'
import { queryError } from './query-error.js'

/** Bounds of one query; parsing stops at the first one that is exceeded. */
export const MAX_QUERY_CHARS = 8_192
/** Levels of parentheses of one query. */
export const MAX_QUERY_DEPTH = 32
/** Terms of one query. */
export const MAX_QUERY_TERMS = 512

type Value = Extract<Token, { kind: 'value' }>

class Parser {
  readonly #vocabulary: Vocabulary
  readonly #tokens: readonly Token[]
  #next = 0
  #terms = 0

  constructor(vocabulary: Vocabulary, tokens: readonly Token[]) {
    this.#vocabulary = vocabulary
    this.#tokens = tokens
  }

  parse(): Filter {
    if (this.#peek().kind === 'end') return allOf([])
    const filter = this.#or(null, 0)
    const rest = this.#peek()
    if (rest.kind !== 'end') throw queryError('unexpected closing parenthesis', rest.at, ['write \\) for the character'])
    return filter
  }

  #peek(): Token {
    return this.#tokens[this.#next]!
  }

  #or(field: string | null, depth: number): Filter {
    const parts = [this.#and(field, depth)]
    while (this.#peek().kind === 'or') {
      this.#next++
      parts.push(this.#and(field, depth))
    }
    return anyOf(parts)
  }

  #and(field: string | null, depth: number): Filter {
    const parts = [this.#unary(field, depth)]
    for (;;) {
      const { kind } = this.#peek()
      if (kind === 'end' || kind === 'close' || kind === 'or') return allOf(parts)
      if (kind === 'and') this.#next++
      parts.push(this.#unary(field, depth))
    }
  }

  #unary(field: string | null, depth: number): Filter {
    let isNegated = false
    for (; this.#peek().kind === 'not'; this.#next++) isNegated = !isNegated
    const filter = this.#primary(field, depth)
    return isNegated ? { kind: 'not', of: filter } : filter
  }

  #primary(field: string | null, depth: number): Filter {
    const token = this.#peek()
    switch (token.kind) {
      case 'value':
        this.#next++
        return this.#term(field, token)
      case 'open':
        return this.#group(field, depth)
      case 'field':
        this.#next++
        return this.#primary(token.name, depth)
      default:
        throw this.#missingTerm(token)
    }
  }

  #group(field: string | null, depth: number): Filter {
    const opened = this.#peek().at
    if (depth >= MAX_QUERY_DEPTH) throw queryError(`parentheses exceed the nesting limit of ${MAX_QUERY_DEPTH}`, opened)
    this.#next++
    const filter = this.#or(field, depth + 1)
    if (this.#peek().kind !== 'close')
      throw queryError('this parenthesis is not closed', opened, ['add a closing )', 'write \\( for the character'])
    this.#next++
    return filter
  }

  #term(field: string | null, value: Value): Filter {
    if (++this.#terms > MAX_QUERY_TERMS) throw queryError(`a query must not exceed ${MAX_QUERY_TERMS} words and values`, value.at)
    try {
      return leaf(this.#vocabulary, field, value)
    } catch (error) {
      if (error instanceof ValueFault) throw queryError(`${field ?? ''}: ${error.message}`, value.at, error.suggestions)
      throw error
    }
  }

  #missingTerm(token: Token): Error {
    const { at, kind } = token
    if (kind === 'and' || kind === 'or')
      return queryError(`${kind.toUpperCase()} requires an operand on both sides`, at, [
        `"${kind.toUpperCase()}" to search for the word`
      ])
    if (kind === 'close')
      return queryError('a word is missing before this parenthesis', at, ['quote values that contain parentheses'])
    return queryError('the query ends where a word is expected', at)
  }
}

/**
 * Reads the search language ("Queries" in docs/conventions.md): words (AND by default), `"phrases"`, `field:value`, `field:(a OR b)`,
 * `field:>10`, `field:*`, `-not`, `NOT`, `AND`, `OR`, parentheses, `*` wildcards, backslash before a character that is
 * meant itself. A bare word is a case-insensitive substring of the text. Throws `invalid_query` with the position.
 */
export function parseQuery(text: string, vocabulary: Vocabulary): Filter {
  if (text.length > MAX_QUERY_CHARS) throw queryError(`a query must not exceed ${MAX_QUERY_CHARS} characters`, MAX_QUERY_CHARS)
  const lexer = new Lexer(text, name => isKnown(vocabulary, name))
  return new Parser(vocabulary, lexer.tokens()).parse()
}
