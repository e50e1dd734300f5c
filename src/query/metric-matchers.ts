import { RE2JS } from 're2js'
import { GatewayError } from '../domain/errors.js'
import type { LabelMatcher } from '../ports/metric-store.js'
import type { MatcherCondition } from './metric-line.js'
import { NAME } from './promql/labels.js'

const MAX_MATCHERS = 32
const MAX_REGEX_CHARS = 1_024

function checkRegex(pattern: string): void {
  if (pattern.length > MAX_REGEX_CHARS)
    throw new GatewayError('invalid_query', `a regex may be ${MAX_REGEX_CHARS} characters long`, { field: 'match' })
  try {
    RE2JS.compile(pattern)
  } catch (error) {
    throw new GatewayError('invalid_query', `${JSON.stringify(pattern)} is not a regex of RE2`, { field: 'match', cause: error })
  }
}

/** Conditions on series as the store takes them. Throws `invalid_field` and `invalid_query`. */
export function matchersOf(metric: string | undefined, match: readonly MatcherCondition[] = []): readonly LabelMatcher[] {
  if (match.length > MAX_MATCHERS)
    throw new GatewayError('invalid_field', `a query may hold ${MAX_MATCHERS} conditions on labels`, { field: 'match' })
  for (const { op, value } of match) if (op === 'regex' || op === 'not_regex') checkRegex(value)
  return metric === undefined ? match : [{ name: NAME, op: 'eq', value: metric }, ...match]
}
