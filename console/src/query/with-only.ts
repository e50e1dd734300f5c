import { conditionsOn, withoutConditions } from './conditions.js'
import { withCondition } from './with-condition.js'

/** `query` with the condition that a field has this value, in place of the values that it demanded of the field. */
export function withOnly(query: string, field: string, value: string): string {
  const former = conditionsOn(query, field).filter(({ operator }) => operator === ':')
  return withCondition(withoutConditions(query, former), field, value, false)
}
