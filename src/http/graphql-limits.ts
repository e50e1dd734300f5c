import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import { GatewayError } from '../domain/errors.js'
import { type Measure, SelectionMeter } from './graphql-measure.js'

/** Bounds of one GraphQL request; all are checked before stock validation, which is quadratic in places. */
export interface GraphqlLimits {
  readonly maxTokens: number
  readonly maxOperations: number
  readonly maxDepth: number
  /** Fields after fragments are spread out, over all definitions. */
  readonly maxFields: number
  readonly maxAliases: number
  readonly maxRootFields: number
  readonly maxDirectives: number
  /** In leaves of a response: rows times what is selected of each, plus a weight for each query to a store. */
  readonly maxCost: number
  /** Values anywhere in `variables`. */
  readonly maxVariableValues: number
}

/** Limits of GraphQL operations unless settings change them. */
export const DEFAULT_GRAPHQL_LIMITS: GraphqlLimits = {
  maxTokens: 2_000,
  maxOperations: 10,
  maxDepth: 16,
  maxFields: 500,
  maxAliases: 50,
  maxRootFields: 20,
  maxDirectives: 30,
  maxCost: 100_000,
  maxVariableValues: 2_000
}

/** What a document came to, and the number of its nodes that were looked at to know. */
export interface MeasuredDocument extends Measure {
  readonly visited: number
}

function refuse(what: string, actual: number, max: number): never {
  throw new GatewayError('invalid_query', `the query has ${actual} ${what}, the limit is ${max}`, {
    members: { limit: what, max }
  })
}

function within(what: string, actual: number, max: number): void {
  if (actual > max) refuse(what, actual, max)
}

/** Counts values without recursion: `variables` may be nested as deep as JSON allows. */
function checkVariables(variables: unknown, max: number): void {
  const rest: unknown[] = [variables]
  let count = 0
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    const members = Object.values(value)
    count += members.length
    within('values in variables', count, max)
    for (const member of members) rest.push(member)
  }
}

/** The request's variables over the operation's own defaults. */
function variablesOf(
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> {
  const variables: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    variables[name] = given[name] ?? (defaultValue ? valueFromASTUntyped(defaultValue) : undefined)
  }
  return variables
}

function directivesOf(operation: OperationDefinitionNode): number {
  const ofVariables = (operation.variableDefinitions ?? []).reduce((sum, { directives }) => sum + (directives?.length ?? 0), 0)
  return (operation.directives?.length ?? 0) + ofVariables
}

function checkMeasure(measure: Measure, limits: GraphqlLimits): void {
  within('levels', measure.depth, limits.maxDepth)
  within('fields', measure.fields, limits.maxFields)
  within('aliases', measure.aliases, limits.maxAliases)
  within('root fields', measure.width, limits.maxRootFields)
  within('directives', measure.directives, limits.maxDirectives)
  within('units of cost', Math.ceil(measure.base + measure.perRow), limits.maxCost)
}

/**
 * Refuses with `invalid_query` what is too deep, too wide or too dear. Each fragment is measured once for an operation,
 * so the work grows with the document and never with what its fragments would spread out to.
 */
export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  limits: GraphqlLimits
): readonly MeasuredDocument[] {
  checkVariables(variables, limits.maxVariableValues)
  const operations = document.definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION)
  const fragments = document.definitions.filter(node => node.kind === Kind.FRAGMENT_DEFINITION)
  within('operations', operations.length, limits.maxOperations)
  let fields = 0
  const measured = operations.map(operation => {
    const meter = new SelectionMeter(schema, fragments, variablesOf(operation, variables))
    const measure = meter.operation(operation)
    checkMeasure({ ...measure, directives: measure.directives + directivesOf(operation) }, limits)
    fields += measure.fields
    within('fields', fields, limits.maxFields)
    return { ...measure, visited: meter.visited }
  })
  checkFragments(
    new SelectionMeter(schema, fragments, {}),
    fragments.map(({ name }) => name.value),
    limits
  )
  return measured
}

// Stock validation looks at fragments that nothing spreads, too.
function checkFragments(meter: SelectionMeter, names: readonly string[], limits: GraphqlLimits): void {
  let fields = 0
  for (const name of names) {
    const measure = meter.fragment(name)
    fields += measure.fields
    within('levels', measure.depth, limits.maxDepth)
    within('fields in fragments', fields, 2 * limits.maxFields)
    within('aliases', measure.aliases, limits.maxAliases)
    within('directives', measure.directives, limits.maxDirectives)
  }
}
