import { ConfigError } from './config.js'
import { parseDurationMs } from './duration.js'
import { nearest } from './nearest.js'
import { shown } from './shown-value.js'

const LONGEST_MS = 24 * 3_600_000
/** Strings that are numbers or booleans without their quotes. */
const QUOTED = /^(?:-?\d+(?:\.\d+)?|true|false)$/

type Section = Readonly<Record<string, unknown>>

export function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What to do where a string has to be a number or a boolean. */
function unquoted(value: unknown): string {
  return typeof value === 'string' && QUOTED.test(value) ? '; write it without quotes' : ''
}

/** What to do where a number or a boolean has to be a string. */
function quoted(value: unknown): string {
  if (value === null) return '; write "" for an empty one'
  return typeof value === 'number' || typeof value === 'boolean' ? `; write it in quotes: "${String(value)}"` : ''
}

/** Reads typed members of one section of the file and refuses those that it does not know. */
export class SectionReader {
  readonly #section: Section
  readonly #path: string

  /**
   * @param path of the section, for errors; empty: the file. @param known names that it may have.
   * @param others what may be there instead of a section, such as `true, false or `.
   */
  constructor(value: unknown, path: string, known: readonly string[], others = '') {
    if (value !== undefined && value !== null && !isSection(value)) {
      const what = `${path === '' ? 'the file' : path} must be ${others}a section of keys`
      throw new ConfigError(`${what}, such as ${known[0]!}: (got ${shown(value)})`)
    }
    this.#section = isSection(value) ? value : {}
    this.#path = path
    for (const name of Object.keys(this.#section)) this.#refuseUnknown(name, known)
  }

  #refuseUnknown(name: string, known: readonly string[]): void {
    if (known.includes(name)) return
    const near = nearest(name, known)
    const remedy = near === null ? `known are ${known.join(', ')}` : `did you mean ${near}?`
    throw new ConfigError(`${this.#key(name)} is unknown; ${remedy}`)
  }

  #key(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#section, name) ? this.#section[name] : undefined
  }

  /** A string; null when it is absent or empty. @param most characters. */
  string(name: string, most = Number.POSITIVE_INFINITY): string | null {
    const value = this.value(name)
    if (value === undefined || value === null || value === '') return null
    if (typeof value !== 'string')
      throw new ConfigError(`${this.#key(name)} must be a string (got ${shown(value)})${quoted(value)}`)
    if (value.length <= most) return value
    throw new ConfigError(`${this.#key(name)} must be at most ${most} characters (got ${value.length}: ${shown(value)})`)
  }

  /** As `string`; errors do not have the value. */
  secret(name: string): string | null {
    const value = this.value(name)
    if (value === undefined || value === null || typeof value === 'string') return this.string(name)
    throw new ConfigError(`${this.#key(name)} must be a string (got a ${typeof value}); write it in quotes`)
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.value(name) ?? otherwise
    if (typeof value === 'boolean') return value
    throw new ConfigError(`${this.#key(name)} must be true or false (got ${shown(value)})${unquoted(value)}`)
  }

  integer(name: string, otherwise: number, least: number, most: number): number {
    const value = this.value(name) ?? otherwise
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    const got = `(got ${shown(value)})${unquoted(value)}`
    throw new ConfigError(`${this.#key(name)} must be an integer from ${least} to ${most} ${got}`)
  }

  /** @param most a duration of 24 hours at most: longer timers end at once. */
  durationMs(name: string, otherwise: string, least = '1ms', most = '24h'): number {
    const value = this.value(name) ?? otherwise
    const ms = parseDurationMs(value)
    if (ms === null || ms === 0) {
      const format = 'must be a duration such as 15s: a whole number and ms, s, m or h'
      throw new ConfigError(`${this.#key(name)} ${format} (got ${shown(value)})`)
    }
    const [leastMs, mostMs] = [parseDurationMs(least)!, Math.min(parseDurationMs(most)!, LONGEST_MS)]
    if (ms >= leastMs && ms <= mostMs) return ms
    throw new ConfigError(`${this.#key(name)} must be from ${least} to ${most} (got ${shown(value)})`)
  }

  oneOf<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    const value = this.value(name) ?? otherwise
    const found = words.find(word => word === value)
    if (found !== undefined) return found
    const near = typeof value === 'string' ? nearest(value.toLowerCase(), words) : null
    const remedy = near === null ? '' : `; did you mean ${near}?`
    throw new ConfigError(`${this.#key(name)} must be one of ${words.join(', ')} (got ${shown(value)})${remedy}`)
  }

  strings(name: string): readonly string[] {
    const value = this.value(name) ?? []
    if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value
    const remedy = typeof value === 'string' ? `; write it as [${shown(value)}]` : ''
    throw new ConfigError(`${this.#key(name)} must be a list of strings (got ${shown(value)})${remedy}`)
  }

  list(name: string): readonly unknown[] {
    const value = this.value(name) ?? []
    if (Array.isArray(value)) return value
    throw new ConfigError(`${this.#key(name)} must be a list, whose entries begin with "- " (got ${shown(value)})`)
  }

  /** A section of strings, numbers and booleans, as strings. */
  tags(name: string): Readonly<Record<string, string>> {
    const value = this.value(name) ?? {}
    if (!isSection(value))
      throw new ConfigError(`${this.#key(name)} must be a section of strings, such as team: web (got ${shown(value)})`)
    const entries = Object.entries(value).map(([tag, one]): [string, string] => {
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') return [tag, String(one)]
      throw new ConfigError(`${this.#key(name)}.${tag} must be a string (got ${shown(one)})${quoted(one)}`)
    })
    return Object.fromEntries(entries)
  }
}
