import { RE2JS } from 're2js'
import type { LabelMatcher } from '../../ports/metric-store.js'

/** A test of values against a condition; the parser has looked at its regex. */
export function matcherTest({ op, value }: LabelMatcher): (text: string) => boolean {
  if (op === 'eq') return text => text === value
  if (op === 'neq') return text => text !== value
  const regex = RE2JS.compile(value, RE2JS.DOTALL)
  return op === 'regex' ? text => regex.matches(text) : text => !regex.matches(text)
}
