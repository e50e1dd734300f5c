import { ConfigError } from './config.js'
import { parseDurationMs } from './duration.js'
import { nearest } from './nearest.js'

const LONGEST_MS = 24 * 3_600_000

type Section = Readonly<Record<string, unknown>>

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads typed members of one section of the file and refuses those that it does not know. */
export class SectionReader {
  readonly #section: Section
  readonly #path: string

  /** @param path of the section, for errors. @param known names that it may have. */
  constructor(value: unknown, path: string, known: readonly string[]) {
    if (value !== undefined && value !== null && !isSection(value)) throw new ConfigError(`${path} must be a section of keys`)
    this.#section = isSection(value) ? value : {}
    this.#path = path
    for (const name of Object.keys(this.#section)) this.#refuseUnknown(name, known)
  }

  #refuseUnknown(name: string, known: readonly string[]): void {
    if (known.includes(name)) return
    const near = nearest(name, known)
    throw new ConfigError(`${this.#key(name)} is unknown${near === null ? '' : `; did you mean ${near}?`}`)
  }

  #key(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#section, name) ? this.#section[name] : undefined
  }

  /** A string; null when it is absent or empty. */
  string(name: string): string | null {
    const value = this.value(name)
    if (value === undefined || value === null || value === '') return null
    if (typeof value !== 'string') throw new ConfigError(`${this.#key(name)} must be a string`)
    return value
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.value(name) ?? otherwise
    if (typeof value !== 'boolean') throw new ConfigError(`${this.#key(name)} must be true or false`)
    return value
  }

  integer(name: string, otherwise: number, least: number, most: number): number {
    const value = this.value(name) ?? otherwise
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    throw new ConfigError(`${this.#key(name)} must be an integer from ${least} to ${most}`)
  }

  durationMs(name: string, otherwise: string): number {
    const ms = parseDurationMs(this.value(name) ?? otherwise)
    if (ms === null || ms === 0) throw new ConfigError(`${this.#key(name)} must be a duration such as 15s`)
    // Timers that are longer by much end at once.
    if (ms > LONGEST_MS) throw new ConfigError(`${this.#key(name)} must be at most 24h`)
    return ms
  }

  oneOf<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    const value = this.value(name) ?? otherwise
    const found = words.find(word => word === value)
    if (found === undefined) throw new ConfigError(`${this.#key(name)} must be one of ${words.join(', ')}`)
    return found
  }

  strings(name: string): readonly string[] {
    const value = this.value(name) ?? []
    if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value
    throw new ConfigError(`${this.#key(name)} must be a list of strings`)
  }

  list(name: string): readonly unknown[] {
    const value = this.value(name) ?? []
    if (Array.isArray(value)) return value
    throw new ConfigError(`${this.#key(name)} must be a list`)
  }

  /** A section of strings, numbers and booleans, as strings. */
  tags(name: string): Readonly<Record<string, string>> {
    const value = this.value(name) ?? {}
    if (!isSection(value)) throw new ConfigError(`${this.#key(name)} must be a section of strings`)
    const entries = Object.entries(value).map(([tag, one]): [string, string] => {
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') return [tag, String(one)]
      throw new ConfigError(`${this.#key(name)}.${tag} must be a string`)
    })
    return Object.fromEntries(entries)
  }
}
