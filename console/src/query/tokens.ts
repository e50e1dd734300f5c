/** Parts of the search language, for colours and completion. The service parses; this only has to look right. */

/** What a part is. `space` includes everything between parts. */
export type TokenKind = 'space' | 'name' | 'operator' | 'value' | 'phrase' | 'keyword' | 'negation' | 'parenthesis'

/** A part of a query; `from` and `to` are offsets in UTF-16 units, `to` exclusive. */
export interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  readonly text: string
}

const KEYWORDS = new Set(['AND', 'OR', 'NOT'])
const PARTS: readonly (readonly [kind: TokenKind, pattern: RegExp])[] = [
  ['space', /\s+/y],
  ['phrase', /"(?:[^"\\]|\\.)*"?/y],
  ['parenthesis', /[()]/y],
  ['negation', /-(?=\S)/y],
  ['name', /(?:[^\s"():\\-]|\\.)(?:[^\s"():\\]|\\.)*(?=:)/y],
  ['operator', /:(?:>=|<=|>|<)?/y],
  ['value', /(?:[^\s"()\\]|\\.?)+/y]
]

function tokenAt(query: string, from: number): Token {
  for (const [kind, pattern] of PARTS) {
    pattern.lastIndex = from
    const text = pattern.exec(query)?.[0]
    if (text === undefined) continue
    return { kind: kind === 'value' && KEYWORDS.has(text) ? 'keyword' : kind, from, to: from + text.length, text }
  }
  return { kind: 'value', from, to: from + 1, text: query.charAt(from) }
}

/** The parts of a query; together they are the whole query. */
export function tokenize(query: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < query.length; at = tokens.at(-1)!.to) tokens.push(tokenAt(query, at))
  return tokens
}

/** What can be completed at a position: a field name, or a value of a field; `from` to `to` is replaced. */
export type Completion =
  | { readonly kind: 'field'; readonly prefix: string; readonly from: number; readonly to: number }
  | { readonly kind: 'value'; readonly field: string; readonly prefix: string; readonly from: number; readonly to: number }

/** What the text before `caret` begins. */
export function completionAt(query: string, caret: number): Completion | null {
  const tokens = tokenize(query)
  const index = tokens.findIndex(({ from, to }) => from < caret && caret <= to)
  const token = tokens[index]
  if (!token || token.kind === 'space' || token.kind === 'parenthesis' || token.kind === 'negation')
    return { kind: 'field', prefix: '', from: caret, to: caret }
  const [before, beforeOperator] = [tokens[index - 1], tokens[index - 2]]
  if (token.kind === 'operator' && before?.kind === 'name')
    return { kind: 'value', field: before.text, prefix: '', from: token.to, to: token.to }
  if (token.kind === 'phrase' || token.kind === 'value') {
    const prefix = query.slice(token.from, caret).replace(/^"/, '')
    if (before?.kind === 'operator' && beforeOperator?.kind === 'name')
      return { kind: 'value', field: beforeOperator.text, prefix, from: token.from, to: token.to }
    return token.kind === 'value' ? { kind: 'field', prefix, from: token.from, to: token.to } : null
  }
  return token.kind === 'name' ? { kind: 'field', prefix: query.slice(token.from, caret), from: token.from, to: token.to } : null
}
