import type { Finding } from './detector.js'

interface Node {
  readonly next: Map<number, Node>
  /** The longest proper end of this node's string that is a node. */
  fail: Node | null
  /** Length of the longest literal that ends here; 0 when none does. */
  length: number
}

function newNode(): Node {
  return { next: new Map(), fail: null, length: 0 }
}

/**
 * Finds any of some strings in one pass (Aho and Corasick, 1975): the time grows with the length of the text, however many
 * literals there are.
 */
export class LiteralMatcher {
  readonly #root = newNode()

  constructor(literals: readonly string[]) {
    for (const literal of literals) this.#add(literal)
    this.#linkFailures()
  }

  /** Parts of the text that are a literal, in order; those that overlap are one. */
  find(text: string): readonly Finding[] {
    const found: { start: number; end: number }[] = []
    let node = this.#root
    for (let at = 0; at < text.length; at++) {
      node = this.#step(node, text.charCodeAt(at))
      if (node.length === 0) continue
      const [start, end] = [at + 1 - node.length, at + 1]
      let begin = start
      while (found.length > 0 && found.at(-1)!.end > begin) begin = Math.min(begin, found.pop()!.start)
      found.push({ start: begin, end })
    }
    return found
  }

  #add(literal: string): void {
    let node = this.#root
    for (let i = 0; i < literal.length; i++) {
      const code = literal.charCodeAt(i)
      const next = node.next.get(code) ?? newNode()
      node.next.set(code, next)
      node = next
    }
    node.length = literal.length
  }

  #step(from: Node, code: number): Node {
    for (let node: Node | null = from; node !== null; node = node.fail) {
      const next = node.next.get(code)
      if (next) return next
    }
    return this.#root
  }

  /** Breadth first, so that the failures of shorter strings are known. */
  #linkFailures(): void {
    const open = [this.#root]
    for (let node = open.shift(); node; node = open.shift()) {
      for (const [code, next] of node.next) {
        next.fail = node.fail === null ? this.#root : this.#step(node.fail, code)
        next.length = Math.max(next.length, next.fail.length)
        open.push(next)
      }
    }
  }
}
