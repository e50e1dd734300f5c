import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import { type ExpansionBudget, MAX_EXPANDED_CHARS } from './expansion-budget.js'
import { type FunctionContext, FUNCTIONS } from './functions.js'
import { parseTemplate } from './parse.js'
import type { Command, Operand, Pipeline, TemplateNode } from './syntax.js'
import { TemplateError } from './template-error.js'
import { isList, isMap, isTrue, printed, sortedEntries, type TemplateValue, typeName } from './values.js'

/** What a template is expanded with. */
export interface TemplateInput {
  /** The element of the vector; its value is not a number when the alert has no value. */
  readonly element: VectorElement
  readonly externalUrl: string
  readonly externalLabels: ReadonlyMap<string, string>
  /** Time of the evaluation, Unix milliseconds. */
  readonly atMs: number
}

/** How a list of nodes ended. */
type Flow = 'next' | 'break' | 'continue'

class Expansion {
  readonly #context: FunctionContext
  readonly #variables: { readonly name: string; value: TemplateValue }[]
  #out = ''

  constructor({ element, externalUrl, externalLabels, atMs }: TemplateInput, budget: ExpansionBudget) {
    this.#context = { budget, externalUrl, atMs }
    const labels = new Map(element.labels.map(({ name, value }) => [name, value] as const))
    if (element.metric !== undefined) labels.set('__name__', element.metric)
    const { value } = element
    const root = new Map<string, TemplateValue>([
      ['Labels', labels],
      ['ExternalLabels', externalLabels],
      ['ExternalURL', externalUrl],
      ['Value', value]
    ])
    this.#variables = [
      { name: '$', value: root },
      { name: '$labels', value: labels },
      { name: '$externalLabels', value: externalLabels },
      { name: '$externalURL', value: externalUrl },
      { name: '$value', value }
    ]
  }

  run(nodes: readonly TemplateNode[]): string {
    this.#body(nodes, this.#variables[0]!.value)
    return this.#out
  }

  #body(nodes: readonly TemplateNode[], dot: TemplateValue): Flow {
    const scope = this.#variables.length
    let flow: Flow = 'next'
    for (const node of nodes) {
      flow = this.#node(node, dot)
      if (flow !== 'next') break
    }
    this.#variables.length = scope
    return flow
  }

  #node(node: TemplateNode, dot: TemplateValue): Flow {
    this.#context.budget.step()
    switch (node.kind) {
      case 'text':
        this.#write(node.text)
        return 'next'
      case 'action': {
        const value = this.#pipeline(node.pipeline, dot)
        if (node.pipeline.variables.length === 0) this.#write(printed(value))
        return 'next'
      }
      case 'break':
      case 'continue':
        return node.kind
      default:
        return this.#block(node, dot)
    }
  }

  #block(node: Extract<TemplateNode, { body: unknown }>, dot: TemplateValue): Flow {
    const scope = this.#variables.length
    const value = this.#pipeline(node.pipeline, dot, node.kind === 'range')
    const flow = this.#branch(node, value, dot)
    this.#variables.length = scope
    return flow
  }

  #branch(node: Extract<TemplateNode, { body: unknown }>, value: TemplateValue, dot: TemplateValue): Flow {
    if (node.kind === 'range') return this.#range(node, value, dot)
    if (!isTrue(value)) return this.#body(node.otherwise, dot)
    return this.#body(node.body, node.kind === 'with' ? value : dot)
  }

  #range(
    { body, otherwise, pipeline }: Extract<TemplateNode, { body: unknown }>,
    value: TemplateValue,
    dot: TemplateValue
  ): Flow {
    const items = itemsOf(value)
    if (items.length === 0) return this.#body(otherwise, dot)
    const { variables } = pipeline
    for (const [key, item] of items) {
      const element = variables.at(-1)
      if (element !== undefined) this.#set(element, item)
      if (variables.length > 1) this.#set(variables[0]!, key)
      if (this.#body(body, item) === 'break') break
    }
    return 'next'
  }

  #set(name: string, value: TemplateValue): void {
    this.#variables.findLast(variable => variable.name === name)!.value = value
  }

  #pipeline({ commands, variables, isDeclaration }: Pipeline, dot: TemplateValue, isRange = false): TemplateValue {
    let value: TemplateValue | undefined
    for (const command of commands) value = this.#command(command, dot, value)
    const result = value!
    for (const name of variables) {
      if (isDeclaration) this.#variables.push({ name, value: result })
      else if (!isRange) this.#set(name, result)
    }
    return result
  }

  #command({ operands }: Command, dot: TemplateValue, last: TemplateValue | undefined): TemplateValue {
    const [first, ...others] = operands as readonly [Operand, ...Operand[]]
    if (first.kind !== 'function') {
      if (others.length > 0) throw new TemplateError("can't give argument to non-function")
      return this.#operand(first, dot)
    }
    const args = others.map(operand => this.#operand(operand, dot))
    return this.#call(first.name, last === undefined ? args : [...args, last])
  }

  #call(name: string, args: readonly TemplateValue[]): TemplateValue {
    const { budget } = this.#context
    budget.step()
    const { args: bounds, call } = FUNCTIONS.get(name)!
    const [least, most] = bounds
    if (args.length < least || args.length > most)
      throw new TemplateError(
        `wrong number of args for ${name}: want ${least === most ? least : `${least} to ${most}`} got ${args.length}`
      )
    try {
      const result = call(args, this.#context)
      if (typeof result === 'string') this.#checkLength(result)
      return result
    } catch (error) {
      if (error instanceof TemplateError) throw new TemplateError(`error calling ${name}: ${error.message}`)
      throw error
    }
  }

  #operand(operand: Operand, dot: TemplateValue): TemplateValue {
    switch (operand.kind) {
      case 'dot':
        return dot
      case 'constant':
        return operand.value
      case 'variable':
        return this.#variables.findLast(({ name }) => name === operand.name)!.value
      case 'function':
        return this.#call(operand.name, [])
      case 'pipeline':
        return this.#pipeline(operand.pipeline, dot)
      default:
        return memberOf(this.#operand(operand.of, dot), operand.name)
    }
  }

  #checkLength(text: string): void {
    if (text.length > MAX_EXPANDED_CHARS) throw new TemplateError(`an expanded template exceeds ${MAX_EXPANDED_CHARS} characters`)
    this.#context.budget.made(text.length)
  }

  #write(text: string): void {
    this.#out += text
    if (this.#out.length > MAX_EXPANDED_CHARS)
      throw new TemplateError(`an expanded template exceeds ${MAX_EXPANDED_CHARS} characters`)
    this.#context.budget.made(text.length)
  }
}

