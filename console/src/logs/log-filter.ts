import type { LogFilter, LogLevel } from '../api/generated/LogRows.js'
import { all, one, type SearchValues } from '../url/search-codec.js'

/** Levels of the API, lowest first. */
export const LEVELS: readonly LogLevel[] = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'UNKNOWN']

function levelOf(value: string): LogLevel | null {
  return LEVELS.find(level => level === value.toUpperCase()) ?? null
}

/** A condition on levels. The API has no name for those that senders made up: they are conditions on the field. */
function levelFilter(values: readonly string[]): Pick<LogFilter, 'levels' | 'where'> {
  const levels = values.map(levelOf).filter(level => level !== null)
  // Made-up levels are among the unknown ones.
  if (levels.length === values.length || levels.includes('UNKNOWN')) return { levels: levels.length > 0 ? levels : null }
  return { where: [{ field: 'level', op: 'IN', values: values.map(value => value.toLowerCase()) }] }
}

/** Reads `q`, `level`, `service`, `host` and `source`. */
export function readLogFilter(search: SearchValues): LogFilter {
  const query = one(search, 'q') ?? ''
  const listOf = (key: 'service' | 'host' | 'source'): string[] | null =>
    all(search, key).length > 0 ? [...all(search, key)] : null
  const filter: LogFilter = {
    query: query === '' ? null : query,
    ...levelFilter(all(search, 'level')),
    services: listOf('service'),
    hosts: listOf('host'),
    sources: listOf('source')
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null))
}
