import {
  defaultFieldResolver,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode
} from 'graphql'
import type { EventLoopSlices } from '../threads/event-loop-slices.js'

/** Fields that are resolved without yielding to the event loop: some ten milliseconds. */
const FIELDS_PER_SLICE = 5_000
/** Shorter lists are resolved at once. */
const MIN_ITEMS = 50
/** Items that a list within an item is taken to have. */
const NESTED_ITEMS = 8

/** About how many fields one object of the type resolves. */
function weightOf(type: GraphQLNamedType, selection: SelectionSetNode | undefined, info: GraphQLResolveInfo): number {
  let weight = 1
  for (const node of selection?.selections ?? []) {
    if (node.kind === Kind.INLINE_FRAGMENT) weight += weightOf(type, node.selectionSet, info)
    else if (node.kind === Kind.FRAGMENT_SPREAD) weight += weightOf(type, info.fragments[node.name.value]?.selectionSet, info)
    else weight += weightOfField(type, node, info)
  }
  return weight
}

function weightOfField(type: GraphQLNamedType, { name, selectionSet }: FieldNode, info: GraphQLResolveInfo): number {
  const field = isObjectType(type) ? type.getFields()[name.value] : undefined
  if (!field || !selectionSet) return 1
  const items = isListType(getNullableType(field.type)) ? NESTED_ITEMS : 1
  return items * weightOf(getNamedType(field.type), selectionSet, info)
}

function itemsPerSlice(info: GraphQLResolveInfo): number {
  const type = getNamedType(info.returnType)
  const weight = info.fieldNodes.reduce((sum, { selectionSet }) => sum + weightOf(type, selectionSet, info), 0)
  return Math.max(1, Math.floor(FIELDS_PER_SLICE / weight))
}

/** The items as promises, each of which resolves in the slice of its items: graphql-js resolves the fields of an item after it. */
function inSlices(items: readonly unknown[], size: number, slices: EventLoopSlices): readonly unknown[] {
  let slice = Promise.resolve()
  return items.map((item, at) => {
    if (at > 0 && at % size === 0) slice = slice.then(() => slices.next())
    return at < size ? item : slice.then(() => item)
  })
}

function longInSlices(items: readonly unknown[], info: GraphQLResolveInfo, slices: EventLoopSlices): readonly unknown[] {
  if (items.length < MIN_ITEMS) return items
  const size = itemsPerSlice(info)
  return items.length <= size ? items : inSlices(items, size, slices)
}

/** Makes the schema resolve the items of long lists in slices, so that other requests run in between. Changes the schema. */
export function resolveListsInSlices(schema: GraphQLSchema, slices: EventLoopSlices): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type)) || !isObjectType(getNamedType(field.type))) continue
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (source, args, context, info) => {
        const paced = (items: unknown): unknown => (Array.isArray(items) ? longInSlices(items, info, slices) : items)
        const items: unknown = resolve(source, args, context, info)
        return items instanceof Promise ? items.then(paced) : paced(items)
      }
    }
  }
}
