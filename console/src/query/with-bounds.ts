import { type Condition, conditionsOn, withoutConditions } from './conditions.js'
import { hasAlternative } from './with-condition.js'
import { writtenName } from './written-name.js'

/** Numbers between which a field is, as they are written; empty for none. */
export interface NumberBounds {
  readonly from: string
  readonly to: string
}

const OPERATORS = { from: ':>=', to: ':<=' } as const

/** The bounds of a field that hold for all that the query finds. */
function boundsOf(query: string, field: string): readonly Condition[] {
  return conditionsOn(query, field).filter(
    ({ operator, value }) => (operator === OPERATORS.from || operator === OPERATORS.to) && !/^["(]/.test(value)
  )
}

/** The bounds that a query has for a field. */
export function boundsIn(query: string, field: string): NumberBounds {
  const bounds = boundsOf(query, field)
  const valueOf = (end: keyof NumberBounds): string => bounds.find(({ operator }) => operator === OPERATORS[end])?.value ?? ''
  return { from: valueOf('from'), to: valueOf('to') }
}

/** `query` with these bounds of a field in place of those that it has. */
export function withBounds(query: string, field: string, { from, to }: NumberBounds): string {
  const kept = withoutConditions(query, boundsOf(query, field))
  const conditions = [...(from === '' ? [] : [`>=${from}`]), ...(to === '' ? [] : [`<=${to}`])]
  const rest = hasAlternative(kept) && conditions.length > 0 ? `(${kept})` : kept
  return [...(rest === '' ? [] : [rest]), ...conditions.map(bound => `${writtenName(field)}:${bound}`)].join(' ')
}
