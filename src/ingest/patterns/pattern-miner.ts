import { MessageScanner } from './message-scanner.js'
import { KeyTable } from './key-table.js'
import { joinTemplates, PatternNode } from './pattern-node.js'
import { comparedPositions, covers } from './compared-positions.js'
import { Signature } from './signature.js'
import { OVERFLOW_ID, VARIABLE, type Kinds, type LogPattern, type PatternMerge } from '../../domain/log-pattern.js'
import { kindBit } from './template.js'
import { TemplateTree } from './template-tree.js'
import { GAP, NUMBER, WORD } from './tokens.js'

/** Words that must be at one place, everything else being equal, before the place counts as variable. */
export const VARYING_WORDS = 5
/** Entries of the cache from the key of a message to its template, for each template that is allowed. */
const CACHE_RATIO = 4
/** Entries of the cache that take as much memory as a template. */
const ENTRIES_PER_TEMPLATE = 16
/** What a miner without templates takes (7 KB), in templates. */
const EMPTY_WEIGHT = 8

/** What `KeyTable` returns for an unknown key. */
const NONE = -1
/** Entries of `#contexts` from this number on are contexts with several members. */
const FIRST_SHARED = 2 ** 30

/** What a miner found since it was last drained. */
export interface MinerChanges {
  readonly added: readonly LogPattern[]
  readonly merges: readonly PatternMerge[]
}

/** Templates that differ in the token at one position only. */
interface Context {
  /** Distinct ones, as long as the position does not vary. */
  readonly members: PatternNode[]
  /** The template with a variable part at the position, once there is one. */
  variable: PatternNode | null
}

/**
 * Finds the pattern of each message of one namespace. The variable parts of a message are recognized by their form; where
 * five different words are at one place and all else is equal, the place varies too, and the templates become one. Which
 * templates are one depends on the set of messages, not on their order (docs/adr/0056).
 *
 * Time for a message is bounded by its head, memory by `limit` templates; messages beyond that share one overflow pattern.
 */
export class PatternMiner {
  readonly #scanner: MessageScanner
  readonly #limit: number
  readonly #nodes: PatternNode[] = []
  /** Positions in `#nodes`, by the key of the template. */
  readonly #byKey: KeyTable
  /** By key: positions in `#nodes` of contexts with one member; of the others `FIRST_SHARED` and their position in `#shared`. */
  readonly #contexts: KeyTable
  readonly #shared: Context[] = []
  readonly #byLength = new Map<number, PatternNode[]>()
  readonly #tree = new TemplateTree()
  readonly #words = new Map<string, string>()
  #cache = new Map<number, PatternNode>()
  #added: PatternNode[] = []
  #merges: PatternMerge[] = []
  /** Messages that got the overflow pattern. */
  overflowed = 0

  constructor(options: { readonly limit: number; readonly seed: number }) {
    this.#limit = options.limit
    this.#scanner = new MessageScanner(options.seed)
    this.#byKey = new KeyTable(options.seed)
    this.#contexts = new KeyTable(options.seed)
  }

  /** Templates in memory, merged ones included. */
  get size(): number {
    return this.#nodes.length
  }

  /** Memory that it takes, in templates: the cache of message keys and its buffers included. */
  get weight(): number {
    return EMPTY_WEIGHT + this.#nodes.length + Math.ceil(this.#cache.size / ENTRIES_PER_TEMPLATE)
  }

