import { GatewayError } from '../domain/errors.js'
import type { LabelMatcher } from '../ports/metric-store.js'
import type { MatcherCondition } from './metric-line.js'
import { NAME } from './promql/labels.js'
import { RegexBound } from './promql/regex-bound.js'

const MAX_MATCHERS = 32

/** Conditions on series as the store takes them. Throws `invalid_field` and `invalid_query`. */
export function matchersOf(metric: string | undefined, match: readonly MatcherCondition[] = []): readonly LabelMatcher[] {
  if (match.length > MAX_MATCHERS)
    throw new GatewayError('invalid_field', `a query must not exceed ${MAX_MATCHERS} label matchers`, { field: 'match' })
  const regexes = new RegexBound()
  for (const { op, value } of match) {
    const refusal = op === 'regex' || op === 'not_regex' ? regexes.refusal(value) : null
    if (refusal !== null) throw new GatewayError('invalid_query', refusal, { field: 'match' })
  }
  return metric === undefined ? match : [{ name: NAME, op: 'eq', value: metric }, ...match]
}
