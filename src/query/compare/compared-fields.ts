import type { Field } from '../../domain/filter.js'
import type { FieldSummary, NumberSummary } from '../../domain/search.js'
import { quantileBounds } from '../statistics/binned-ranks.js'
import { fieldName, type Vocabulary } from '../vocabulary.js'

/** A field that was left out, and why. */
export interface SkippedField {
  readonly field: string
  readonly reason: string
}

/** A field whose values are compared, or whose numbers are. */
export interface ComparedField {
  readonly field: Field
  /** The name to use in filters. */
  readonly name: string
  /** Of a measure: where its intervals begin. */
  readonly bounds?: readonly number[]
}

/** Free fields of one comparison, most frequent first. */
export const MAX_COMPARED_FIELDS = 40
/** A field with more different numbers is a measure, others are compared value by value. */
export const MAX_NUMBER_VALUES = 20
/** Share of different values from which a field is an id or a text. */
const NEARLY_ALL = 0.9
/** Rows that are enough to know so. */
const FEW_ROWS = 20

/** One field in several samples. */
interface Sampled extends Pick<FieldSummary, 'field' | 'count' | 'cardinality'> {
  readonly types: ReadonlySet<FieldSummary['type']>
  readonly numbers: readonly NumberSummary[]
  /** Whether nearly every row of some sample has another value. */
  readonly isUnique: boolean
}

function isUnique({ count, cardinality }: FieldSummary): boolean {
  return count >= FEW_ROWS && cardinality >= count * NEARLY_ALL
}

function merged(before: Sampled | undefined, summary: FieldSummary): Sampled {
  const { field, type, count, cardinality, numbers } = summary
  return {
    field,
    types: new Set([...(before?.types ?? []), type]),
    count: count + (before?.count ?? 0),
    cardinality: Math.max(cardinality, before?.cardinality ?? 0),
    numbers: [...(before?.numbers ?? []), ...(numbers ? [numbers] : [])],
    isUnique: isUnique(summary) || before?.isUnique === true
  }
}

function reasonAgainst({ types, numbers, isUnique: isId }: Sampled, bounds: readonly number[] | null): string | null {
  if (bounds === null) return isId && !types.has('number') ? 'nearly every row has a different value' : null
  if (numbers.some(({ countsUp }) => countsUp)) return 'counts up with time'
  // Intervals count such a row once each: their sum is not a number of rows, and its numbers are not independent.
  if (numbers.some(({ areSeveral }) => areSeveral)) return 'rows have several numbers'
  return bounds.length === 0 ? 'nearly all numbers are equal' : null
}

/** Which of the sampled fields to compare, most frequent first, and which not; `named`: fields of filters that differ. */
export function comparedFields(
  samples: readonly (readonly FieldSummary[])[],
  vocabulary: Vocabulary,
  named: ReadonlySet<string>
): { readonly fields: readonly ComparedField[]; readonly skipped: readonly SkippedField[]; readonly beyondLimit: number } {
  const byField = new Map<string, Sampled>()
  for (const summary of samples.flat()) {
    const key = `${summary.field.in} ${summary.field.name}`
    byField.set(key, merged(byField.get(key), summary))
  }
  const sorted = [...byField.values()].toSorted((a, b) => b.count - a.count || (a.field.name < b.field.name ? -1 : 1))
  const fields: ComparedField[] = []
  const skipped: SkippedField[] = []
  let beyondLimit = 0
  for (const sampled of sorted) {
    const { field, types, numbers, cardinality } = sampled
    const name = fieldName(vocabulary, field)
    const isMeasure = types.size === 1 && types.has('number') && cardinality > MAX_NUMBER_VALUES
    const bounds = isMeasure ? quantileBounds(numbers.flatMap(({ quantiles }) => quantiles)) : null
    const reason = named.has(field.name) ? 'the filters name it' : reasonAgainst(sampled, bounds)
    if (reason !== null) skipped.push({ field: name, reason })
    else if (fields.length === MAX_COMPARED_FIELDS) beyondLimit++
    else fields.push({ field, name, ...(bounds && { bounds }) })
  }
  return { fields, skipped, beyondLimit }
}
