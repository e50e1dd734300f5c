import type { Field } from '../../../domain/filter.js'
import type { FlatObject, FlatValue } from '../../../domain/json.js'
import type { FieldSummary } from '../../../domain/search.js'
import type { ResultRow } from './statement.js'

interface Seen {
  readonly field: Field
  readonly types: Set<FieldSummary['type']>
  readonly values: Set<string>
  count: number
}

/** Columns of a log that hold free fields, and what a field in them is called. */
const COLUMNS = { fields_json: 'log_fields', tags_json: 'tags' } as const

/** Which of the free fields the rows carry, most frequent first (ties by name). */
export function summariseFields(rows: readonly ResultRow[], limit: number): readonly FieldSummary[] {
  const seen = new Map<string, Seen>()
  for (const row of rows) {
    for (const [column, place] of Object.entries(COLUMNS)) {
      const text = row[column] as string | null
      if (text !== null) addObject(seen, place, JSON.parse(text) as FlatObject)
    }
  }
  return [...seen.values()]
    .sort((a, b) => b.count - a.count || (a.field.name < b.field.name ? -1 : 1))
    .slice(0, limit)
    .map(toSummary)
}

function addObject(seen: Map<string, Seen>, place: 'log_fields' | 'tags', object: FlatObject): void {
  for (const [name, value] of Object.entries(object)) {
    const present = scalarsOf(value)
    if (present.length === 0) continue
    const key = `${place}:${name}`
    let entry = seen.get(key)
    if (!entry) seen.set(key, (entry = { field: { in: place, name }, types: new Set(), values: new Set(), count: 0 }))
    entry.count++
    for (const scalar of present) {
      entry.types.add(typeof scalar as FieldSummary['type'])
      entry.values.add(String(scalar))
    }
  }
}

function scalarsOf(value: FlatValue): readonly (string | number | boolean)[] {
  const values: readonly FlatValue[] = Array.isArray(value) ? value : [value]
  return values.filter((scalar): scalar is string | number | boolean => scalar !== null && scalar !== '')
}

function toSummary({ field, types, values, count }: Seen): FieldSummary {
  // One field a number here and text there can only be treated as text.
  const type = types.size === 1 ? [...types][0]! : 'string'
  return { field, type, count, cardinality: values.size }
}
