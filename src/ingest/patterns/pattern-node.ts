import { VARIABLE, type Kinds } from '../../domain/log-pattern.js'
import { kindBit, templateId } from './template.js'
import { ANY_WORD } from './tokens.js'

/** One template in memory. A template that was merged into a more general one points to it. */
export class PatternNode {
  readonly id: string
  readonly tokens: readonly string[]
  /** Kinds of each variable part, in the order of the tokens. */
  readonly kinds: Kinds[]
  parent: PatternNode | null = null

  constructor(tokens: readonly string[], kinds: Kinds[], id = templateId(tokens)) {
    this.id = id
    this.tokens = tokens
    this.kinds = kinds
  }

  /** The template that replaces this one now. */
  get root(): PatternNode {
    if (this.parent === null) return this
    return rootOf(this)
  }

  /** Adds the kinds with which its variable parts were seen, for templates that it becomes one with. */
  addKinds(kinds: readonly Kinds[]): void {
    for (let i = 0; i < kinds.length; i++) this.kinds[i]! |= kinds[i]!
  }
}

/** The least general template that covers all of some templates of one length. */
export function joinTemplates(nodes: readonly PatternNode[]): { readonly tokens: string[]; readonly kinds: Kinds[] } {
  const first = nodes[0]!
  const cursors = nodes.map(() => 0)
  const kinds: Kinds[] = []
  const tokens = first.tokens.map((token, at) => {
    const isVariable = nodes.some(node => node.tokens[at] !== token) || token === VARIABLE
    let seen = 0
    for (let n = 0; n < nodes.length; n++) {
      const node = nodes[n]!
      if (node.tokens[at] === VARIABLE) seen |= node.kinds[cursors[n]!++] ?? 0
      else seen |= kindBit(ANY_WORD)
    }
    if (!isVariable) return token
    kinds.push(seen)
    return VARIABLE
  })
  return { tokens, kinds }
}

function rootOf(node: PatternNode): PatternNode {
  let root = node
  while (root.parent !== null) root = root.parent
  for (let at = node; at.parent !== null && at.parent !== root;) {
    const next = at.parent
    at.parent = root
    at = next
  }
  return root
}
