import { parsePromqlDurationMs } from '../../../query/promql/syntax/duration.js'
import type { ExpansionBudget } from './expansion-budget.js'
import { goSprintf } from './go-format.js'
import { humanize, humanize1024, humanizeDuration, humanizePercentage, humanizeTimestamp } from './humanize.js'
import { replaceAll } from './replace-all.js'
import { TemplateError } from './template-error.js'
import { isList, isMap, isTrue, numberOf, printed, stringOf, type TemplateValue, typeName } from './values.js'

/** What functions may know besides their arguments. */
export interface FunctionContext {
  readonly budget: ExpansionBudget
  readonly externalUrl: string
  /** Time of the evaluation, Unix milliseconds. */
  readonly atMs: number
}

/** A function of templates. Throws `TemplateError`. */
interface TemplateFunction {
  /** Numbers of arguments, both inclusive. */
  readonly args: readonly [least: number, most: number]
  readonly call: (args: readonly TemplateValue[], context: FunctionContext) => TemplateValue
}

const MANY = 32

function ofNumber(format: (value: number) => string): TemplateFunction {
  return { args: [1, 1], call: ([value = null]) => format(numberOf(value)) }
}

function ofString(change: (text: string) => TemplateValue): TemplateFunction {
  return { args: [1, 1], call: ([value = null]) => change(stringOf(value)) }
}

function comparison(test: (order: number) => boolean): TemplateFunction {
  return { args: [2, 2], call: ([a = null, b = null]) => test(compare(a, b)) }
}

function sameKind(a: TemplateValue, b: TemplateValue): void {
  if (typeof a !== typeof b) throw new TemplateError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`)
}

function compare(a: TemplateValue, b: TemplateValue): number {
  sameKind(a, b)
  if (a === null || typeof a === 'object' || typeof a === 'boolean')
    throw new TemplateError(`invalid type for comparison: ${typeName(a)}`)
  if (a === b) return 0
  // NaN is neither less nor greater.
  return a < b! ? -1 : a > b! ? 1 : Number.NaN
}

function isEqual(a: TemplateValue, b: TemplateValue): boolean {
  if (a === null || b === null) return a === b
  sameKind(a, b)
  if (typeof a === 'object') throw new TemplateError(`invalid type for comparison: ${typeName(a)}`)
  return a === b
}

function lengthOf(value: TemplateValue): bigint {
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value))
  if (isList(value)) return BigInt(value.length)
  if (isMap(value)) return BigInt(value.size)
  throw new TemplateError(`len of type ${typeName(value)}`)
}

function memberAt(of: TemplateValue, key: TemplateValue): TemplateValue {
  if (isMap(of)) return of.get(stringOf(key)) ?? ''
  if (!isList(of)) throw new TemplateError(`can't index item of type ${typeName(of)}`)
  if (typeof key !== 'bigint') throw new TemplateError(`cannot index slice/array with type ${typeName(key)}`)
  const item = key < 0n ? undefined : of[Number(key)]
  if (item === undefined) throw new TemplateError(`index out of range: ${key}`)
  return item
}

/** Go's `print`: a space between operands when neither is a string. */
function joined(args: readonly TemplateValue[]): string {
  return args
    .map((arg, i) => {
      const needsSpace = i > 0 && typeof arg !== 'string' && typeof args[i - 1] !== 'string'
      return (needsSpace ? ' ' : '') + (arg === null ? '<nil>' : printed(arg))
    })
    .join('')
}

function titled(text: string): string {
  return text.replaceAll(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** `host:port` without its port; everything else as it is. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\]:[^:]*$/.exec(text)
  if (bracketed) return bracketed[1]!
  return /^[^:]*:[^:]*$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}

function withoutDomain(text: string): string {
  const [, host = '', port = ''] = /^(.*?)(:[^:]*)?$/s.exec(text) ?? []
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':')
  return isAddress ? text : (host.split('.')[0] ?? '') + port
}

function durationSeconds(text: string): number {
  const ms = parsePromqlDurationMs(text)
  if (ms === null) throw new TemplateError(`not a valid duration string: ${JSON.stringify(text)}`)
  return ms / 1_000
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : ''
}

