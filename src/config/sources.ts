import { parse } from 'yaml'
import { nearest } from '../domain/nearest.js'
import { ENV_PREFIX, namesOf } from '../settings/setting.js'
import type { SettingKey } from './settings.js'
import { SETTINGS } from './settings.js'

/** Settings as text, by key, from one source; with what was wrong in it. */
export interface SettingsSource {
  readonly values: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

const CONFIG_KEY = 'config'
const KEYS = Object.keys(SETTINGS) as SettingKey[]
const SECRET_FILE_KEYS = KEYS.filter(key => SETTINGS[key].isSecret).map(key => `${key}_file`)
const FLAG_KEYS = [...KEYS.filter(key => !SETTINGS[key].isSecret), ...SECRET_FILE_KEYS, CONFIG_KEY]
const FILE_KEYS = [...KEYS, ...SECRET_FILE_KEYS]
const ENV_KEYS = [...FILE_KEYS, CONFIG_KEY]
/** Variables of the tests and benches, which the service itself does not read. */
const TOOL_VARIABLE = /^ALIDADE_(?:TEST|BENCH)_/

function unknown(what: string, near: string | null): string {
  return near === null ? `${what} is not a setting` : `${what} is not a setting: did you mean ${near}?`
}

/** Flags as `--data-dir x` or `--data-dir=x`; a flag alone is `true`. */
export function readFlags(argv: readonly string[]): SettingsSource {
  const values = new Map<string, string>()
  const problems: string[] = []
  const byFlag = new Map(FLAG_KEYS.map(key => [namesOf(key).flag, key]))
  for (let i = 0; i < argv.length; i++) {
    const [name = '', ...rest] = argv[i]!.split('=')
    const key = byFlag.get(name)
    const next = argv[i + 1]
    if (key === undefined) problems.push(unknown(name, nearest(name, [...byFlag.keys()])))
    else if (rest.length > 0) values.set(key, rest.join('='))
    else if (next === undefined || next.startsWith('--')) values.set(key, 'true')
    else {
      values.set(key, next)
      i++
    }
  }
  return { values, problems }
}

/** Variables with the product's prefix; empty ones count as not set. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): SettingsSource {
  const values = new Map<string, string>()
  const problems: string[] = []
  const byVariable = new Map(ENV_KEYS.map(key => [namesOf(key).variable, key]))
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || value === undefined || value === '' || TOOL_VARIABLE.test(name)) continue
    const key = byVariable.get(name)
    if (key === undefined) problems.push(unknown(name, nearest(name, [...byVariable.keys()])))
    else values.set(key, value)
  }
  return { values, problems }
}

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join(',')
  return null
}

function parseYaml(text: string): unknown {
  try {
    return parse(text) ?? {}
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The keys of a YAML file. */
export function readYaml(path: string, text: string): SettingsSource {
  const values = new Map<string, string>()
  const parsed = parseYaml(text)
  if (parsed instanceof Error) return { values, problems: [`${path} is not YAML: ${parsed.message}`] }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { values, problems: [`${path} must contain keys and values`] }
  const problems: string[] = []
  for (const [key, value] of Object.entries(parsed)) {
    const raw = asText(value)
    if (!FILE_KEYS.includes(key)) problems.push(unknown(`${key} in ${path}`, nearest(key, FILE_KEYS)))
    else if (raw === null) problems.push(`${key} in ${path} must be a string, a number, true, false or a list of strings`)
    else values.set(key, raw)
  }
  return { values, problems }
}
