import { type Token, tokenize } from './tokens.js'
import { hasAlternative } from './with-condition.js'

/** Numbers between which a field is, as they are written; empty for none. */
export interface NumberBounds {
  readonly from: string
  readonly to: string
}

/** A condition such as `ms:>=5`, by the places of its first and last token. */
interface Bound {
  readonly end: keyof NumberBounds
  readonly value: string
  readonly first: number
  readonly last: number
}

const ENDS: Readonly<Partial<Record<string, keyof NumberBounds>>> = { ':>=': 'from', ':<=': 'to' }

/** The name of a field as the search language reads it. */
function escapedName(field: string): string {
  return field.replaceAll(/[\s"():\\]|^-/g, String.raw`\$&`)
}

function isNegated(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at).findLast(({ kind }) => kind !== 'space')
  return tokens[at - 1]?.kind === 'negation' || (before?.kind === 'keyword' && before.text === 'NOT')
}

/** The bounds of a field that hold for all that the query finds. */
function boundsOf(query: string, field: string): readonly Bound[] {
  if (hasAlternative(query)) return []
  const tokens = tokenize(query)
  const name = escapedName(field)
  let depth = 0
  return tokens.flatMap((token, at) => {
    if (token.kind === 'parenthesis') depth += token.text === '(' ? 1 : -1
    const end = ENDS[tokens[at + 1]?.text ?? '']
    const isBound = depth === 0 && token.kind === 'name' && token.text === name && !isNegated(tokens, at)
    if (!isBound || end === undefined) return []
    // The sign of a number reads as a negation.
    const last = tokens[at + 2]?.kind === 'negation' ? at + 3 : at + 2
    const value = tokens.slice(at + 2, last + 1)
    return value.at(-1)?.kind === 'value' ? [{ end, value: value.map(({ text }) => text).join(''), first: at, last }] : []
  })
}

/** The bounds that a query has for a field. */
export function boundsIn(query: string, field: string): NumberBounds {
  const bounds = boundsOf(query, field)
  const valueOf = (end: keyof NumberBounds): string => bounds.find(bound => bound.end === end)?.value ?? ''
  return { from: valueOf('from'), to: valueOf('to') }
}

/** `query` with these bounds of a field in place of those that it has. */
export function withBounds(query: string, field: string, { from, to }: NumberBounds): string {
  const former = boundsOf(query, field)
  const others = tokenize(query).filter((_, at) => !former.some(({ first, last }) => at >= first && at <= last))
  const kept = others
    .map(({ text }) => text)
    .join('')
    .trim()
  const conditions = [...(from === '' ? [] : [`>=${from}`]), ...(to === '' ? [] : [`<=${to}`])]
  const rest = hasAlternative(kept) && conditions.length > 0 ? `(${kept})` : kept
  return [...(rest === '' ? [] : [rest]), ...conditions.map(bound => `${escapedName(field)}:${bound}`)].join(' ')
}
