import type { Field } from '../../domain/filter.js'
import type { FlatObject, FlatValue } from '../../domain/json.js'
import type { FieldSummary } from '../../domain/search.js'
import { NumberTally } from './number-tally.js'

const MAX_EXAMPLES = 5
const MAX_EXAMPLE_CHARS = 128

interface FieldTally {
  readonly field: Field
  readonly types: Set<FieldSummary['type']>
  readonly values: Set<string>
  readonly numbers: NumberTally
  count: number
  longest: number
}

function scalarsOf(value: FlatValue): readonly (string | number | boolean)[] {
  const values: readonly FlatValue[] = Array.isArray(value) ? value : [value]
  return values.filter((scalar): scalar is string | number | boolean => scalar !== null && scalar !== '')
}

function examplesOf(values: ReadonlySet<string>): readonly string[] {
  const examples: string[] = []
  for (const value of values) {
    if (examples.length === MAX_EXAMPLES) break
    examples.push(value.length > MAX_EXAMPLE_CHARS ? value.slice(0, MAX_EXAMPLE_CHARS) : value)
  }
  return examples
}

function toSummary({ field, types, values, numbers, count, longest }: FieldTally): FieldSummary {
  // One field a number here and text there can only be treated as text.
  const type = types.size === 1 ? [...types][0]! : 'string'
  const examples = examplesOf(values)
  return {
    field,
    type,
    count,
    cardinality: values.size,
    examples,
    longest,
    ...(type === 'number' && { numbers: numbers.summary(values.size, count) })
  }
}

/** Counts which free fields rows carry. */
export class FieldSummaries {
  readonly #seen = new Map<string, FieldTally>()

  /** One row's flattened object; rows come newest first. */
  add(place: 'log_fields' | 'tags', object: FlatObject): void {
    for (const [name, value] of Object.entries(object)) {
      const present = scalarsOf(value)
      if (present.length > 0) this.#count({ in: place, name }, present)
    }
  }

  /** Most frequent first, ties by name. */
  top(limit: number): readonly FieldSummary[] {
    return [...this.#seen.values()]
      .sort((a, b) => b.count - a.count || (a.field.name < b.field.name ? -1 : 1))
      .slice(0, limit)
      .map(toSummary)
  }

  #count(field: Field, scalars: readonly (string | number | boolean)[]): void {
    const key = `${field.in}:${field.name}`
    let entry = this.#seen.get(key)
    if (!entry)
      this.#seen.set(
        key,
        (entry = { field, types: new Set(), values: new Set(), numbers: new NumberTally(), count: 0, longest: 0 })
      )
    entry.count++
    for (const scalar of scalars) {
      entry.types.add(typeof scalar as FieldSummary['type'])
      const value = String(scalar)
      entry.values.add(value)
      if (value.length > entry.longest) entry.longest = value.length
      if (typeof scalar === 'number') entry.numbers.add(scalar)
    }
  }
}
