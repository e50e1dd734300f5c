import { unreachable } from '../../domain/errors.js'
import type { Field, Filter } from '../../domain/filter.js'
import { flatten } from '../../domain/flatten.js'
import type { FlatValue, JsonObject } from '../../domain/json.js'
import { type FieldValues, matcherOf } from '../../domain/match-filter.js'
import { fieldList } from '../../domain/records/field.js'
import { LOG, type LogRecord } from '../../domain/records/log.js'

const KNOWN = new Map(fieldList(LOG).map(field => [field.name, field]))
const NONE: FieldValues = { strings: [], compares: 'text' }

function scalarStrings(value: FlatValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? value.flatMap(scalarStrings) : [String(value)]
}

function member(object: JsonObject, name: string): readonly string[] {
  const flat = flatten(object)
  return Object.hasOwn(flat, name) ? scalarStrings(flat[name]) : []
}

function knownValues(log: LogRecord, name: string): FieldValues {
  if (name === 'timestamp') return { strings: [String(log.timestampNs)], compares: 'time' }
  const field = KNOWN.get(name)
  if (field === undefined || field.type === 'object') return NONE
  const value = field.of(log as never)
  if (value === null) return NONE
  return { strings: [String(value)], compares: field.type === 'text' ? 'text' : 'number' }
}

function valuesOf(log: LogRecord, { in: place, name }: Field): FieldValues {
  if (place === 'known') return knownValues(log, name)
  const inFields = place === 'tags' ? [] : member(log.fields, name)
  const inTags = place === 'log_fields' ? [] : member(log.tags, name)
  return { strings: [...inFields, ...inTags], compares: 'free' }
}

/** Conditions of the filter that are on one field. */
export function conditionsOf(filter: Filter): readonly Exclude<Filter, { kind: 'and' | 'or' | 'not' }>[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap(conditionsOf)
    case 'not':
      return conditionsOf(filter.of)
    case 'eq':
    case 'in':
    case 'text':
    case 'exists':
    case 'range':
    case 'contains':
    case 'prefix':
    case 'regex':
      return [filter]
    default:
      return unreachable(filter)
  }
}

/** Decides whether a log that is not stored yet satisfies a filter without regular expressions. */
export function logMatcher(filter: Filter): (log: LogRecord) => boolean {
  return matcherOf(filter, {
    valuesOf,
    regexOf: () => {
      throw new Error('the filter of a rule has a regular expression')
    }
  })
}
