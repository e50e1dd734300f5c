import type { TokenStream } from './token-stream.js'

/** Deeper nesting than any person or dashboard writes; it bounds the recursion of everything that walks the tree. */
const MAX_DEPTH = 200
/** A chain of operators nests to the left as deep as it is long. */
const MAX_OPERATORS = 1_000

/** Bounds how deep an expression nests while it is read. Throws `PromqlSyntaxError` beyond. */
export class NestingBound {
  readonly #tokens: TokenStream
  #depth = 0
  #operators = 0

  constructor(tokens: TokenStream) {
    this.#tokens = tokens
  }

  /** An expression begins at the current token. */
  enter(): void {
    if (++this.#depth <= MAX_DEPTH) return
    throw this.#tokens.error(this.#tokens.current.start, `the query is nested deeper than ${MAX_DEPTH} levels`)
  }

  /** The expression that was entered last has ended. */
  leave(): void {
    this.#depth--
  }

  /** A binary operator was taken. */
  countOperator(): void {
    if (++this.#operators <= MAX_OPERATORS) return
    throw this.#tokens.error(this.#tokens.lastEnd, `a query must not exceed ${MAX_OPERATORS} operators`)
  }
}
