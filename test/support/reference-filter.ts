import { RE2JS } from 're2js'
import { fold } from '../../src/domain/case-folding.js'
import { unreachable } from '../../src/domain/errors.js'
import type { Field, Filter } from '../../src/domain/filter.js'
import { flatten } from '../../src/domain/flatten.js'
import type { FlatValue, JsonObject } from '../../src/domain/json.js'
import type { LogRecord } from '../../src/domain/records/log.js'

type Condition = Exclude<Filter, { kind: 'and' | 'or' | 'not' }>

const KNOWN: Readonly<Record<string, (log: LogRecord) => string | null>> = {
  message: log => log.message,
  level: log => log.level,
  service: log => log.service,
  host: log => log.host
}

function scalarStrings(value: FlatValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'object') return value.flatMap(scalarStrings)
  return [String(value)]
}

function member(object: JsonObject, name: string): readonly string[] {
  const flat = flatten(object)
  return Object.hasOwn(flat, name) ? scalarStrings(flat[name]) : []
}

/** The strings of a field of a log. */
export function valuesOf(log: LogRecord, { in: place, name }: Field): readonly string[] {
  if (place === 'known') return scalarStrings(KNOWN[name]!(log))
  const inFields = place === 'tags' ? [] : member(log.fields, name)
  return place === 'log_fields' ? inFields : [...inFields, ...member(log.tags, name)]
}

/** The number that a string reads as; null without one. */
export function numberOf(text: string): number | null {
  const number = /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : NaN
  return Number.isFinite(number) ? number : null
}

function isEqual(value: string, expected: string, { in: place }: Field): boolean {
  if (value === expected) return true
  const number = place === 'known' ? null : numberOf(expected)
  return number !== null && numberOf(value) === number
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function containsBound(value: string, bound: string | undefined, holds: (order: number) => boolean): boolean {
  if (bound === undefined) return true
  const target = numberOf(bound)
  if (target === null) return holds(compareCodePoints(value, bound))
  const number = numberOf(value)
  return number !== null && holds(number - target)
}

function satisfies(value: string, condition: Condition): boolean {
  switch (condition.kind) {
    case 'eq':
      return isEqual(value, condition.value, condition.field)
    case 'in':
      return condition.values.some(selected => isEqual(value, selected, condition.field))
    case 'text':
      return condition.values.includes(value)
    case 'exists':
      return value !== ''
    case 'range':
      return (
        containsBound(value, condition.gt, order => order > 0) &&
        containsBound(value, condition.gte, order => order >= 0) &&
        containsBound(value, condition.lt, order => order < 0) &&
        containsBound(value, condition.lte, order => order <= 0)
      )
    case 'contains':
      return fold(value).includes(fold(condition.value))
    case 'prefix':
      return value.startsWith(condition.value)
    case 'regex': {
      const [pattern, text] = condition.fold ? [fold(condition.pattern), fold(value)] : [condition.pattern, value]
      return RE2JS.compile(pattern, RE2JS.DOTALL).matches(text)
    }
    default:
      return unreachable(condition)
  }
}

/** Whether a log satisfies a filter, written straight from the rules in `domain/filter`, to hold engines against. */
export function matchesFilter(log: LogRecord, filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.every(part => matchesFilter(log, part))
  if (filter.kind === 'or') return filter.of.some(part => matchesFilter(log, part))
  if (filter.kind === 'not') return !matchesFilter(log, filter.of)
  return valuesOf(log, filter.field).some(value => satisfies(value, filter))
}
