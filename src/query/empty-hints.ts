import type { Field, Filter } from '../domain/filter.js'
import { nearest } from '../domain/nearest.js'
import { LEVELS } from '../domain/severity.js'
import type { ResolvedWindow } from '../domain/time-range.js'
import type { Vocabulary } from './vocabulary.js'

/** A query that found nothing. */
export interface EmptyQuery {
  readonly filter: Filter
  readonly vocabulary: Vocabulary
  readonly window: ResolvedWindow
  /** Fields that it names next to the filter, e.g. those of its facets. */
  readonly fields?: readonly Field[]
}

/** What people call a well-known field in other programs. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['msg', 'message'],
  ['lvl', 'level'],
  ['severity', 'level'],
  ['hostname', 'host'],
  ['app', 'service'],
  ['application', 'service'],
  ['ts', 'timestamp'],
  ['time', 'timestamp']
])
/** Conditions that require the presence of a field elsewhere. */
const PRESENCE: ReadonlySet<string> = new Set(['has', 'exists', '_exists_'])
const MAX_HINTS = 5
const HOUR_NS = 3_600_000_000_000n
/** The longest window that is chosen for who names none; what is longer is all that is kept. */
const MAX_UNASKED_NS = 24n * HOUR_NS
const ASSIGNMENT = /^([a-zA-Z_][\w.]*)={1,2}(.+)$/
const COMPARISON = /^([a-zA-Z_][\w.]*)(>=|<=|>|<)(\S+)$/
const NEGATION = /^([a-zA-Z_][\w.]*)!=(.+)$/
/** `{service="x"}`, as Loki and Prometheus select, or what quotation marks leave of its begin. */
const SELECTOR = /^\{\s*([a-zA-Z_][\w.]*)\s*(?:=~|!~|!=|=)/
const SLASHES = /^\/[^/]+\/$/
/** The same with a wildcard in it, as the pattern that it became. */
const WILD_SLASHES = /^(?:\.\*)?\\\/[^/]+\/(?:\.\*)?$/
const REGEX_HINT =
  'slashes were searched literally: a regex is a condition of filters, {"field": "message", "op": "regex", "value": ".*time.*out.*"}'
/** Operators when they are in capitals. */
const LOWER_OPERATORS: ReadonlySet<string> = new Set(['or', 'and', 'not'])
const OPERATORS: ReadonlySet<string> = new Set(['&&', '||', '|', '&'])

/** States that the window is the default one, the least obvious reason for missing old records. */
export function defaultWindowHint({ startNs, endNs, unitDetected }: ResolvedWindow): readonly string[] {
  const lengthNs = endNs - startNs
  if (unitDetected !== 'default' || lengthNs > MAX_UNASKED_NS) return []
  const hours = lengthNs / HOUR_NS
  return [`nothing was found in the last ${hours === 1n ? 'hour' : `${hours} hours`}, the default window without start`]
}

/** The conditions of a filter, without what combines them. */
export function leavesOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.flatMap(leavesOf)
  return filter.kind === 'not' ? leavesOf(filter.of) : [filter]
}

/** A free field whose name looks like that of a well-known one. */
function nameHint(field: Field, { free, known }: Vocabulary): readonly string[] {
  if (field.in !== free) return []
  const other = OTHER_NAMES.get(field.name.toLowerCase())
  const meant = other !== undefined && known.includes(other) ? other : nearest(field.name, known)
  return meant === null ? [] : [`${JSON.stringify(field.name)} is not a well-known field: did you mean ${meant}?`]
}

/** Conditions that hold for exact values. */
function exactValueHints(field: Field, values: readonly string[], vocabulary: Vocabulary): readonly string[] {
  if (field.in === 'known') return field.name === 'level' ? levelHints(values) : []
  if (PRESENCE.has(field.name)) return [`to search for the presence of a field, write ${values[0]!}:*`]
  return nameHint(field, vocabulary)
}

function levelHints(values: readonly string[]): readonly string[] {
  const odd = values.filter(value => !(LEVELS as readonly string[]).includes(value))
  return odd.map(value => `${JSON.stringify(value)} is not one of the usual levels: ${LEVELS.join(', ')}`)
}

/** A word that other search languages would have taken for something else. */
function wordHint(word: string, { known }: Pick<Vocabulary, 'known'>): readonly string[] {
  if (LOWER_OPERATORS.has(word))
    return [`${JSON.stringify(word)} was searched literally: the operator is ${word.toUpperCase()}, in capital letters`]
  const [, selected] = SELECTOR.exec(word) ?? []
  if (selected !== undefined)
    return [
      `${JSON.stringify(word)} was searched literally: the syntax of Loki and Prometheus selectors here is ${selected}:value here`
    ]
  const [, compared, operator, bound] = COMPARISON.exec(word) ?? []
  if (compared !== undefined)
    return [`${JSON.stringify(word)} was searched literally: to compare numbers, write ${compared}:${operator!}${bound!}`]
  const [, excluded, unwanted] = NEGATION.exec(word) ?? []
  if (excluded !== undefined)
    return [`${JSON.stringify(word)} was searched literally: to exclude a value, write -${excluded}:${unwanted!}`]
  if (SLASHES.test(word)) return [REGEX_HINT]
  const [, name, value] = ASSIGNMENT.exec(word) ?? []
  if (name !== undefined && known.includes(name))
    return [`${JSON.stringify(word)} was searched literally: to search a field, write ${name}:${value!}`]
  if (OPERATORS.has(word))
    return [
      `${JSON.stringify(word)} was searched literally: adjacent conditions are joined by AND; write OR between alternatives`
    ]
  if (word.startsWith("'") || word.endsWith("'")) return [`phrases require double quotes; ' was searched literally`]
  return []
}

function hintsOf(leaf: Filter, vocabulary: Vocabulary): readonly string[] {
  switch (leaf.kind) {
    case 'and':
    case 'or':
    case 'not':
      return []
    case 'eq':
      return exactValueHints(leaf.field, [leaf.value], vocabulary)
    case 'in':
    case 'text':
      return exactValueHints(leaf.field, leaf.values, vocabulary)
    case 'contains':
      return [...wordHint(leaf.value, vocabulary), ...nameHint(leaf.field, vocabulary)]
    case 'regex': {
      if (WILD_SLASHES.test(leaf.pattern)) return [REGEX_HINT]
      const isPart = leaf.pattern.startsWith('.*') && leaf.pattern.endsWith('.*')
      const whole = isPart ? [] : ['a regex or wildcard must match the whole value: add .* or * before and after it']
      return [...whole, ...nameHint(leaf.field, vocabulary)]
    }
    default:
      return nameHint(leaf.field, vocabulary)
  }
}

/** Sentences that may explain an empty result; they do not make it incomplete. */
export function emptyHints({ filter, vocabulary, window, fields = [] }: EmptyQuery): readonly string[] {
  const hints = [
    ...leavesOf(filter).flatMap(leaf => hintsOf(leaf, vocabulary)),
    ...fields.flatMap(field => nameHint(field, vocabulary)),
    ...defaultWindowHint(window)
  ]
  return [...new Set(hints)].slice(0, MAX_HINTS)
}
