import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  valueFromASTUntyped
} from 'graphql'
import { GatewayError } from '../domain/errors.js'

/** What a selection comes to with all fragments spread out. Numbers stop growing at `CEILING`. */
export interface Measure {
  readonly depth: number
  readonly fields: number
  readonly aliases: number
  readonly directives: number
  /** Fields on the selection's own level. */
  readonly width: number
  /** Cost that does not depend on the rows of the page around it. */
  readonly base: number
  /** Cost for each row of the page around it: that of `nodes` and `edges`. */
  readonly perRow: number
}

type Field = GraphQLField<unknown, unknown>
type Args = Readonly<Record<string, unknown>>

const CEILING = 1e9
const NOTHING: Measure = { depth: 0, fields: 0, aliases: 0, directives: 0, width: 0, base: 0, perRow: 0 }
/** Rows of a connection, and entries of a list, whose arguments state no size. */
const ROWS_BY_DEFAULT = 100
const ENTRIES_BY_DEFAULT = 10
const SIZE_ARGUMENTS = ['first', 'last', 'limit'] as const
const ROW_FIELDS: ReadonlySet<string> = new Set(['nodes', 'edges'])

function cap(value: number): number {
  return Math.min(value, CEILING)
}

function add(a: Measure, b: Measure): Measure {
  return {
    depth: Math.max(a.depth, b.depth),
    fields: cap(a.fields + b.fields),
    aliases: cap(a.aliases + b.aliases),
    directives: cap(a.directives + b.directives),
    width: cap(a.width + b.width),
    base: cap(a.base + b.base),
    perRow: cap(a.perRow + b.perRow)
  }
}

function sizeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : null
}

/** How many entries a list or a connection may return; the schema may state how many to compute with (`entries`). */
function entries(field: Field, args: Args): number {
  const requested = SIZE_ARGUMENTS.map(name => sizeOf(args[name])).find(size => size !== null)
  const around = (sizeOf(args['before']) ?? 0) + (sizeOf(args['after']) ?? 0)
  const isConnection = getNamedType(field.type).name.endsWith('Connection')
  const ofSchema = sizeOf(field.extensions['entries'])
  const unlessStated = ofSchema ?? (isConnection ? ROWS_BY_DEFAULT : ENTRIES_BY_DEFAULT)
  const listed = args['fields']
  return (requested ?? (around > 0 ? around : unlessStated)) * (Array.isArray(listed) ? listed.length : 1)
}

/** The weight that the schema gives the field itself (`complexity`), else that of one leaf. */
function ownCost(field: Field | undefined, args: Args): number {
  const weight: unknown = field?.extensions['complexity']
  if (typeof weight === 'number') return weight
  if (typeof weight === 'function') return cap(Number((weight as (requested: { args: Args }) => unknown)({ args })))
  return 1
}

/** Measures the selections of one operation. Every fragment is measured once. */
export class SelectionMeter {
  /** Nodes that were looked at. */
  visited = 0
  readonly #schema: GraphQLSchema
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #variables: Args
  readonly #measured = new Map<string, Measure>()
  readonly #open = new Set<string>()

  constructor(schema: GraphQLSchema, fragments: readonly FragmentDefinitionNode[], variables: Args) {
    this.#schema = schema
    this.#fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]))
    this.#variables = variables
  }

  operation(operation: OperationDefinitionNode): Measure {
    return this.#set(operation.selectionSet.selections, this.#schema.getRootType(operation.operation))
  }

  /** An unknown fragment measures as nothing: stock validation names it. */
  fragment(name: string): Measure {
    const known = this.#measured.get(name)
    if (known) return known
    const fragment = this.#fragments.get(name)
    if (!fragment) return NOTHING
    if (this.#open.has(name)) throw new GatewayError('invalid_query', 'a fragment spreads itself')
    this.#open.add(name)
    const measure = this.#set(fragment.selectionSet.selections, this.#schema.getType(fragment.typeCondition.name.value))
    this.#open.delete(name)
    this.#measured.set(name, measure)
    return measure
  }

  #set(selections: readonly SelectionNode[], parent: GraphQLNamedType | null | undefined): Measure {
    return selections.reduce((sum, selection) => add(sum, this.#selection(selection, parent)), NOTHING)
  }

  #selection(selection: SelectionNode, parent: GraphQLNamedType | null | undefined): Measure {
    this.visited++
    const directives = { ...NOTHING, directives: selection.directives?.length ?? 0 }
    if (selection.kind === Kind.FIELD) return add(directives, this.#field(selection, parent))
    if (selection.kind === Kind.FRAGMENT_SPREAD) return add(directives, this.fragment(selection.name.value))
    const type = selection.typeCondition ? this.#schema.getType(selection.typeCondition.name.value) : parent
    return add(directives, this.#set(selection.selectionSet.selections, type))
  }

  #field(node: FieldNode, parent: GraphQLNamedType | null | undefined): Measure {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined
    const children = node.selectionSet ? this.#set(node.selectionSet.selections, field && getNamedType(field.type)) : NOTHING
    return {
      depth: children.depth + 1,
      fields: cap(children.fields + 1),
      aliases: cap(children.aliases + (node.alias ? 1 : 0)),
      directives: children.directives,
      width: 1,
      ...this.#cost(node, field, children)
    }
  }

  #cost(node: FieldNode, field: Field | undefined, children: Measure): Pick<Measure, 'base' | 'perRow'> {
    const inside = cap(children.base + children.perRow)
    if (ROW_FIELDS.has(node.name.value)) return { base: 1, perRow: inside }
    const args = this.#args(node, field)
    const own = ownCost(field, args)
    if (!field || !node.selectionSet) return { base: own, perRow: 0 }
    if (isListType(getNullableType(field.type))) return { base: cap(own + entries(field, args) * inside), perRow: 0 }
    return { base: cap(own + children.base + (children.perRow > 0 ? entries(field, args) * children.perRow : 0)), perRow: 0 }
  }

  #args(node: FieldNode, field: Field | undefined): Args {
    const args: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    for (const { name, defaultValue } of field?.args ?? []) args[name] = defaultValue
    for (const { name, value } of node.arguments ?? []) {
      this.visited++
      const given: unknown = valueFromASTUntyped(value, this.#variables)
      if (given !== undefined && given !== null) args[name.value] = given
    }
    return args
  }
}
