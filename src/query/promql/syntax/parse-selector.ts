import type { LabelMatcher } from '../../../ports/metric-store.js'
import { NAME } from '../labels.js'
import type { RegexBound } from '../regex-bound.js'
import type { VectorSelector } from './ast.js'
import { MATCHER_SIGNS } from './operators.js'
import { TokenStream } from './token-stream.js'
import { matcherTest } from '../label-matcher.js'
import { goQuoted } from '../go-quote.js'

const OPS = new Map(Object.entries(MATCHER_SIGNS).map(([op, sign]) => [sign, op as LabelMatcher['op']]))
const CONTEXT = 'label matching'

/** `name{...}` or `{...}`; the stream is at the name or the brace. Its content is checked with the types. */
export function parseSelector(tokens: TokenStream): VectorSelector {
  const { start } = tokens.current
  const name = tokens.current.kind === 'word' ? tokens.take().text : null
  const matchers: LabelMatcher[] = name === null ? [] : [{ name: NAME, op: 'eq', value: name }]
  if (tokens.accept('{')) matchers.push(...parseMatchers(tokens))
  return { type: 'selector', name, matchers, offsetMs: 0, at: null, position: { start, end: tokens.lastEnd } }
}

/**
 * A selector alone, as those who list series and labels name them; `regexes` bounds those of all selectors of a request.
 * Throws `PromqlSyntaxError`.
 */
export function parseSeriesSelector(query: string, regexes: RegexBound): VectorSelector {
  const tokens = new TokenStream(query, true, regexes)
  if (tokens.current.kind !== 'word' && !tokens.isOperator('{')) throw tokens.unexpected(null)
  const selector = parseSelector(tokens)
  if (!tokens.isAtEnd) throw tokens.unexpected(null)
  const fault = selectorFault(selector)
  if (fault !== null) throw tokens.error(0, fault)
  return selector
}

function parseMatchers(tokens: TokenStream): readonly LabelMatcher[] {
  const matchers: LabelMatcher[] = []
  while (!tokens.accept('}')) {
    matchers.push(parseMatcher(tokens))
    if (!tokens.accept(',') && !tokens.isOperator('}')) throw tokens.unexpected(CONTEXT, '"," or "}"')
  }
  return matchers
}

function parseMatcher(tokens: TokenStream): LabelMatcher {
  const token = tokens.current
  if (token.kind !== 'word' && token.kind !== 'string') throw tokens.unexpected(CONTEXT, 'identifier or "}"')
  tokens.take()
  const op = tokens.current.kind === 'operator' ? OPS.get(tokens.current.text) : undefined
  // A quoted text alone is the name of the metric: {"http.requests"}.
  if (op === undefined && token.kind === 'string') return { name: NAME, op: 'eq', value: token.text }
  if (op === undefined) throw tokens.unexpected(CONTEXT, 'label matching operator')
  tokens.take()
  const { text: value } = tokens.expectKind('string', CONTEXT)
  if (op === 'regex' || op === 'not_regex') tokens.checkRegex(token.start, value)
  return { name: token.text, op, value }
}

/** What is wrong with the conditions of a selector as a whole, in the terms of Prometheus; null where nothing is. */
export function selectorFault({ name, matchers }: VectorSelector): string | null {
  if (name === null) {
    // An absent label is the empty text: such conditions would select every series.
    const isEmpty = matchers.every(matcher => matcherTest(matcher)(''))
    return isEmpty ? 'vector selector must contain at least one non-empty matcher' : null
  }
  const [, ...inBraces] = matchers
  const twice = inBraces.find(matcher => matcher.name === NAME)
  return twice === undefined ? null : `metric name must not be set twice: ${goQuoted(name)} or ${goQuoted(twice.value)}`
}
