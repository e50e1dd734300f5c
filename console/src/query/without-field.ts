import { one, type SearchValues, withValues } from '../url/search-codec.js'
import { conditionsOn, withoutConditions } from './conditions.js'

/** An address without the values that are chosen of a field and the conditions of its query on it. */
export function withoutField(search: SearchValues, field: string): SearchValues {
  const query = one(search, 'q') ?? ''
  return withValues(search, { [field]: null, q: withoutConditions(query, conditionsOn(query, field)).trim() })
}
