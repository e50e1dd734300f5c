import type { LogFilter } from '../api/generated/LogRows.js'
import { type ChosenValues, withChosenValues } from '../query/with-values.js'

/** Logs with a level other than the known ones, which the page calls unknown. */
const UNKNOWN_LEVEL = '(level:* -level:(trace OR debug OR info OR warn OR error OR fatal))'

/** `query` with the condition on levels, one of which is unknown: the field has no value for it. */
function withUnknownLevel(query: string, levels: readonly string[]): string {
  const known = levels.filter(level => level !== 'unknown')
  const parts = [...(known.length > 0 ? [`level:(${known.join(' OR ')})`] : []), UNKNOWN_LEVEL]
  return `${query.trim() === '' ? '' : `(${query.trim()}) `}(${parts.join(' OR ')})`
}

/** A filter of the page in the search language, and the values it chooses of fields. */
export function filterConditions(filter: LogFilter): { readonly query: string; readonly chosen: ChosenValues } {
  const { services, hosts, sources } = filter
  const query = filter.query ?? ''
  const madeUp = filter.where?.find(({ field }) => field === 'level')?.values
  const levels = (madeUp ?? filter.levels ?? []).map(level => level.toLowerCase())
  const chosen = { service: services, host: hosts, source: sources }
  if (levels.includes('unknown')) return { query: withUnknownLevel(query, levels), chosen }
  return { query, chosen: { level: levels, ...chosen } }
}

/** One string of the search language for a filter of the page: its query and its chosen values. */
export function filterText(filter: LogFilter): string {
  const { query, chosen } = filterConditions(filter)
  return withChosenValues(query, chosen)
}
