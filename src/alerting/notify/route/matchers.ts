import { GatewayError } from '../../../domain/errors.js'
import type { Label } from '../../../domain/metric-point.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import { matcherTest } from '../../../query/promql/label-matcher.js'
import { RegexBound } from '../../../query/promql/regex-bound.js'

/** Matchers of one route, silence or inhibition. */
export const MAX_MATCHERS = 20
/** Characters of one matcher. */
export const MAX_MATCHER_CHARS = 2_048

const OPS: Readonly<Record<string, LabelMatcher['op']>> = { '=': 'eq', '!=': 'neq', '=~': 'regex', '!~': 'not_regex' }
const SIGNS: Readonly<Record<LabelMatcher['op'], string>> = { eq: '=', neq: '!=', regex: '=~', not_regex: '!~' }
/** A name, bare or quoted, and its operator; the value follows. */
const HEAD = /^(?:"((?:[^"\\]|\\.)+)"|([^\s"'=!~{},`\\]+))\s*(=~|!~|!=|=)/su
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/su
const ESCAPE = /\\(.)/gsu
/** What a bare value cannot contain. Source: Alertmanager, configuration, `<matcher>`, UTF-8 strict mode. */
const RESERVED = /[\s"'{}!=~,\\`]/u

/** Why a string is not a matcher. */
interface Faulty {
  readonly fault: string
}

function unescaped(quoted: string): string | Faulty {
  let fault: string | null = null
  const value = quoted.replaceAll(ESCAPE, (_, char: string) => {
    if (char === 'n') return '\n'
    if (char !== '"' && char !== '\\') fault = `unknown escape sequence \\${char}`
    return char
  })
  return fault === null ? value : { fault }
}

function valueOf(raw: string): string | Faulty {
  const quoted = QUOTED.exec(raw)
  if (quoted) return unescaped(quoted[1]!)
  if (raw === '') return { fault: 'the value is missing; write "" for an empty one' }
  return RESERVED.test(raw) ? { fault: 'the value must be in double quotes' } : raw
}

function readMatcher(text: string): LabelMatcher | Faulty {
  if (text.length > MAX_MATCHER_CHARS) {
    return { fault: `a matcher must not exceed ${MAX_MATCHER_CHARS} characters (got ${text.length})` }
  }
  const trimmed = text.trim()
  const head = HEAD.exec(trimmed)
  if (!head) return { fault: 'a matcher is a label name, one of = != =~ !~ and a value, such as severity="critical"' }
  const name = head[1] === undefined ? head[2]! : unescaped(head[1])
  if (typeof name !== 'string') return name
  const value = valueOf(trimmed.slice(head[0].length).trim())
  return typeof value === 'string' ? { name, op: OPS[head[3]!]!, value } : value
}

/**
 * Reads matchers in the text form of Alertmanager, one per string: `name="value"` with `= != =~ !~`. Regular expressions
 * are RE2, match whole values and are bounded together.
 * @param field path of the list for errors. @param regexes shared by the lists of one document. `invalid_field` names the
 * faulty matcher.
 */
export function parseMatchers(
  matchers: readonly string[],
  field: string,
  regexes: RegexBound = new RegexBound()
): readonly LabelMatcher[] {
  if (matchers.length > MAX_MATCHERS) {
    throw new GatewayError('invalid_field', `${field} exceeds ${MAX_MATCHERS} matchers (got ${matchers.length})`, { field })
  }
  return matchers.map((text, at) => {
    const matcher = readMatcher(text)
    const fault = 'fault' in matcher ? matcher.fault : isRegex(matcher) ? regexes.refusal(matcher.value) : null
    if (fault === null) return matcher as LabelMatcher
    const path = `${field}.${at}`
    throw new GatewayError('invalid_field', `${path} is not a matcher: ${fault}`, { field: path })
  })
}

function isRegex({ op }: LabelMatcher): boolean {
  return op === 'regex' || op === 'not_regex'
}

/** The text form of a matcher, with its value in double quotes. */
export function formatMatcher({ name, op, value }: LabelMatcher): string {
  const isBare = !RESERVED.test(name)
  return `${isBare ? name : quoted(name)}${SIGNS[op]}${quoted(value)}`
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

/** Whether labels meet a list of matchers. */
export type LabelTest = (labels: readonly Label[]) => boolean

/** The value of a label; the empty string without it, as matchers treat absent labels. */
export function labelValue(labels: readonly Label[], name: string): string {
  return labels.find(label => label.name === name)?.value ?? ''
}

/** A test of labels against all of the matchers; compiles their regular expressions once. True for no matchers. */
export function compileMatchers(matchers: readonly LabelMatcher[]): LabelTest {
  const tests = matchers.map(matcher => ({ name: matcher.name, test: matcherTest(matcher) }))
  return labels => tests.every(({ name, test }) => test(labelValue(labels, name)))
}
