import { unreachable } from '../../../domain/errors.js'
import type { CharSet, Regex } from './regex-syntax.js'

/**
 * Lucene makes an automaton with one state at a time of each regex, and refuses those that take more than 100,000 steps
 * (`Operations.determinize`, work limit 10,000): a state of it costs as many steps as it unites positions of the regex.
 * Its automata have up to twice as many states as a regex has positions, and some versions make them part by part.
 */
const MAX_STEPS = 25_000
/** Characters and sets of a regex whose counted repetitions are written out. */
const MAX_POSITIONS = 2_000
/** Positions that are looked at of one regex: some 10 ms. */
const MAX_WORK = 200_000
/** Of all regexes of one filter. */
const MAX_FILTER_WORK = 800_000

const LAST_CHAR = 0x10ffff
const ANY: CharSet = { ranges: [], isNegated: true }

/** A part of a regex by its positions (Glushkov's automaton). */
interface Part {
  readonly isEmpty: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

const NOTHING: Part = { isEmpty: true, first: [], last: [] }

class TooMuch extends Error {}

class Work {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  get left(): number {
    return this.#left
  }

  spend(work: number): void {
    if (work > this.#left) throw new TooMuch()
    this.#left -= work
  }
}

/** The positions of a regex, each a set of characters, and which can follow each. */
class Positions {
  readonly #work: Work
  /** Sets of characters by what is equal for equal ones. */
  readonly #numbers = new Map<CharSet | string, number>()
  readonly sets: CharSet[] = []
  /** The set of each position, by its number. */
  readonly setOf: number[] = []
  readonly #follow: Set<number>[] = []

  constructor(work: Work) {
    this.#work = work
  }

  partOf(regex: Regex): Part {
    switch (regex.kind) {
      case 'char': {
        const code = regex.char.codePointAt(0)!
        return this.#position({ ranges: [[code, code]], isNegated: false }, regex.char)
      }
      case 'any':
        return this.#position(ANY)
      case 'set':
        return this.#position(regex.set)
      case 'repeat':
        return this.#repeated(regex)
      case 'sequence':
        return regex.of.reduce((before, one) => this.#joined(before, this.partOf(one)), NOTHING)
      case 'choice':
        return anyOf(regex.of.map(one => this.partOf(one)))
      default:
        return unreachable(regex)
    }
  }

  /** The positions that can follow any of these, in order. */
  after(state: readonly number[]): readonly number[] {
    const found = new Set<number>()
    for (const position of state) {
      this.#work.spend(this.#follow[position]!.size)
      for (const next of this.#follow[position]!) found.add(next)
    }
    return [...found].toSorted((a, b) => a - b)
  }

  #position(set: CharSet, key: CharSet | string = set): Part {
    const number = this.#numbers.get(key) ?? this.sets.push(set) - 1
    this.#numbers.set(key, number)
    const index = this.setOf.push(number) - 1
    if (index >= MAX_POSITIONS) throw new TooMuch()
    this.#follow.push(new Set())
    return { isEmpty: false, first: [index], last: [index] }
  }

  #joined(before: Part, after: Part): Part {
    this.#link(before.last, after.first)
    this.#work.spend(before.first.length + before.last.length + after.first.length + after.last.length)
    return {
      isEmpty: before.isEmpty && after.isEmpty,
      first: before.isEmpty ? [...before.first, ...after.first] : before.first,
      last: after.isEmpty ? [...before.last, ...after.last] : after.last
    }
  }

  /** `a{2,4}` is `aa(a(a)?)?`: each position has few that follow it. */
  #repeated({ of, least, most }: Extract<Regex, { kind: 'repeat' }>): Part {
    let part = most === null ? this.#looped(this.partOf(of)) : NOTHING
    for (let i = most ?? least; i > 0; i--) {
      // Of nothing, too: `(){9999}` can be nested.
      this.#work.spend(1)
      const joined = this.#joined(this.partOf(of), part)
      part = i > least ? { ...joined, isEmpty: true } : joined
    }
    return part
  }

  #looped(part: Part): Part {
    this.#link(part.last, part.first)
    return { ...part, isEmpty: true }
  }

  #link(before: readonly number[], after: readonly number[]): void {
    this.#work.spend(before.length * after.length)
    for (const position of before) for (const next of after) this.#follow[position]!.add(next)
  }
}

function anyOf(parts: readonly Part[]): Part {
  return {
    isEmpty: parts.some(({ isEmpty }) => isEmpty),
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last)
  }
}

function has({ ranges, isNegated }: CharSet, code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last) !== isNegated
}

/** For each kind of character that makes a difference, whether each set has it. */
function characterKinds(sets: readonly CharSet[], work: Work): readonly (readonly boolean[])[] {
  const bounds = new Set([0, ...sets.flatMap(({ ranges }) => ranges.flatMap(([first, last]) => [first, last + 1]))])
  const kinds = new Map<string, readonly boolean[]>()
  const ranges = sets.reduce((sum, set) => sum + set.ranges.length, 0)
  for (const bound of bounds) {
    if (bound > LAST_CHAR) continue
    work.spend(sets.length + ranges)
    const taken = sets.map(set => has(set, bound))
    kinds.set(taken.map(Number).join(''), taken)
  }
  return [...kinds.values()]
}

/** Makes the states of an automaton with one state at a time. Throws `TooMuch` beyond the limits. */
function makeStates(regex: Regex, work: Work): void {
  const positions = new Positions(work)
  const { first } = positions.partOf(regex)
  const kinds = characterKinds(positions.sets, work)
  const known = new Set<string>()
  const waiting = [first]
  let steps = 0
  for (let targets = waiting.pop(); targets !== undefined; targets = waiting.pop()) {
    work.spend(targets.length * kinds.length)
    for (const takes of kinds) {
      const state = targets.filter(target => takes[positions.setOf[target]!])
      const key = state.join()
      if (known.has(key)) continue
      known.add(key)
      steps += state.length
      if (steps > MAX_STEPS) throw new TooMuch()
      waiting.push(positions.after(state))
    }
  }
}

/** Finds which regexes of one filter search engines can make automata of, within a bound for all of them. */
export class RegexEffort {
  #left = MAX_FILTER_WORK

  /** Whether engines can make the automaton within their limit. False also when the bound of the filter is used up. */
  isAffordable(regex: Regex): boolean {
    const allowed = Math.min(MAX_WORK, this.#left)
    const work = new Work(allowed)
    try {
      makeStates(regex, work)
      return true
    } catch (error) {
      if (error instanceof TooMuch) return false
      throw error
    } finally {
      this.#left -= allowed - work.left
    }
  }
}

/** A regex that matches at least what this one matches: its counted repetitions have no upper bound. */
export function withoutCounts(regex: Regex): Regex {
  switch (regex.kind) {
    case 'repeat': {
      const of = withoutCounts(regex.of)
      const least = Math.min(regex.least, 1)
      return regex.most === null || regex.most > 1 ? { kind: 'repeat', of, least, most: null } : { ...regex, of }
    }
    case 'sequence':
    case 'choice':
      return { ...regex, of: regex.of.map(withoutCounts) }
    default:
      return regex
  }
}
