import { TemplateError } from './template-error.js'
import { FUNCTIONS } from './functions.js'
import { type Token, tokensOf } from './lexer.js'
import type { Command, Operand, Pipeline, TemplateNode } from './syntax.js'

/** Blocks and parentheses within each other. */
const MAX_DEPTH = 32
const VARIABLES = ['$', '$labels', '$externalLabels', '$externalURL', '$value']
const BLOCKS: ReadonlySet<string> = new Set(['if', 'with', 'range'])
const UNSUPPORTED: ReadonlySet<string> = new Set(['define', 'template', 'block'])

interface Body {
  readonly nodes: readonly TemplateNode[]
  /** The keyword that ended it; null at the end of the template. */
  readonly end: 'end' | 'else' | null
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #variables: string[] = [...VARIABLES]
  #next = 0
  #depth = 0
  #loops = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): readonly TemplateNode[] {
    const { nodes, end } = this.#body()
    if (end !== null) throw new TemplateError(`unexpected {{${end}}}`)
    return nodes
  }

  get #token(): Token {
    return this.#tokens[this.#next]!
  }

  #skipSpace(): void {
    if (this.#token.kind === 'space') this.#next++
  }

  #isWord(name: string): boolean {
    const token = this.#token
    return token.kind === 'word' && token.name === name
  }

  #isAtEnd(): boolean {
    const { kind } = this.#token
    return kind === 'close' || kind === 'right'
  }

  #close(): void {
    this.#skipSpace()
    if (this.#token.kind !== 'close') throw new TemplateError(`unexpected ${describe(this.#token)} in an action`)
    this.#next++
  }

  #body(): Body {
    const nodes: TemplateNode[] = []
    for (;;) {
      const token = this.#token
      this.#next++
      if (token.kind === 'end') return { nodes, end: null }
      if (token.kind === 'text') {
        nodes.push(token)
        continue
      }
      this.#skipSpace()
      if (this.#isWord('end') || this.#isWord('else')) {
        const end = this.#isWord('end') ? 'end' : 'else'
        this.#next++
        return { nodes, end }
      }
      nodes.push(this.#action())
    }
  }

  #action(): TemplateNode {
    const token = this.#token
    const word = token.kind === 'word' ? token.name : ''
    if (UNSUPPORTED.has(word)) throw new TemplateError(`{{${word}}} is not supported`)
    if (BLOCKS.has(word)) {
      this.#next++
      return this.#block(word as 'if' | 'with' | 'range')
    }
    if (word === 'break' || word === 'continue') {
      this.#next++
      this.#close()
      if (this.#loops === 0) throw new TemplateError(`{{${word}}} outside {{range}}`)
      return { kind: word }
    }
    const pipeline = this.#pipeline('action')
    this.#close()
    return { kind: 'action', pipeline }
  }

  #block(kind: 'if' | 'with' | 'range'): TemplateNode {
    this.#enter()
    const scope = this.#variables.length
    const pipeline = this.#pipeline(kind)
    this.#close()
    if (kind === 'range') this.#loops++
    const { nodes: body, end } = this.#body()
    if (kind === 'range') this.#loops--
    if (end === null) throw new TemplateError(`{{${kind}}} without {{end}}`)
    const otherwise = end === 'else' ? this.#otherwise(kind) : (this.#close(), [])
    this.#variables.length = scope
    this.#depth--
    return { kind, pipeline, body, otherwise }
  }

  /** What follows `else`: a block up to `end`, or with `else if` another condition that ends with the same `end`. */
  #otherwise(kind: 'if' | 'with' | 'range'): readonly TemplateNode[] {
    this.#skipSpace()
    if (kind !== 'range' && this.#isWord(kind)) {
      this.#next++
      return [this.#block(kind)]
    }
    this.#close()
    const { nodes, end } = this.#body()
    if (end !== 'end') throw new TemplateError(end === null ? '{{else}} without {{end}}' : 'a second {{else}}')
    this.#close()
    return nodes
  }

  #pipeline(kind: 'action' | 'if' | 'with' | 'range' | 'parentheses'): Pipeline {
    const { variables, isDeclaration } = kind === 'parentheses' ? NONE : this.#targets(kind)
    const commands = [this.#command()]
    for (this.#skipSpace(); this.#token.kind === 'pipe'; this.#skipSpace()) {
      this.#next++
      this.#skipSpace()
      // Go takes a pipe that nothing follows: the value is that of the commands before it.
      if (this.#isAtEnd()) break
      const command = this.#command()
      if (!isFunction(command.operands[0]!)) throw new TemplateError('only functions can follow a pipe')
      commands.push(command)
    }
    if (isDeclaration) this.#variables.push(...variables)
    return { commands, variables, isDeclaration }
  }

  /** `$x :=`, `$x =`, and with `range` also `$i, $x :=`. */
  #targets(kind: 'action' | 'if' | 'with' | 'range'): Pick<Pipeline, 'variables' | 'isDeclaration'> {
    const start = this.#next
    const variables: string[] = []
    for (;;) {
      this.#skipSpace()
      const token = this.#token
      if (token.kind !== 'variable') break
      variables.push(token.name)
      this.#next++
      this.#skipSpace()
      const { kind: sign } = this.#token
      if (sign === 'declare' || sign === 'assign') {
        this.#next++
        if (sign === 'assign') variables.forEach(name => this.#checkVariable(name))
        return { variables, isDeclaration: sign === 'declare' }
      }
      if (sign !== 'comma' || kind !== 'range' || variables.length > 1) break
      this.#next++
    }
    this.#next = start
    return NONE
  }

  #command(): Command {
    this.#skipSpace()
    const operands: Operand[] = []
    for (;;) {
      const operand = this.#operand()
      if (operand === null) break
      operands.push(operand)
      if (this.#token.kind !== 'space') break
      this.#next++
    }
    if (operands.length === 0) throw new TemplateError(`missing value, got ${describe(this.#token)}`)
    return { operands }
  }

  #operand(): Operand | null {
    let operand = this.#term()
    for (let token = this.#token; operand !== null && token.kind === 'field'; token = this.#token) {
      operand = { kind: 'member', of: operand, name: token.name }
      this.#next++
    }
    return operand
  }

  #term(): Operand | null {
    const token = this.#token
    switch (token.kind) {
      case 'dot':
        this.#next++
        return { kind: 'dot' }
      case 'field':
        this.#next++
        return { kind: 'member', of: { kind: 'dot' }, name: token.name }
      case 'string':
      case 'number':
        this.#next++
        return { kind: 'constant', value: token.value }
      case 'variable':
        this.#next++
        this.#checkVariable(token.name)
        return { kind: 'variable', name: token.name }
      case 'word':
        this.#next++
        return wordOperand(token.name)
      case 'left':
        return this.#parentheses()
      default:
        return null
    }
  }

  #parentheses(): Operand {
    this.#next++
    this.#enter()
    const pipeline = this.#pipeline('parentheses')
    this.#skipSpace()
    if (this.#token.kind !== 'right') throw new TemplateError('unclosed left parenthesis')
    this.#next++
    this.#depth--
    return { kind: 'pipeline', pipeline }
  }

  #checkVariable(name: string): void {
    if (!this.#variables.includes(name)) throw new TemplateError(`undefined variable ${JSON.stringify(name)}`)
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) throw new TemplateError(`blocks and parentheses must not nest deeper than ${MAX_DEPTH} levels`)
  }
}

const NONE = { variables: [], isDeclaration: false } as const

function isFunction({ kind }: Operand): boolean {
  return kind === 'function'
}

function wordOperand(name: string): Operand {
  if (name === 'true' || name === 'false') return { kind: 'constant', value: name === 'true' }
  if (name === 'nil') return { kind: 'constant', value: null }
  if (!FUNCTIONS.has(name)) throw new TemplateError(`function ${JSON.stringify(name)} not defined`)
  return { kind: 'function', name }
}

function describe(token: Token): string {
  if ('name' in token) return JSON.stringify(token.name)
  if (token.kind === 'end') return 'the end of the template'
  return 'value' in token ? 'a constant' : token.kind
}

/** Parses a template of Go's text/template. Throws `TemplateError`. */
export function parseTemplate(source: string): readonly TemplateNode[] {
  return new Parser(tokensOf(source)).parse()
}
