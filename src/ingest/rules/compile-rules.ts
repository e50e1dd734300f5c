import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import type { DropRule, FieldRule, LogRules, RedactionRules } from '../../domain/log-rules.js'
import type { LogRecord } from '../../domain/records/log.js'
import { parseQuery } from '../../query/search-language/parse-query.js'
import { LOG_VOCABULARY } from '../../query/vocabulary.js'
import { LOG_OVERRIDES } from '../recognize-log/override-names.js'
import { SecretScanner } from '../redact/secret-scanner.js'
import { FieldRules } from './field-rules.js'
import * as limits from './limits.js'
import { conditionsOf, logMatcher } from './log-matcher.js'

/** A rule that drops logs. */
export interface CompiledDrop {
  readonly name: string
  readonly keep: number
  readonly matches: (log: LogRecord) => boolean
}

/** Rules of a namespace, ready to be applied. */
export interface CompiledRules {
  /** Null: nothing is replaced. */
  readonly scanner: SecretScanner | null
  readonly drops: readonly CompiledDrop[]
  /** Null: no rule is about members. */
  readonly fields: FieldRules | null
}

const OVERRIDES: ReadonlySet<string> = new Set(LOG_OVERRIDES)
/** Known only after the rules were applied. */
const ASSIGNED_LATER: ReadonlySet<string> = new Set(['pattern_id', 'ingest_id'])

function refuse(field: string, detail: string): never {
  throw new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

function atMost(count: number, limit: number, field: string, what: string): void {
  if (count > limit) refuse(field, `has ${count} ${what}, at most ${limit} are allowed`)
}

function checkLength(text: unknown, field: string, min: number, max: number): void {
  if (typeof text !== 'string') return refuse(field, 'must be a string')
  if (text.length < min || text.length > max) refuse(field, `must have ${min} to ${max} characters (got ${text.length})`)
}

function checkRedaction({ keys, literals }: RedactionRules): void {
  atMost(keys.length, limits.MAX_KEYS, 'redact.keys', 'names')
  atMost(literals.length, limits.MAX_LITERALS, 'redact.literals', 'strings')
  for (const key of keys) checkLength(key, 'redact.keys', 1, limits.MAX_KEY_CHARS)
  for (const literal of literals) checkLength(literal, 'redact.literals', limits.MIN_LITERAL_CHARS, limits.MAX_LITERAL_CHARS)
}

function scannerOf(redact: RedactionRules): SecretScanner | null {
  checkRedaction(redact)
  return redact.detectors.length + redact.keys.length + redact.literals.length === 0 ? null : new SecretScanner(redact)
}

function filterOf(query: string, field: string): Filter {
  try {
    return parseQuery(query, LOG_VOCABULARY)
  } catch (error) {
    return refuse(field, error instanceof GatewayError ? `cannot be parsed: ${error.message}` : 'cannot be parsed')
  }
}

function compileDrop({ name, query, keep }: DropRule, index: number): CompiledDrop & { readonly conditions: number } {
  const field = `drop[${index}]`
  checkLength(name, `${field}.name`, 1, limits.MAX_NAME_CHARS)
  if (!(keep >= 0 && keep < 1)) refuse(`${field}.keep`, 'must be from 0 to less than 1')
  const filter = filterOf(query, `${field}.query`)
  const conditions = conditionsOf(filter)
  if (conditions.length === 0) refuse(`${field}.query`, 'must have a condition; it would drop every log')
  if (conditions.some(({ kind }) => kind === 'regex'))
    refuse(`${field}.query`, 'must not have a regular expression; use a phrase or a prefix')
  const late = conditions.find(condition => condition.field.in === 'known' && ASSIGNED_LATER.has(condition.field.name))
  if (late) refuse(`${field}.query`, `must not name ${late.field.name}, which is assigned after the rules`)
  return { name, keep, matches: logMatcher(filter), conditions: conditions.length }
}

function compileDrops(rules: readonly DropRule[]): readonly CompiledDrop[] {
  atMost(rules.length, limits.MAX_DROP_RULES, 'drop', 'rules')
  const drops = rules.map(compileDrop)
  if (new Set(rules.map(({ name }) => name)).size < rules.length) refuse('drop', 'has two rules of one name')
  const conditions = drops.reduce((sum, drop) => sum + drop.conditions, 0)
  atMost(conditions, limits.MAX_DROP_CONDITIONS, 'drop', 'conditions in all queries together')
  return drops
}

function checkFieldRule({ when, overrides }: FieldRule, index: number): void {
  const field = `fields[${index}]`
  atMost(Object.keys(when).length, limits.MAX_WHEN, `${field}.when`, 'members')
  for (const [name, value] of Object.entries(when)) {
    checkLength(name, `${field}.when`, 1, limits.MAX_KEY_CHARS)
    checkLength(value, `${field}.when`, 1, limits.MAX_VALUE_CHARS)
  }
  if (Object.keys(overrides).length === 0) refuse(field, 'must have an override, such as message_field')
  for (const [name, value] of Object.entries(overrides)) {
    if (!OVERRIDES.has(name)) refuse(field, `has an unknown override ${name}`)
    checkLength(value, `${field}.${name}`, 1, limits.MAX_OVERRIDE_CHARS)
  }
}

function compileFields(rules: readonly FieldRule[]): FieldRules | null {
  atMost(rules.length, limits.MAX_FIELD_RULES, 'fields', 'rules')
  for (const [index, rule] of rules.entries()) checkFieldRule(rule, index)
  return rules.length === 0 ? null : new FieldRules(rules)
}

/** Checks and prepares rules. `invalid_field` with the rule's place for one that cannot be followed, `invalid_query`. */
export function compileRules({ redact, drop, fields }: LogRules): CompiledRules {
  return { scanner: scannerOf(redact), drops: compileDrops(drop), fields: compileFields(fields) }
}