function expressionLink(tab: number): TemplateFunction {
  return {
    args: [1, 1],
    call: ([expr = null]) => `/graph?g0.expr=${encodeURIComponent(stringOf(expr)).replaceAll('%20', '+')}&g0.tab=${tab}`
  }
}

/** A function of Prometheus that reads series: a template of an alert is a pure function of its element here. */
function unavailable(name: string): readonly [string, TemplateFunction] {
  const call = (): never => {
    throw new TemplateError(`function ${name} is not available; templates do not run queries`)
  }
  return [name, { args: [0, MANY], call }]
}

/** Functions of Go's text/template and of Prometheus (template/template.go). */
export const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['humanize', ofNumber(humanize)],
  ['humanize1024', ofNumber(humanize1024)],
  ['humanizeDuration', ofNumber(humanizeDuration)],
  ['humanizePercentage', ofNumber(humanizePercentage)],
  ['humanizeTimestamp', ofNumber(humanizeTimestamp)],
  ['toTime', ofNumber(humanizeTimestamp)],
  ['toDuration', ofNumber(humanizeDuration)],
  ['parseDuration', ofString(durationSeconds)],
  ['now', { args: [0, 0], call: (_, { atMs }) => atMs / 1_000 }],
  ['toUpper', ofString(text => text.toUpperCase())],
  ['toLower', ofString(text => text.toLowerCase())],
  ['title', ofString(titled)],
  ['stripPort', ofString(withoutPort)],
  ['stripDomain', ofString(withoutDomain)],
  ['safeHtml', ofString(text => text)],
  ['urlQueryEscape', ofString(text => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+'))],
  ['urlquery', ofString(text => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+'))],
  ['externalURL', { args: [0, 0], call: (_, { externalUrl }) => externalUrl }],
  ['pathPrefix', { args: [0, 0], call: (_, { externalUrl }) => pathOf(externalUrl) }],
  ['graphLink', expressionLink(0)],
  ['tableLink', expressionLink(1)],
  [
    'match',
    {
      args: [2, 2],
      call: ([pattern = null, text = null], { budget }) => {
        const matched = stringOf(text)
        return budget.regex(stringOf(pattern), matched.length).matcher(matched).find()
      }
    }
  ],
  [
    'reReplaceAll',
    {
      args: [3, 3],
      call: ([pattern = null, replacement = null, text = null], { budget }) =>
        replaceAll(budget, stringOf(pattern), stringOf(replacement), stringOf(text))
    }
  ],
  ['printf', { args: [1, MANY], call: ([format = null, ...args]) => goSprintf(stringOf(format), args) }],
  ['print', { args: [0, MANY], call: joined }],
  ['println', { args: [0, MANY], call: args => `${args.map(printed).join(' ')}\n` }],
  ['len', { args: [1, 1], call: ([value = null]) => lengthOf(value) }],
  ['index', { args: [1, MANY], call: ([of = null, ...keys]) => keys.reduce(memberAt, of) }],
  ['args', { args: [0, MANY], call: args => new Map(args.map((arg, i) => [`arg${i}`, arg] as const)) }],
  ['not', { args: [1, 1], call: ([value = null]) => !isTrue(value) }],
  ['and', { args: [1, MANY], call: args => args.find(arg => !isTrue(arg)) ?? args.at(-1)! }],
  ['or', { args: [1, MANY], call: args => args.find(isTrue) ?? args.at(-1)! }],
  ['eq', { args: [2, MANY], call: ([first = null, ...others]) => others.some(other => isEqual(first, other)) }],
  ['ne', { args: [2, 2], call: ([a = null, b = null]) => !isEqual(a, b) }],
  ['lt', comparison(order => order < 0)],
  ['le', comparison(order => order <= 0)],
  ['gt', comparison(order => order > 0)],
  ['ge', comparison(order => order >= 0)],
  ...['query', 'first', 'label', 'value', 'strvalue', 'sortByLabel', 'tmpl'].map(unavailable)
])
