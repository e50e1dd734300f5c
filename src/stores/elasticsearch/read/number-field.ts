import { matcherOf } from '../../../domain/match-filter.js'
import { parseNumericText } from '../../../domain/number-text.js'
import { boundsOf, type Condition } from '../../../domain/condition.js'
import { regexOf } from './regex-predicate.js'
import { every, NONE, type Query } from './query.js'
import { anyTerm } from './term-condition.js'
import { exactly, within, type Verdict } from './verdict.js'

/** A numeric field of the engine. */
export interface IndexedNumberField {
  readonly field: string
  /** Whole numbers from `least` to `most`, null for any double. */
  readonly whole: { readonly least: number; readonly most: number } | null
}

/** So few values that a query about their strings is a list of them. */
const FEW_VALUES = 100

function isStorable(number: number | null, { whole }: IndexedNumberField): number is number {
  if (number === null) return false
  return whole === null || (Number.isInteger(number) && number >= whole.least && number <= whole.most)
}

const DIGITS = /^-?[0-9]{1,19}$/

/** As the engine takes it: what a double would round goes as digits. */
function exact(text: string, number: number): number | string {
  return Number.isSafeInteger(number) || !DIGITS.test(text) ? number : text
}

function oneOf(field: IndexedNumberField, values: readonly string[]): Query {
  const numbers = values.flatMap(text => {
    const number = parseNumericText(text)
    return isStorable(number, field) ? [exact(text, number)] : []
  })
  return anyTerm(field.field, numbers)
}

function boundClause({ field, whole }: IndexedNumberField, op: string, text: string): Query | null {
  const number = parseNumericText(text)!
  const isLower = op === 'gt' || op === 'gte'
  // The engine refuses bounds outside of what a whole number can be.
  if (whole && number > whole.most) return isLower ? NONE : null
  if (whole && number < whole.least) return isLower ? null : NONE
  return { range: { [field]: { [op]: whole ? exact(text, number) : number } } }
}

/** A condition on what the number reads as. */
function onText(field: IndexedNumberField, condition: Condition): Verdict {
  const { whole } = field
  if (!whole || whole.most - whole.least > FEW_VALUES) return within({ exists: { field: field.field } })
  const matches = matcherOf(condition, { valuesOf: (text: string) => ({ strings: [text], compares: 'number' }), regexOf })
  const values = Array.from({ length: whole.most - whole.least + 1 }, (_, i) => whole.least + i)
  return exactly(
    anyTerm(
      field.field,
      values.filter(value => matches(String(value)))
    )
  )
}

/** A condition on a well-known number. */
export function numberCondition(field: IndexedNumberField, condition: Condition): Verdict {
  if (condition.kind === 'eq') return exactly(oneOf(field, [condition.value]))
  if (condition.kind === 'in') return exactly(oneOf(field, condition.values))
  const exists = { exists: { field: field.field } }
  if (condition.kind === 'exists') return exactly(exists)
  if (condition.kind !== 'range') return onText(field, condition)
  const bounds = boundsOf(condition)
  if (bounds.some(({ value }) => parseNumericText(value) === null)) return onText(field, condition)
  const clauses = bounds.map(({ op, value }) => boundClause(field, op, value)).filter(clause => clause !== null)
  return exactly(every([exists, ...clauses]))
}