/** A label that is not there is empty (Go's option `missingkey=zero`). */
function memberOf(of: TemplateValue, name: string): TemplateValue {
  if (!isMap(of)) throw new TemplateError(`can't evaluate field ${name} in type ${typeName(of)}`)
  const value = of.get(name)
  if (value === undefined && of.has('Labels') && of.has('Value')) throw new TemplateError(`can't evaluate field ${name}`)
  return value ?? ''
}

function itemsOf(value: TemplateValue): readonly (readonly [TemplateValue, TemplateValue])[] {
  if (isMap(value)) return sortedEntries(value)
  if (isList(value)) return value.map((item, i) => [BigInt(i), item] as const)
  if (typeof value === 'bigint') {
    const count = Math.min(Number(value), MAX_EXPANDED_CHARS)
    return Array.from({ length: Math.max(0, count) }, (_, i) => [BigInt(i), BigInt(i)] as const)
  }
  if (value === null) return []
  throw new TemplateError(`range can't iterate over ${printed(value)}`)
}

const OF_LABELS: ReadonlySet<string> = new Set(['$labels', '$externalLabels', '$externalURL'])

function isOperandOfLabels(operand: Operand): boolean {
  switch (operand.kind) {
    case 'constant':
      return true
    case 'variable':
      return OF_LABELS.has(operand.name)
    case 'function':
      return operand.name !== 'now'
    case 'member':
      return isOperandOfLabels(operand.of)
    case 'pipeline':
      return isPipelineOfLabels(operand.pipeline)
    default:
      return false
  }
}

function isPipelineOfLabels({ commands }: Pipeline): boolean {
  return commands.every(({ operands }) => operands.every(isOperandOfLabels))
}

function isOfLabels(node: TemplateNode): boolean {
  if (node.kind === 'text') return true
  return node.kind === 'action' && isPipelineOfLabels(node.pipeline)
}

/** Why a template cannot be parsed; null for one that can. */
export function templateFault(source: string): string | null {
  try {
    parseTemplate(source)
    return null
  } catch (error) {
    if (error instanceof TemplateError) return error.message
    throw error
  }
}

/** A parsed template. */
export class Template {
  readonly #nodes: readonly TemplateNode[]

  /** Throws `TemplateError`. */
  constructor(source: string) {
    this.#nodes = source.includes('{{') ? parseTemplate(source) : [{ kind: 'text', text: source }]
  }

  /** Whether the expansion depends on nothing but labels, so that it is the same at every time and value. */
  get dependsOnLabelsAlone(): boolean {
    return this.#nodes.every(isOfLabels)
  }

  /** Throws `TemplateError`. */
  expand(input: TemplateInput, budget: ExpansionBudget): string {
    const [only] = this.#nodes
    if (this.#nodes.length === 1 && only?.kind === 'text') return only.text
    return new Expansion(input, budget).run(this.#nodes)
  }
}
