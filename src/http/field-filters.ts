import { GatewayError } from '../domain/errors.js'
import type { FieldCondition } from '../query/conditions.js'

function isCondition(value: unknown): value is FieldCondition {
  return typeof value === 'object' && value !== null && 'field' in value && 'op' in value
}

/** `filters` of a query string: a JSON array of `{field, op, value}`. Throws `invalid_field`. */
export function parseFilters(text: string | undefined): readonly FieldCondition[] | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const filters: unknown = JSON.parse(text)
    if (Array.isArray(filters) && filters.every(isCondition)) return filters
  } catch {
    // Reported below, as for any other string.
  }
  throw new GatewayError('invalid_field', 'filters must be a JSON array of {"field","op","value"}', { field: 'filters' })
}
