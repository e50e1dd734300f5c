import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
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

/** Levels of a file: groups, rules, labels and what is between them; deeper files are refused. */
const MAX_ALIASES = 100

/** Reads a YAML document into nodes with their places. Scalars are strings, as Go's decoder reads them into strings. */
export class YamlFile {
  readonly errors: FileError[] = []
  readonly root: Node | null
  readonly #lines = new LineCounter()
  readonly #document: Document | undefined
  #aliases = 0

  constructor(text: string) {
    // As Go's decoder, only the first document of a stream is read.
    const documents = parseAllDocuments(text, {
      schema: 'failsafe',
      merge: true,
      uniqueKeys: true,
      lineCounter: this.#lines,
      prettyErrors: false,
      logLevel: 'silent'
    })
    this.#document = Array.isArray(documents) ? documents[0] : undefined
    for (const { message, pos } of this.#document?.errors ?? []) this.#add(pos[0], `yaml: ${message}`)
    this.root = this.errors.length > 0 ? null : this.resolved(this.#document?.contents ?? null)
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
      if (!isMergeKey(keyNode)) members.set(name, node)
      else
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
