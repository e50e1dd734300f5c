import type { LabelMatcher } from '../../../ports/metric-store.js'
import { NAME } from '../labels.js'
import { regexRefusal } from '../regex-bound.js'
import type { VectorSelector } from './ast.js'
import type { TokenStream } from './token-stream.js'

const OPS: Readonly<Record<string, LabelMatcher['op']>> = { '=': 'eq', '!=': 'neq', '=~': 'regex', '!~': 'not_regex' }
const CONTEXT = 'label matching'
/** `name{...}` or `{...}`; the stream stands on the name or the brace. */
export function parseSelector(tokens: TokenStream): VectorSelector {
  const { start } = tokens.current
  const selector = parseConditions(tokens)
  if (!selector.matchers.every(matchesEmpty)) return selector
  throw tokens.error(start, 'vector selector must contain at least one non-empty matcher')
}

/** As `parseSelector`, where a selector may match every series. */
export function parseConditions(tokens: TokenStream): VectorSelector {
  const { start } = tokens.current
  const name = tokens.current.kind === 'word' ? tokens.take().text : null
  const matchers: LabelMatcher[] = name === null ? [] : [{ name: NAME, op: 'eq', value: name }]
  if (tokens.accept('{')) {
    for (const matcher of parseMatchers(tokens)) {
      if (name !== null && matcher.name === NAME && matcher.op === 'eq') {
        throw tokens.error(
          start,
          `metric name must not be set twice: ${JSON.stringify(name)} or ${JSON.stringify(matcher.value)}`
        )
      }
      matchers.push(matcher)
    }
  }
  return { type: 'selector', name, matchers, offsetMs: 0, at: null, position: { start, end: tokens.lastEnd } }
}

/** Whether a series without the label would match. */
function matchesEmpty({ op, value }: LabelMatcher): boolean {
  if (op === 'eq') return value === ''
  if (op === 'neq') return value !== ''
  // Whatever else a pattern says is tried by RE2 when the query runs; these are the ones that select everything.
  const isEmptyPattern = value === '' || value === '.*' || value === '(.*)'
  return op === 'regex' ? isEmptyPattern : !isEmptyPattern && value !== '.+'
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
  const op = tokens.current.kind === 'operator' ? OPS[tokens.current.text] : undefined
  // A quoted text alone is the name of the metric: {"http.requests"}.
  if (op === undefined && token.kind === 'string') return { name: NAME, op: 'eq', value: token.text }
  if (op === undefined) throw tokens.unexpected(CONTEXT, 'label matching operator')
  tokens.take()
  const { text: value, start } = tokens.expectKind('string', CONTEXT)
  const isRegex = op === 'regex' || op === 'not_regex'
  const refusal = isRegex ? regexRefusal(value) : null
  if (refusal !== null) throw tokens.error(start, refusal)
  return { name: token.text, op, value }
}
