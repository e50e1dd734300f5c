import { RE2JS, RE2JSException } from 're2js'
import { regexRefusal } from '../../../query/promql/regex-bound.js'
import { TemplateError } from './template-error.js'

/** Characters of one expanded template. */
export const MAX_EXPANDED_CHARS = 64 * 1024
/** Of all annotations of one evaluation. */
const MAX_STEPS = 1_000_000
const MAX_CHARS = 4 * 1024 * 1024
/** Characters matched, times the size of their regex: about 50 ns each at worst. */
const MAX_REGEX_COST = 5_000_000
const COMPILE_COST = 100

/** Bounds of templates that are expanded together, on the event loop. */
export interface ExpansionBounds {
  readonly maxSteps: number
  readonly maxChars: number
  readonly maxRegexCost: number
}

/** Bounds of all annotations of one evaluation, which has up to 1,000 alerts. */
export const EXPANSION_BOUNDS: ExpansionBounds = { maxSteps: MAX_STEPS, maxChars: MAX_CHARS, maxRegexCost: MAX_REGEX_COST }

/**
 * Bounds of the labels of one alert. They are counted for each alert alone: its identity must not depend on how many others
 * there are.
 */
export const LABEL_BOUNDS: ExpansionBounds = { maxSteps: 1_000, maxChars: 8_192, maxRegexCost: 10_000 }

/** Counts what the templates of one evaluation cost. */
export class ExpansionBudget {
  readonly #bounds: ExpansionBounds
  readonly #regexes = new Map<string, RE2JS>()
  #steps = 0
  #chars = 0
  #regexCost = 0

  constructor(bounds: ExpansionBounds = EXPANSION_BOUNDS) {
    this.#bounds = bounds
  }

  /** Counts a node or a call. */
  step(): void {
    const { maxSteps } = this.#bounds
    if (++this.#steps > maxSteps) throw new TemplateError(`the templates exceed ${maxSteps} steps`)
  }

  /** Counts a string that was made. */
  made(length: number): void {
    const { maxChars } = this.#bounds
    this.#chars += length
    if (this.#chars > maxChars) throw new TemplateError(`the templates exceed ${maxChars} characters`)
  }

  /** The compiled regex for a match of so many characters. Throws `TemplateError` for an invalid one. */
  regex(pattern: string, matchedChars: number): RE2JS {
    const known = this.#regexes.get(pattern)
    this.#countRegex(pattern.length * (matchedChars + (known ? 1 : COMPILE_COST)))
    if (known) return known
    const refusal = regexRefusal(pattern)
    if (refusal !== null) throw new TemplateError(refusal)
    const compiled = compile(pattern)
    this.#regexes.set(pattern, compiled)
    return compiled
  }

  #countRegex(cost: number): void {
    const { maxRegexCost } = this.#bounds
    this.#regexCost += cost
    if (this.#regexCost > maxRegexCost) throw new TemplateError(`the regexes of the templates exceed the cost of ${maxRegexCost}`)
  }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (error instanceof RE2JSException) throw new TemplateError(`error parsing regexp: ${error.message}`)
    throw error
  }
}
