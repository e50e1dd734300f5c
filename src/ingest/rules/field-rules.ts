import type { FieldRule } from '../../domain/log-rules.js'
import type { LogDefaults } from '../log-defaults.js'
import type { RawObject } from '../raw-object.js'
import { DEFAULT_LOG_OPTIONS, type LogOptions } from '../recognize-log/log-options.js'
import { parseLogOverrides } from '../recognize-log/log-overrides.js'
import type { LogOverrides } from '../recognize-log/override-names.js'
import { compilePath, findMember, type PathStep } from '../recognize-log/member-path.js'

interface Condition {
  readonly name: string
  readonly steps: readonly PathStep[]
  readonly value: string
}

interface CompiledRule {
  readonly when: readonly Condition[]
  readonly overrides: LogOverrides
  readonly options: LogOptions
  /** With the overrides of a request, which take precedence. */
  readonly merged: WeakMap<LogOptions, LogOptions>
}

const DEFAULTED: ReadonlySet<string> = new Set(['service', 'host', 'environment', 'source'])

function compile({ when, overrides }: FieldRule): CompiledRule {
  return {
    when: Object.entries(when).map(([name, value]) => ({ name, steps: compilePath(name), value })),
    overrides,
    options: parseLogOverrides(overrides),
    merged: new WeakMap()
  }
}

function holds({ name, steps, value }: Condition, raw: RawObject, defaults: LogDefaults): boolean {
  const sent = findMember(raw, steps)?.value
  const actual = sent ?? (DEFAULTED.has(name) ? defaults[name as 'service'] : null)
  if (typeof actual !== 'string' && typeof actual !== 'number' && typeof actual !== 'boolean') return false
  return String(actual) === value
}

/** Which members the logs of each sender are read by. */
export class FieldRules {
  readonly #rules: readonly CompiledRule[]

  /** `invalid_field` for an override that cannot be followed. */
  constructor(rules: readonly FieldRule[]) {
    this.#rules = rules.map(compile)
  }

  /** How a record is recognized: by the first rule that matches it, under the overrides of its request. */
  optionsOf(raw: RawObject, request: LogOptions, defaults: LogDefaults): LogOptions {
    const rule = this.#rules.find(({ when }) => when.every(condition => holds(condition, raw, defaults)))
    if (rule === undefined) return request
    if (request === DEFAULT_LOG_OPTIONS) return rule.options
    const known = rule.merged.get(request)
    if (known !== undefined) return known
    const merged = parseLogOverrides({ ...rule.overrides, ...request.overrides })
    rule.merged.set(request, merged)
    return merged
  }
}
