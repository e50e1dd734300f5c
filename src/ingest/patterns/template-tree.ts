import type { PatternNode } from './pattern-node.js'
import { VARIABLE } from '../../domain/log-pattern.js'

/** Most steps of one look-up, so that no sequence of templates makes it exponential. */
const MAX_STEPS = 512
/** Most templates that one look-up returns. */
const MAX_FOUND = 8

interface Branch {
  readonly constant: Map<string, Branch>
  variable: Branch | null
  node: PatternNode | null
}

function branch(): Branch {
  return { constant: new Map(), variable: null, node: null }
}

/** The templates that came from merges, by their tokens: finds those that cover a sequence of tokens. */
export class TemplateTree {
  readonly #byLength = new Map<number, Branch>()
  #steps = 0

  add(node: PatternNode): void {
    let at = this.#byLength.get(node.tokens.length)
    if (at === undefined) this.#byLength.set(node.tokens.length, (at = branch()))
    for (const token of node.tokens) {
      if (token === VARIABLE) {
        at = at.variable ??= branch()
        continue
      }
      let next = at.constant.get(token)
      if (next === undefined) at.constant.set(token, (next = branch()))
      at = next
    }
    at.node = node
  }

  /** Roots of the templates that have a variable part or the same token at every position. */
  covering(tokens: readonly string[]): Set<PatternNode> {
    const found = new Set<PatternNode>()
    const top = this.#byLength.get(tokens.length)
    this.#steps = MAX_STEPS
    if (top !== undefined) this.#descend(top, tokens, 0, found)
    return found
  }

  #descend(at: Branch, tokens: readonly string[], index: number, found: Set<PatternNode>): void {
    if (this.#steps-- <= 0 || found.size === MAX_FOUND) return
    if (index === tokens.length) {
      if (at.node !== null) found.add(at.node.root)
      return
    }
    const token = tokens[index]!
    const next = token === VARIABLE ? undefined : at.constant.get(token)
    if (next !== undefined) this.#descend(next, tokens, index + 1, found)
    if (at.variable !== null) this.#descend(at.variable, tokens, index + 1, found)
  }
}
