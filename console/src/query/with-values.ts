import { quoted } from './quoted.js'
import { withCondition } from './with-condition.js'

/** `query` with the condition that a field has one of these values; without values `query` as it is. */
export function withAnyValue(query: string, field: string, values: readonly string[] | null | undefined): string {
  if (!values?.length) return query
  if (values.length === 1) return withCondition(query, field, values[0]!, false)
  // A pair of parentheses keeps alternatives of the query apart from the further condition.
  const before = query.trim() === '' ? '' : `(${query.trim()}) `
  return `${before}${field}:(${values.map(quoted).join(' OR ')})`
}
