import { allOf, type Filter } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import { kindName, type LogPattern, VARIABLE } from '../../domain/log-pattern.js'
import type { FacetValue } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Warning } from '../../domain/warning.js'
import type { LogStore } from '../../ports/log-store.js'
import { boundedCount } from '../bounds.js'
import { PATTERN_FIELD } from './logs-by-pattern.js'
import { MessageVariables } from '../../ingest/patterns/message-variables.js'

/** Latest logs of a pattern from which the values of its variable parts are read, and about their bytes. */
const VARIABLE_LOGS = 1_000
const VARIABLE_BYTES = 4 * 1024 * 1024
/** Values that a variable part lists. */
const DEFAULT_VARIABLE_VALUES = 5
const MAX_VARIABLE_VALUES = 20
/** Patterns of one list whose variable parts are read. */
export const MAX_PATTERNS_WITH_VARIABLES = 20
/** Longer values are cut to so many characters. */
const MAX_VALUE_CHARS = 256

/** A variable part of a pattern, with its most frequent values. */
export interface PatternVariable {
  /** Key of `key=value` or of a member of JSON, else its place: `$1` is the first. */
  readonly name: string
  /** As in the template: `num`, `ip`; `*` for any. */
  readonly kind: string
  readonly values: readonly FacetValue[]
  /** Different values among the logs that were read. */
  readonly distinct: number
}

/** The variable parts of a pattern in some of its logs. */
interface VariableValues {
  readonly variables: readonly PatternVariable[]
  /** Logs that were read: the latest. */
  readonly logs: number
}

/** The variable parts of a pattern. */
export interface PatternVariables extends VariableValues {
  /** False when an unreadable part cut the logs; `warnings` states which. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

const KEY = /^[\p{L}\p{N}_.-]+$/u

/** The key before the variable part at a place. */
function keyBefore(tokens: readonly string[], at: number): string | null {
  let i = at - 1
  while (i >= 0 && [' ', '"', "'"].includes(tokens[i]!)) i--
  if (tokens[i] !== '=' && tokens[i] !== ':') return null
  i--
  while (i >= 0 && ['"', "'"].includes(tokens[i]!)) i--
  const key = tokens[i]
  return key !== undefined && key !== VARIABLE && KEY.test(key) ? key : null
}

function mostFrequent(counts: ReadonlyMap<string, number>, limit: number): readonly FacetValue[] {
  const values = [...counts].map(([value, count]) => ({ value, count }))
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit)
}

/** Which logs of a pattern are read. */
interface VariablesRequest {
  /** Undefined: the catalogue does not have it. */
  readonly pattern: LogPattern | undefined
  readonly filter: Filter
  readonly range: TimeRange
  readonly values: number | undefined
}

/** Values that a variable part lists. Throws `invalid_field`. */
export function variableValues(values: number | undefined): number {
  return boundedCount(values, 'variables', { least: 1, most: MAX_VARIABLE_VALUES, otherwise: DEFAULT_VARIABLE_VALUES })
}

/** Reads the variable parts of a pattern from its latest logs. Throws `invalid_field`. */
export async function readVariables(
  logs: Pick<LogStore, 'search'>,
  ns: NamespaceId,
  { pattern, filter, range, values }: VariablesRequest,
  signal: AbortSignal
): Promise<PatternVariables> {
  const limit = variableValues(values)
  if (pattern === undefined) return { variables: [], logs: 0, complete: true, warnings: [] }
  const own = allOf([filter, { kind: 'eq', field: PATTERN_FIELD, value: pattern.id }])
  const rows = { limit: VARIABLE_LOGS, order: 'desc', maxBytes: VARIABLE_BYTES } as const
  const found = await logs.search(ns, { range, filter: own, rows }, signal)
  const messages = found.rows?.map(({ message }) => message) ?? []
  return { ...variablesOf(pattern, messages, limit), complete: found.complete, warnings: found.warnings }
}

/** Counts the values of the variable parts of a pattern in messages of it. */
export function variablesOf({ tokens, kinds }: LogPattern, messages: readonly string[], limit: number): VariableValues {
  const places = tokens.flatMap((token, at) => (token === VARIABLE ? [at] : []))
  const counts = places.map(() => new Map<string, number>())
  const reader = new MessageVariables(tokens)
  let logs = 0
  for (const message of messages) {
    const values = reader.of(message)
    if (values === null) continue
    logs++
    for (const [i, value] of values.entries()) {
      const shown = value.slice(0, MAX_VALUE_CHARS)
      counts[i]!.set(shown, (counts[i]!.get(shown) ?? 0) + 1)
    }
  }
  const variables = places.map((at, i) => ({
    name: keyBefore(tokens, at) ?? `$${i + 1}`,
    kind: kindName(kinds[i] ?? 0),
    values: mostFrequent(counts[i]!, limit),
    distinct: counts[i]!.size
  }))
  return { variables, logs }
}
