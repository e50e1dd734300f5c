import { RE2JS } from 're2js'
import { plainAlternatives } from '../../domain/regex.js'
import type { LabelMatcher } from '../../ports/metric-store.js'

/** A test of values against a condition; the parser has looked at its regex. */
export function matcherTest({ op, value }: LabelMatcher): (text: string) => boolean {
  if (op === 'eq') return text => text === value
  if (op === 'neq') return text => text !== value
  const matches = regexTest(value)
  return op === 'regex' ? matches : text => !matches(text)
}

function regexTest(pattern: string): (text: string) => boolean {
  const values = plainAlternatives(pattern)
  if (values !== null) return text => values.includes(text)
  const regex = RE2JS.compile(pattern, RE2JS.DOTALL)
  return text => regex.matches(text)
}
