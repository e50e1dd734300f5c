import { type Token, tokenize } from './tokens.js'
import { hasAlternative } from './with-condition.js'
import { writtenName } from './written-name.js'

/** A condition such as `ms:>=5`, by the places of its first and last token. */
export interface Condition {
  /** `:`, `:>=` and the like. */
  readonly operator: string
  /** As it is written: a word, a phrase with its quotes, or values in parentheses. */
  readonly value: string
  readonly first: number
  readonly last: number
}

function isNegated(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at).findLast(({ kind }) => kind !== 'space')
  return tokens[at - 1]?.kind === 'negation' || (before?.kind === 'keyword' && before.text === 'NOT')
}

function nesting({ kind, text }: Token): number {
  return kind !== 'parenthesis' ? 0 : text === '(' ? 1 : -1
}

/** The last token of the value that begins at a place; -1 where none does. */
function endOfValue(tokens: readonly Token[], at: number): number {
  // The sign of a number reads as a negation.
  if (tokens[at]?.kind === 'negation') return tokens[at + 1]?.kind === 'value' ? at + 1 : -1
  if (tokens[at]?.text === '(') {
    let depth = 0
    return tokens.findIndex((token, i) => i >= at && (depth += nesting(token)) === 0)
  }
  return ['value', 'phrase', 'keyword'].includes(tokens[at]?.kind ?? '') ? at : -1
}

/** The conditions on a field that all which the query finds meets: none in alternatives, in parentheses, or under a negation. */
export function conditionsOn(query: string, field: string): readonly Condition[] {
  if (hasAlternative(query)) return []
  const tokens = tokenize(query)
  const name = writtenName(field)
  let depth = 0
  return tokens.flatMap((token, first) => {
    depth += nesting(token)
    const operator = tokens[first + 1]
    const isOwn = depth === 0 && token.kind === 'name' && token.text === name && !isNegated(tokens, first)
    const last = isOwn && operator?.kind === 'operator' ? endOfValue(tokens, first + 2) : -1
    if (last === -1) return []
    const value = tokens.slice(first + 2, last + 1).map(({ text }) => text)
    return [{ operator: operator!.text, value: value.join(''), first, last }]
  })
}

/** Whether a token joins two conditions; `level:AND` has a value. */
function isAnd(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.kind === 'keyword' && tokens[at].text === 'AND' && tokens[at - 1]?.kind !== 'operator'
}

/** `query` without conditions that `conditionsOn` found in it, each with one `AND` next to it. */
export function withoutConditions(query: string, conditions: readonly Condition[]): string {
  const tokens = tokenize(query)
  const removed = new Set<number>()
  for (const { first, last } of conditions) {
    for (let at = first; at <= last; at++) removed.add(at)
    const and = [first - 2, last + 2].find(at => isAnd(tokens, at) && !removed.has(at))
    if (and !== undefined) removed.add(and)
  }
  const isKept = ({ kind }: Token, at: number): boolean => !removed.has(at) && !(kind === 'space' && removed.has(at + 1))
  return tokens
    .filter(isKept)
    .map(({ text }) => text)
    .join('')
    .trim()
}
