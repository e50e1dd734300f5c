import { RE2JS } from 're2js'
import { fold } from '../../../domain/case-folding.js'
import type { Filter } from '../../../domain/filter.js'

/** Decides whether a whole string matches the condition's RE2 pattern, in linear time. */
export function regexOf({ pattern, fold: isFolded }: Extract<Filter, { kind: 'regex' }>): (text: string) => boolean {
  const regex = RE2JS.compile(pattern, isFolded ? RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE : RE2JS.DOTALL)
  return text => regex.matches(isFolded ? fold(text) : text)
}
