import { matcherTest } from '../label-matcher.js'
import { NAME } from '../labels.js'
import type { VectorSelector } from './ast.js'
import { goQuoted } from '../go-quote.js'

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
