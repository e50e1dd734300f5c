import { type ErrorItem, GatewayError } from '../../../domain/errors.js'
import { parsePromqlDurationMs } from '../../../query/promql/syntax/duration.js'

/** A member that cannot be read; the parser goes on with the next one. */
class MemberFault extends Error {}

/** Members of an object as it was sent. */
type Sent = Readonly<Record<string, unknown>>

/** The errors of one rule: all of them are reported together. */
export class RuleFaults {
  readonly #items: ErrorItem[] = []

  add(field: string, detail: string): void {
    this.#items.push({ code: 'invalid_field', field, detail })
  }

  /** The errors so far. */
  get items(): readonly ErrorItem[] {
    return this.#items
  }

  /** Throws `invalid_field` with the first error, and all of them as items, when there is any. */
  check(): void {
    const [first] = this.#items
    if (first === undefined) return
    const message = first.field === undefined ? first.detail : `${first.field}: ${first.detail}`
    const more = this.#items.length - 1
    throw new GatewayError('invalid_field', more > 0 ? `${message} (and ${more} more)` : message, {
      ...(first.field !== undefined && { field: first.field }),
      errors: this.#items
    })
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Reads the members of an object that a client sent; what is wrong with one goes to `faults` and reads as its default. */
export class RuleInput {
  readonly path: string
  readonly #sent: Sent
  readonly #faults: RuleFaults

  constructor(value: unknown, path: string, faults: RuleFaults) {
    this.path = path
    this.#faults = faults
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject) faults.add(path, `must be an object, got ${shown(value)}`)
    this.#sent = isObject ? (value as Sent) : {}
  }

  /** Records an error of a member. */
  fault(name: string, detail: string): void {
    this.#faults.add(this.pathOf(name), detail)
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`
  }

  /** The member as it was sent; undefined for null, too. */
  get(name: string): unknown {
    return Object.hasOwn(this.#sent, name) ? (this.#sent[name] ?? undefined) : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Names of all members. */
  names(): readonly string[] {
    return Object.keys(this.#sent)
  }

  /** Refuses all members but these. */
  only(names: readonly string[]): void {
    for (const name of Object.keys(this.#sent))
      if (!names.includes(name)) this.fault(name, `is not a known member; use ${names.join(', ')}`)
  }

  object(name: string): RuleInput {
    return new RuleInput(this.get(name), this.pathOf(name), this.#faults)
  }

  /** Members of a list of objects; none, with an error, for other values and for longer lists. */
  objects(name: string, maxCount: number): readonly RuleInput[] {
    const value = this.get(name)
    if (value === undefined) return []
    if (!Array.isArray(value)) this.fault(name, `must be a list of objects, got ${shown(value)}`)
    else if (value.length > maxCount) this.fault(name, `must not exceed ${maxCount} entries (got ${value.length})`)
    else return value.map((each, at) => new RuleInput(each, `${this.pathOf(name)}[${at}]`, this.#faults))
    return []
  }

  string(name: string, maxChars: number): string | null {
    return this.#read(name, null, value => {
      if (typeof value !== 'string') throw new MemberFault(`must be a string, got ${shown(value)}`)
      if (value.length > maxChars) throw new MemberFault(`must not exceed ${maxChars} characters (got ${value.length})`)
      if (!value.isWellFormed()) throw new MemberFault('must be well-formed Unicode')
      return value
    })
  }

  oneOf<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    return this.#read(name, otherwise, value => {
      const found = values.find(each => each === value)
      if (found === undefined) throw new MemberFault(`must be one of ${values.join(', ')}, got ${shown(value)}`)
      return found
    })
  }

  boolean(name: string, otherwise: boolean): boolean {
    return this.#read(name, otherwise, value => {
      if (typeof value !== 'boolean') throw new MemberFault(`must be true or false, got ${shown(value)}`)
      return value
    })
  }

  number(name: string): number | null {
    return this.#read(name, null, value => {
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw new MemberFault(`must be a finite number, got ${shown(value)}`)
      return value
    })
  }

  /** Milliseconds of a duration as Prometheus writes it, such as `5m` or `1h30m`. */
  duration(
    name: string,
    { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number }
  ): number {
    return this.#read(name, otherwise, value => {
      const ms = typeof value === 'string' ? parsePromqlDurationMs(value) : value === 0 ? 0 : null
      if (ms === null) throw new MemberFault(`must be a duration such as "30s", "5m" or "1h30m", got ${shown(value)}`)
      if (ms < least) throw new MemberFault(`must be at least ${least / 1_000}s, got ${shown(value)}`)
      if (ms > most) throw new MemberFault(`must not exceed ${most / 86_400_000}d, got ${shown(value)}`)
      return ms
    })
  }

  strings(name: string, maxCount: number, maxChars: number): readonly string[] {
    return this.#read(name, [], value => {
      const isList = Array.isArray(value) && value.every(each => typeof each === 'string')
      if (!isList) throw new MemberFault(`must be a list of strings, got ${shown(value)}`)
      const strings = value as readonly string[]
      if (strings.length > maxCount) throw new MemberFault(`must not exceed ${maxCount} entries (got ${strings.length})`)
      const long = strings.find(each => each.length > maxChars)
      if (long !== undefined) throw new MemberFault(`an entry must not exceed ${maxChars} characters (got ${long.length})`)
      return strings
    })
  }

  /** Members of an object of strings, by name. */
  stringMap(name: string): readonly { readonly name: string; readonly value: string }[] {
    if (!this.has(name)) return []
    const object = this.object(name)
    const entries = Object.keys(object.#sent).sort()
    return entries.flatMap(key => {
      const value = object.#sent[key]
      if (typeof value === 'string' && value.isWellFormed()) return [{ name: key, value }]
      object.fault(key, `must be a string of well-formed Unicode, got ${shown(value)}`)
      return []
    })
  }

  #read<T>(name: string, otherwise: T, read: (value: unknown) => T): T {
    const value = this.get(name)
    if (value === undefined) return otherwise
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof MemberFault)) throw error
      this.fault(name, error.message)
      return otherwise
    }
  }
}
