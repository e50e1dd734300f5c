import { quoted } from './quoted.js'
import { withCondition } from './with-condition.js'

/** Values of fields, any of which may match. */
export type ChosenValues = Readonly<Record<string, readonly string[] | null | undefined>>

function withAnyValue(query: string, field: string, values: readonly string[] | null | undefined): string {
  if (!values?.length) return query
  if (values.length === 1) return withCondition(query, field, values[0]!, false)
  // A pair of parentheses keeps alternatives of the query apart from the further condition.
  const before = query.trim() === '' ? '' : `(${query.trim()}) `
  return `${before}${field}:(${values.map(quoted).join(' OR ')})`
}

/** `query` with the condition that each field has one of its values; a field without values adds none. */
export function withChosenValues(query: string, chosen: ChosenValues): string {
  return Object.entries(chosen).reduce((text, [field, values]) => withAnyValue(text, field, values), query)
}
