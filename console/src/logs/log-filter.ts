import type { LogFilter, LogLevel } from '../api/generated/LogRows.js'
import { all, one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** Levels of the API, lowest first. */
export const LEVELS: readonly LogLevel[] = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'UNKNOWN']

/** The filter of an address, and values that it could not use. */
export interface ReadLogFilter {
  readonly filter: LogFilter
  readonly problems: readonly AddressProblem[]
}

function levelOf(value: string): LogLevel | null {
  return LEVELS.find(level => level === value.toUpperCase()) ?? null
}

/** Reads `q`, `level`, `service`, `host` and `source`. An unknown level is left out and reported. */
export function readLogFilter(search: SearchValues): ReadLogFilter {
  const query = one(search, 'q') ?? ''
  const values = all(search, 'level')
  const levels = values.map(levelOf).filter(level => level !== null)
  const problems = values
    .filter(value => levelOf(value) === null)
    .map(value => ({ key: 'level', value, instead: levels.length > 0 ? 'the other levels' : 'all levels' }))
  const listOf = (key: 'service' | 'host' | 'source'): string[] | null =>
    all(search, key).length > 0 ? [...all(search, key)] : null
  const filter: LogFilter = {
    query: query === '' ? null : query,
    levels: levels.length > 0 ? levels : null,
    services: listOf('service'),
    hosts: listOf('host'),
    sources: listOf('source')
  }
  return { filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null)), problems }
}
