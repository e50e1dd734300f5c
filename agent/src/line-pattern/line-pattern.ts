import { parsePattern, PatternError, type PatternNode } from './parse-pattern.js'

/** `chars`: one of these characters, or none of them. `fork`: here and there. The others look at no character. */
type Step =
  | { readonly kind: 'chars'; readonly ranges: PatternRanges; readonly isNegated: boolean }
  | { readonly kind: 'fork'; first: number; second: number }
  | { readonly kind: 'start' | 'end' | 'match' }

type PatternRanges = Extract<PatternNode, { kind: 'chars' }>['ranges']

const MAX_STEPS = 2_000
/** Characters of a line that are looked at: the beginning of a record is at the beginning of its line. */
export const MATCHED_CHARS = 256

/** Writes a tree as steps, each of which goes on at the next one unless it is a fork. */
function compile(root: PatternNode): readonly Step[] {
  const steps: Step[] = []
  const add = <Added extends Step>(step: Added): Added => {
    if (steps.length >= MAX_STEPS) throw new PatternError(`is too long: counted repetitions make more than ${MAX_STEPS} steps`)
    steps.push(step)
    return step
  }
  const fork = (): Extract<Step, { kind: 'fork' }> => add({ kind: 'fork', first: steps.length + 1, second: 0 })
  const addChoice = ([first, ...others]: readonly PatternNode[]): void => {
    if (first === undefined) return
    if (others.length === 0) return addNode(first)
    const branch = fork()
    addNode(first)
    const end = fork()
    branch.second = steps.length
    addChoice(others)
    end.first = end.second = steps.length
  }
  const addRepeat = ({ of, least, most }: Extract<PatternNode, { kind: 'repeat' }>): void => {
    for (let i = 0; i < least; i++) addNode(of)
    if (most === null) {
      const loop = fork()
      const at = steps.length - 1
      addNode(of)
      const back = fork()
      back.first = back.second = at
      loop.second = steps.length
      return
    }
    const ends = Array.from({ length: most - least }, () => {
      const end = fork()
      addNode(of)
      return end
    })
    for (const end of ends) end.second = steps.length
  }
  const addNode = (node: PatternNode): void => {
    if (node.kind === 'sequence') for (const one of node.of) addNode(one)
    else if (node.kind === 'choice') addChoice(node.of)
    else if (node.kind === 'repeat') addRepeat(node)
    else add(node.kind === 'chars' ? { ...node } : { kind: node.kind })
  }
  addNode(root)
  add({ kind: 'match' })
  return steps
}

function isIn(code: number, { ranges, isNegated }: { readonly ranges: PatternRanges; readonly isNegated: boolean }): boolean {
  for (const [first, last] of ranges) if (code >= first && code <= last) return !isNegated
  return isNegated
}

/**
 * A regular expression for the beginning of lines. All its branches are followed at once (Thompson's simulation): the time
 * is bounded by the pattern and the first `MATCHED_CHARS` characters, whatever a line has.
 */
export class LinePattern {
  /** As it was written. */
  readonly source: string
  readonly #steps: readonly Step[]
  /** The look at which each step was added last. */
  readonly #addedAt: Uint32Array
  /** It can match at the first character only. */
  readonly #isAnchored: boolean
  #look = 0

  /** Throws `PatternError`. */
  constructor(source: string) {
    this.source = source
    this.#steps = compile(parsePattern(source))
    this.#isAnchored = this.#steps[0]!.kind === 'start'
    this.#addedAt = new Uint32Array(this.#steps.length)
  }

  /** Whether the pattern is found in the line. */
  matches(line: string): boolean {
    const length = Math.min(line.length, MATCHED_CHARS)
    let active: number[] = []
    for (let at = 0; at <= length; at++) {
      const next: number[] = []
      this.#beginLook()
      for (const step of active) if (this.#add(step, next, line, at)) return true
      if (this.#add(0, next, line, at)) return true
      if (at === length || (next.length === 0 && this.#isAnchored)) return false
      const code = line.charCodeAt(at)
      active = next.filter(step => isIn(code, this.#steps[step] as Extract<Step, { kind: 'chars' }>)).map(step => step + 1)
    }
    return false
  }

  #beginLook(): void {
    if (++this.#look < 2 ** 32) return
    this.#addedAt.fill(0)
    this.#look = 1
  }

  /** Follows steps that look at no character; adds those that do. Whether the pattern is found. */
  #add(from: number, next: number[], line: string, at: number): boolean {
    const open = [from]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#addedAt[index] === this.#look) continue
      this.#addedAt[index] = this.#look
      const step = this.#steps[index]!
      if (step.kind === 'match') return true
      if (step.kind === 'chars') next.push(index)
      else if (step.kind === 'fork') open.push(step.first, step.second)
      else if (step.kind === 'start' ? at === 0 : at === line.length) open.push(index + 1)
    }
    return false
  }
}
