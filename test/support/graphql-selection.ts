import type { GraphQLField, GraphQLObjectType } from 'graphql'
import { getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql'

/** Arguments of nested fields that cannot do without, by `Type.field` or, for all types, by field name, as GraphQL text. */
type NestedArguments = Readonly<Record<string, string>>

function needsArguments(field: GraphQLField<unknown, unknown>): boolean {
  return field.args.some(argument => isNonNullType(argument.type) && argument.defaultValue === undefined)
}

/** What is requested: how deep, which fields are left out, and what nested fields are called with. */
export interface SelectionOptions {
  readonly depth: number
  readonly arguments: NestedArguments
  /** `Type.field` that multiply the cost of a query. */
  readonly without: ReadonlySet<string>
}

function selectField(field: GraphQLField<unknown, unknown>, above: readonly string[], options: SelectionOptions): string | null {
  const type = getNamedType(field.type)
  const argument = options.arguments[`${above.at(-1)}.${field.name}`] ?? options.arguments[field.name]
  if (needsArguments(field) && argument === undefined) return null
  const call = field.name + (argument !== undefined && field.args.length > 0 ? `(${argument})` : '')
  if (isLeafType(type)) return call
  if (!isObjectType(type)) return null
  // A type inside itself is read by a resolver of its own; what is below it would only multiply the cost.
  const inner = above.includes(type.name) ? leavesOf(type) : selectionOf(type, options, above)
  return inner === '' ? null : `${call} ${inner}`
}

function leavesOf(type: GraphQLObjectType): string {
  const leaves = Object.values(type.getFields()).filter(field => isLeafType(getNamedType(field.type)) && !needsArguments(field))
  return leaves.length === 0 ? '' : `{ ${leaves.map(({ name }) => name).join(' ')} }`
}

/** A selection of everything below a type, types inside themselves without what is below; empty when there is nothing. */
export function selectionOf(type: GraphQLObjectType, options: SelectionOptions, above: readonly string[] = []): string {
  if (above.length >= options.depth) return ''
  const fields = Object.values(type.getFields()).filter(field => !options.without.has(`${type.name}.${field.name}`))
  const parts = fields.flatMap(field => selectField(field, [...above, type.name], options) ?? [])
  return parts.length === 0 ? '' : `{ ${parts.join(' ')} }`
}