  /**
   * Restores what the catalogue has: templates, then merges. What several gateways added without knowing of each other may
   * be one; those merges count as changes, nothing else does.
   */
  restore(patterns: readonly LogPattern[], merges: readonly PatternMerge[]): void {
    const byId = new Map<string, PatternNode>()
    for (const { id, tokens, kinds } of patterns) {
      const node = new PatternNode(tokens, [...kinds], id)
      byId.set(id, node)
      this.#keep(node, new Signature(tokens))
    }
    const together: PatternNode[][] = []
    for (const { id, into } of merges) {
      const node = byId.get(id)
      const general = byId.get(into)
      if (node === undefined || general === undefined) continue
      if (node.parent === null && general.root !== node) node.parent = general
      else together.push([node, general])
    }
    const generals = new Set(merges.map(({ into }) => into))
    for (const node of this.#nodes) if (generals.has(node.id)) this.#tree.add(node)
    for (const [index, node] of this.#nodes.entries()) {
      const related = [node, ...this.#tree.covering(node.tokens)]
      this.#register(node, index, new Signature(node.tokens), related)
      together.push(related)
    }
    for (const related of together) this.#merge(related)
  }

  /** The id of the pattern of a message; null for a message without any token. */
  idOf(message: string): string | null {
    const key = this.#scanner.scan(message)
    const known = this.#cache.get(key)
    if (known !== undefined) return known.parent === null ? known.id : known.root.id
    if (this.#scanner.tokens.length === 0) return null
    const node = this.#place(message)
    if (node === null) {
      this.overflowed++
      return OVERFLOW_ID
    }
    if (this.#cache.size >= this.#limit * CACHE_RATIO) this.#cache = new Map()
    this.#cache.set(key, node)
    return node.root.id
  }

  /** Templates and merges since the last call. */
  drain(): MinerChanges {
    const changes = { added: this.#added, merges: this.#merges }
    this.#added = []
    this.#merges = []
    return changes
  }

  /** Templates that `drain` would return. */
  get addedCount(): number {
    return this.#added.length
  }

  /** Whether `drain` would return anything. */
  get hasChanges(): boolean {
    return this.#added.length > 0 || this.#merges.length > 0
  }

  /** The template of a message whose key is not in the cache; null when there are too many. */
  #place(message: string): PatternNode | null {
    const { tokens, kinds } = this.#templateOf(message)
    const signature = new Signature(tokens)
    const known = this.#nodes[this.#byKey.get(signature.key)]
    if (known !== undefined) {
      known.addKinds(kinds)
      return known
    }
    const covering = this.#covering(tokens, signature)
    if (covering.size > 0) return covering.size === 1 ? first(covering) : this.#merge([...covering])
    if (this.#nodes.length >= this.#limit) return null
    return this.#add(tokens, kinds, signature)
  }

  #templateOf(message: string): { tokens: string[]; kinds: Kinds[] } {
    const { tokens } = this.#scanner
    const strings: string[] = []
    const kinds: Kinds[] = []
    for (let i = 0; i < tokens.length; i++) {
      const kind = tokens.kinds[i]!
      if (kind >= NUMBER) {
        strings.push(VARIABLE)
        kinds.push(kindBit(kind))
      } else if (kind === WORD) strings.push(this.#scanner.wordText(i))
      else strings.push(kind === GAP ? ' ' : message[tokens.starts[i]!]!)
    }
    return { tokens: strings, kinds }
  }

  /** One string for equal tokens, which does not keep the message alive. */
  #interned(token: string): string {
    const known = this.#words.get(token)
    if (known !== undefined) return known
    this.#words.set(token, token)
    return token
  }

  /** The templates that cover tokens: with a variable part where the tokens have a word, all else being equal. */
  #covering(tokens: readonly string[], signature: Signature): Set<PatternNode> {
    const found = this.#tree.covering(tokens)
    for (const at of comparedPositions(tokens)) {
      if (tokens[at] === VARIABLE) continue
      const variable = this.#variableAt(this.#contexts.get(signature.contextKey(at)), at)
      if (variable !== null) found.add(variable.root)
    }
    return found
  }

  /** The template with a variable part at a position of a context, by its entry in `#contexts`. */
  #variableAt(entry: number, at: number): PatternNode | null {
    if (entry === NONE) return null
    if (isShared(entry)) return this.#shared[sharedIndex(entry)]!.variable
    const only = this.#nodes[entry]!
    return only.tokens[at] === VARIABLE ? only : null
  }

  #keep(node: PatternNode, signature: Signature): number {
    this.#byKey.set(signature.key, this.#nodes.length)
    const { length } = node.tokens
    const same = this.#byLength.get(length)
    if (same === undefined) this.#byLength.set(length, [node])
    else same.push(node)
    return this.#nodes.push(node) - 1
  }

  #create(tokens: readonly string[], kinds: Kinds[], signature: Signature, related: PatternNode[]): PatternNode {
    const node = new PatternNode(
      tokens.map(token => this.#interned(token)),
      kinds
    )
    this.#added.push(node)
    this.#register(node, this.#keep(node, signature), signature, related)
    return node
  }

  #add(tokens: readonly string[], kinds: Kinds[], signature: Signature): PatternNode {
    const related: PatternNode[] = []
    const node = this.#create(tokens, kinds, signature, related)
    return related.length === 0 ? node : this.#merge([node, ...related])
  }

  /** Adds a template to its contexts; `related` receives the templates that are one with it. */
  #register(node: PatternNode, index: number, signature: Signature, related: PatternNode[]): void {
    for (const at of comparedPositions(node.tokens)) {
      const key = signature.contextKey(at)
      const entry = this.#contexts.get(key)
      if (entry === NONE) {
        this.#contexts.set(key, index)
        continue
      }
      const context = isShared(entry) ? this.#shared[sharedIndex(entry)]! : this.#share(key, this.#nodes[entry]!, at)
      if (node.tokens[at] === VARIABLE) context.variable ??= node
      if (!context.members.includes(node) && context.members.length < VARYING_WORDS) context.members.push(node)
      if (context.variable === null && context.members.length < VARYING_WORDS) continue
      related.push(...context.members)
      if (context.variable !== null) related.push(context.variable)
    }
  }

  #share(key: number, only: PatternNode, at: number): Context {
    const context: Context = { members: [only], variable: only.tokens[at] === VARIABLE ? only : null }
    this.#contexts.set(key, FIRST_SHARED + this.#shared.push(context) - 1)
    return context
  }

  /** Makes one template of several and of all that are then one with it. */
  #merge(nodes: readonly PatternNode[]): PatternNode {
    let roots = [...new Set(nodes.map(node => node.root))]
    while (roots.length > 1) {
      const { tokens, kinds } = joinTemplates(roots)
      const signature = new Signature(tokens)
      const related: PatternNode[] = []
      const known = this.#nodes[this.#byKey.get(signature.key)]
      if (known !== undefined) known.addKinds(kinds)
      const joined = known ?? this.#create(tokens, kinds, signature, related)
      related.push(...this.#generalize(joined))
      for (const root of roots) this.#link(root, joined)
      roots = [...new Set([joined.root, ...related.map(node => node.root)])]
    }
    return roots[0]!
  }

  /** Lets a template that came from a merge cover messages; returns the templates that it covers. */
  #generalize(node: PatternNode): PatternNode[] {
    this.#tree.add(node)
    return this.#byLength.get(node.tokens.length)!.filter(other => covers(node, other))
  }

  #link(node: PatternNode, into: PatternNode): void {
    const from = node.root
    const to = into.root
    if (from === to) return
    from.parent = to
    this.#merges.push({ id: from.id, into: to.id })
  }
}

function first(nodes: ReadonlySet<PatternNode>): PatternNode {
  for (const node of nodes) return node
  throw new RangeError('empty set')
}

function isShared(entry: number): boolean {
  return entry >= FIRST_SHARED
}

function sharedIndex(entry: number): number {
  return entry - FIRST_SHARED
}
