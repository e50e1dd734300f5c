import { plainAlternatives, regexSize } from '../../domain/regex.js'

const MAX_LIST_CHARS = 10_000
/** With repetitions written out. A label value of 1 KiB takes some 50 ms at worst. */
const MAX_REGEX_SIZE = 1_000

/** Why a regex may not be used, or null: compiling or running a larger one would hold up everybody else. */
export function regexRefusal(pattern: string): string | null {
  if (pattern.length > MAX_LIST_CHARS) return `a regex may be ${MAX_LIST_CHARS} characters long`
  if (regexSize(pattern) <= MAX_REGEX_SIZE || plainAlternatives(pattern) !== null) return null
  return `a regex that is no list of values may be ${MAX_REGEX_SIZE} characters long with its repetitions written out`
}
