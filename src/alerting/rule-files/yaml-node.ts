import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  type YAMLMap
} from 'yaml'

/** An error of a file, with its place from 1; 0 where it has none. */
export interface FileError {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Aliases that are followed. */
const MAX_ALIASES = 100
/** Bytes of a file. */
export const MAX_FILE_BYTES = 512 * 1024
/** Tokens of a file: what reading it costs. A rule of ten lines has some 70. */
export const MAX_FILE_TOKENS = 50_000

/** Why a file is too large to be read on the event loop; null for one that is not. */
function excess(text: string): string | null {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_FILE_BYTES) return `a file must not exceed ${MAX_FILE_BYTES} bytes (got ${bytes}); split it`
  let tokens = 0
  for (const _ of new Lexer().lex(text))
    if (++tokens > MAX_FILE_TOKENS) return `a file must not exceed ${MAX_FILE_TOKENS} words, values and signs of YAML; split it`
  return null
}

/** Reads a YAML document into nodes with their places. Scalars are strings, as Go's decoder reads them into strings. */
export class YamlFile {
  readonly errors: FileError[] = []
  readonly root: Node | null
  readonly #lines = new LineCounter()
  readonly #documents: readonly Document[]
  #document: Document | undefined
  #aliases = 0

  constructor(text: string) {
    const tooLarge = excess(text)
    if (tooLarge !== null) {
      this.errors.push({ line: 0, column: 0, message: tooLarge })
      this.root = null
      this.#documents = []
      return
    }
    // As Go's decoder, only the first document of a stream is read.
    const documents = parseAllDocuments(text, {
      schema: 'failsafe',
      merge: true,
      // The library compares each key with all others.
      uniqueKeys: false,
      lineCounter: this.#lines,
      prettyErrors: false,
      logLevel: 'silent'
    })
    this.#documents = Array.isArray(documents) ? documents : []
    this.root = this.#open(this.#documents[0])
  }

  /** Roots of all documents of the stream. Nodes of one are read before the next one is requested. */
  *roots(): Generator<Node | null, void> {
    for (const document of this.#documents) yield document === this.#document ? this.root : this.#open(document)
  }

  #open(document: Document | undefined): Node | null {
    this.#document = document
    for (const { message, pos } of document?.errors ?? []) this.#add(pos[0], `yaml: ${message}`)
    return this.errors.length > 0 ? null : this.resolved(document?.contents ?? null)
  }

  /** Records an error at a node. */
  add(node: Node | null | undefined, message: string): void {
    const offset = node?.range?.[0]
    if (offset === undefined) this.errors.push({ line: 0, column: 0, message })
    else this.#add(offset, message)
  }

  /** The node that an alias means; null for null. */
  resolved(node: unknown): Node | null {
    if (!isAlias(node)) return isNull(node) ? null : (node as Node)
    if (++this.#aliases > MAX_ALIASES) {
      this.add(node, `a file must not exceed ${MAX_ALIASES} aliases`)
      return null
    }
    const meant = node.resolve(this.#document!)
    if (meant === undefined) this.add(node, `yaml: unknown anchor '${node.source}' referenced`)
    return this.resolved(meant)
  }

  /** Members of a map by name, those of `<<` too; null, with an error, for other nodes. */
  members(node: Node | null, type: string): ReadonlyMap<string, Node | null> | null {
    if (node === null) return new Map()
    if (!isMap(node)) {
      this.add(node, `cannot unmarshal ${kindOf(node)} into ${type}`)
      return null
    }
    return this.#pairs(node, type)
  }

  /** Items of a list; null, with an error, for other nodes. */
  items(node: Node | null, type: string): readonly (Node | null)[] | null {
    if (node === null) return []
    if (isSeq(node)) return node.items.map(item => this.resolved(item))
    this.add(node, `cannot unmarshal ${kindOf(node)} into []${type}`)
    return null
  }

  /** The string of a scalar; null, with an error, for lists and maps. */
  string(node: Node | null, type = 'string'): string | null {
    if (node === null) return ''
    // The library reads `<<` as a symbol, quoted or not.
    if (isScalar(node)) return typeof node.value === 'symbol' ? '<<' : String(node.value)
    this.add(node, `cannot unmarshal ${kindOf(node)} into ${type}`)
    return null
  }

  #pairs(map: YAMLMap, type: string): Map<string, Node | null> {
    const members = new Map<string, Node | null>()
    const merged: Map<string, Node | null>[] = []
    for (const { key, value } of map.items) {
      const keyNode = this.resolved(key)
      // As Go's decoder, which leaves members without a name out.
      if (isEmpty(key)) this.add(map, 'yaml: did not find expected key')
      if (keyNode === null) continue
      const name = this.string(keyNode) ?? ''
      const node = this.resolved(value)
      if (!isMergeKey(keyNode)) {
        if (members.has(name)) this.add(keyNode, `yaml: mapping key ${JSON.stringify(name)} already defined`)
        members.set(name, node)
      } else
        for (const from of isSeq(node) ? node.items : [node]) merged.push(new Map(this.members(this.resolved(from), type) ?? []))
    }
    for (const from of merged) for (const [name, node] of from) if (!members.has(name)) members.set(name, node)
    return members
  }

  #add(offset: number, message: string): void {
    const { line, col } = this.#lines.linePos(offset)
    this.errors.push({ line, column: col, message })
  }
}

/** Whether nothing at all is written, not even a word for null. */
function isEmpty(key: unknown): boolean {
  return key === null || (isScalar(key) && isPlain(key) && key.source === '')
}

/** An unquoted `<<` takes the members of other maps over; a quoted one is a name. */
function isMergeKey(key: Node | null): boolean {
  return isScalar(key) && isPlain(key) && (key.source === '<<' || key.value === '<<')
}

const NULL = /^(?:~|null|Null|NULL|)$/

function isNull(node: unknown): boolean {
  if (node === null || node === undefined) return true
  return isScalar(node) && isPlain(node) && typeof node.value === 'string' && NULL.test(node.value)
}

function isPlain({ type, tag }: Scalar): boolean {
  return (type === 'PLAIN' || type === undefined) && tag === undefined
}

function kindOf(node: Node): string {
  if (isMap(node)) return '!!map'
  if (isSeq(node)) return '!!seq'
  return isScalar(node) ? `\`${String(node.value).slice(0, 40)}\`` : 'a value'
}
