import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql'
import { GatewayError } from '../domain/errors.js'

/** Brackets of any kind within each other. The parser recurses at each: unguarded, 2,000 of them overflow the stack. */
const MAX_BRACKETS = 64

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Reads tokens one after the other, without recursion. Strings and comments are one token each. */
function checkTokens(source: Source, maxTokens: number): void {
  const lexer = new Lexer(source)
  let open = 0
  let tokens = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (++tokens > maxTokens) throw new GatewayError('invalid_query', `the query has more than ${maxTokens} tokens`)
    if (OPENING.has(token.kind) && ++open > MAX_BRACKETS) {
      throw new GatewayError('invalid_query', `the query nests brackets deeper than ${MAX_BRACKETS} levels`)
    }
    if (CLOSING.has(token.kind)) open--
  }
}

/** The document of a query's text. Throws `invalid_query`, with the place of a syntax error. */
export function parseBounded(query: string, maxTokens: number): DocumentNode {
  const source = new Source(query)
  try {
    checkTokens(source, maxTokens)
    return parse(source, { maxTokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const [at] = error.locations ?? []
    const place = at ? ` (line ${at.line}, column ${at.column})` : ''
    throw new GatewayError('invalid_query', `${error.message}${place}`, { cause: error })
  }
}
