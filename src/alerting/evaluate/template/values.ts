import { goNumber } from '../../../query/promql/go-number.js'
import { TemplateError } from './template-error.js'

/** A value of a template. Whole constants of templates are `bigint` (Go: int), samples `number` (Go: float64). */
export type TemplateValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly TemplateValue[]
  | ReadonlyMap<string, TemplateValue>

/** Whether the value is a list. */
export function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value)
}

/** Whether the value is a map. */
export function isMap(value: TemplateValue): value is ReadonlyMap<string, TemplateValue> {
  return value instanceof Map
}

/** Go's name of the type of a value, for errors. */
export function typeName(value: TemplateValue): string {
  if (value === null) return 'nil'
  if (isList(value)) return '[]interface {}'
  if (isMap(value)) return 'map[string]string'
  return { string: 'string', number: 'float64', bigint: 'int', boolean: 'bool' }[typeof value as 'string']
}

/** Whether `if` takes the value as true: not empty, not zero. */
export function isTrue(value: TemplateValue): boolean {
  if (isList(value)) return value.length > 0
  if (isMap(value)) return value.size > 0
  return typeof value === 'number' ? value !== 0 : Boolean(value)
}

/** Entries of a map by key, the order in which Go's templates visit them. */
export function sortedEntries(map: ReadonlyMap<string, TemplateValue>): readonly (readonly [string, TemplateValue])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A value as Go prints it (`%v`). */
export function printed(value: TemplateValue): string {
  if (value === null) return '<no value>'
  if (isList(value)) return `[${value.map(printed).join(' ')}]`
  if (isMap(value))
    return `map[${sortedEntries(value)
      .map(([key, each]) => `${key}:${printed(each)}`)
      .join(' ')}]`
  return typeof value === 'number' ? goNumber(value) : String(value)
}

/** The number of an argument: a float, an integer, or a string as Go's `ParseFloat` reads it. Throws `TemplateError`. */
export function numberOf(value: TemplateValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') throw new TemplateError(`can't convert ${typeName(value)} to float`)
  const parsed = parseFloatOfGo(value)
  if (parsed === null) throw new TemplateError(`strconv.ParseFloat: parsing ${JSON.stringify(value)}: invalid syntax`)
  return parsed
}

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const INFINITE = /^([-+]?)inf(?:inity)?$/i

function parseFloatOfGo(text: string): number | null {
  if (DECIMAL.test(text)) return Number(text)
  const infinite = INFINITE.exec(text)
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
  return /^nan$/i.test(text) ? Number.NaN : null
}

/** The string of an argument. Throws `TemplateError`. */
export function stringOf(value: TemplateValue): string {
  if (typeof value === 'string') return value
  throw new TemplateError(`wrong type for value; expected string; got ${typeName(value)}`)
}
