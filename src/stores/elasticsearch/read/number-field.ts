import { parseNumber } from '../../number-text.js'
import { boundsOf, type Condition } from './condition.js'
import { matcherOf } from './matcher.js'
import { every, NONE, type Query } from './query.js'
import { anyTerm } from './term-condition.js'
import { exactly, within, type Verdict } from './verdict.js'

/** A numeric field of the engine. */
export interface NumberField {
  readonly field: string
  /** Whole numbers from `least` to `most`, null for any double. */
  readonly whole: { readonly least: number; readonly most: number } | null
}

/** So few values that a question about their texts is a list of them. */
const FEW_VALUES = 100

function isStorable(number: number | null, { whole }: NumberField): number is number {
  if (number === null) return false
  return whole === null || (Number.isInteger(number) && number >= whole.least && number <= whole.most)
}

function oneOf(field: NumberField, values: readonly string[]): Query {
  const numbers = values.map(parseNumber).filter(number => isStorable(number, field))
  return anyTerm(field.field, numbers)
}

function boundClause({ field, whole }: NumberField, op: string, number: number): Query | null {
  const isLower = op === 'gt' || op === 'gte'
  // The engine refuses bounds outside of what a whole number can be.
  if (whole && number > whole.most) return isLower ? NONE : null
  if (whole && number < whole.least) return isLower ? null : NONE
  return { range: { [field]: { [op]: number } } }
}

/** A condition on what the number reads as. */
function onText(field: NumberField, condition: Condition): Verdict {
  const { whole } = field
  if (!whole || whole.most - whole.least > FEW_VALUES) return within({ exists: { field: field.field } })
  const matches = matcherOf(condition, (text: string) => ({ texts: [text], compares: 'number' as const }))
  const values = Array.from({ length: whole.most - whole.least + 1 }, (_, i) => whole.least + i)
  return exactly(
    anyTerm(
      field.field,
      values.filter(value => matches(String(value)))
    )
  )
}

/** A condition on a well-known number. */
export function numberCondition(field: NumberField, condition: Condition): Verdict {
  if (condition.kind === 'eq') return exactly(oneOf(field, [condition.value]))
  if (condition.kind === 'in') return exactly(oneOf(field, condition.values))
  const exists = { exists: { field: field.field } }
  if (condition.kind === 'exists') return exactly(exists)
  if (condition.kind !== 'range') return onText(field, condition)
  const bounds = boundsOf(condition).map(({ op, value }) => ({ op, number: parseNumber(value) }))
  if (bounds.some(({ number }) => number === null)) return onText(field, condition)
  const clauses = bounds.map(({ op, number }) => boundClause(field, op, number!)).filter(clause => clause !== null)
  return exactly(every([exists, ...clauses]))
}
