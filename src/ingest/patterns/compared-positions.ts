import type { PatternNode } from './pattern-node.js'
import { isWord } from './signature.js'
import { VARIABLE } from '../../domain/log-pattern.js'

/** Constant words that must be left then; one more where the first word varies, which names the sentence. */
const LEFT_WORDS = 2
/** Positions of a template that are compared. */
const COMPARED_POSITIONS = 64
/** Whether a template has a variable part or the same token wherever another one of its length has a token. */
export function covers({ tokens }: PatternNode, node: PatternNode): boolean {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token !== VARIABLE && token !== node.tokens[at]) return false
  }
  return true
}

/** Positions at which a word or a variable part may differ: enough constant words are left without it. */
export function comparedPositions(tokens: readonly string[]): number[] {
  const positions: number[] = []
  let words = 0
  for (let at = 0; at < tokens.length; at++) {
    const isConstant = isWord(tokens[at]!)
    if (isConstant) words++
    if ((isConstant || tokens[at] === VARIABLE) && positions.length < COMPARED_POSITIONS) positions.push(at)
  }
  return positions.filter(at => words - (isWord(tokens[at]!) ? 1 : 0) >= (at === 0 ? LEFT_WORDS + 1 : LEFT_WORDS))
}
