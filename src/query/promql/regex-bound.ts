import { RE2JS, RE2JSException } from 're2js'
import { plainAlternatives, regexSize } from '../../domain/regex.js'
import { classesCost } from '../../domain/regex-classes.js'

const MAX_LIST_CHARS = 10_000
/** With repetitions written out, and classes of characters by what reading them costs. A label value of 1 KiB takes some 50 ms at worst. */
const MAX_REGEX_SIZE = 1_000
/** Of all regexes of a query together: each is compiled wherever it is used. */
const MAX_REGEX_SIZES = 10_000
const CLASSES = 'a class of Unicode counts as 20 to 100, a wide range in (?i) as one for 50 characters'

/** Why a regex may not be used, or null: compiling or running a larger one would delay everybody else. */
export function regexRefusal(pattern: string): string | null {
  if (pattern.length > MAX_LIST_CHARS) return `a regex must not exceed ${MAX_LIST_CHARS} characters`
  if (costOf(pattern) <= MAX_REGEX_SIZE || plainAlternatives(pattern) !== null) return null
  const detail = `a regex that is not a list of values must not exceed ${MAX_REGEX_SIZE} characters with expanded repetitions`
  return classesCost(pattern) === 0 ? detail : `${detail}; ${CLASSES}`
}

/** Bounds and reads the regexes of one query. */
export class RegexBound {
  #size = 0

  /** The error of an invalid regex in Prometheus's words; null for a valid one. */
  refusal(pattern: string): string | null {
    const own = regexRefusal(pattern)
    if (own !== null || plainAlternatives(pattern) !== null) return own
    this.#size += costOf(pattern)
    if (this.#size > MAX_REGEX_SIZES) {
      return `the regexes of a query must not exceed ${MAX_REGEX_SIZES} characters in total with expanded repetitions`
    }
    return syntaxFault(pattern)
  }
}

function costOf(pattern: string): number {
  return regexSize(pattern) + classesCost(pattern)
}

function syntaxFault(pattern: string): string | null {
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    if (error instanceof RE2JSException) return error.message
    throw error
  }
}
