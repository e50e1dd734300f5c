import type { LogFilter } from '../api/generated/LogRows.js'
import { withAnyValue } from '../query/with-values.js'

/** Logs with a level other than the known ones, which the page calls unknown. */
const UNKNOWN_LEVEL = '(level:* -level:(trace OR debug OR info OR warn OR error OR fatal))'

function withLevels(query: string, levels: readonly string[]): string {
  const known = levels.filter(level => level !== 'UNKNOWN').map(level => level.toLowerCase())
  if (known.length === levels.length) return withAnyValue(query, 'level', known)
  const parts = [...(known.length > 0 ? [`level:(${known.join(' OR ')})`] : []), UNKNOWN_LEVEL]
  return `${query.trim() === '' ? '' : `(${query.trim()}) `}(${parts.join(' OR ')})`
}

/** One string of the search language for a filter of the page: its query and its chosen values. */
export function filterText({ query, levels, services, hosts, sources }: LogFilter): string {
  const ofLevels = withLevels(query ?? '', levels ?? [])
  return withAnyValue(withAnyValue(withAnyValue(ofLevels, 'service', services), 'host', hosts), 'source', sources)
}
