import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  specifiedRules,
  TypeInfo,
  validate,
  type ValidationRule,
  visit,
  visitWithTypeInfo
} from 'graphql'

const SUGGESTION = / ?Did you mean .*\?$/s

function refusal(message: string, code: 'invalid_query' | 'invalid_field' = 'invalid_query'): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

/** Fields below the root that read a store: each delivery would. */
function storeFields(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const info = new TypeInfo(schema)
  const found = new Set<string>()
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: ({ name }) => {
        const isRoot = info.getParentType() === schema.getSubscriptionType()
        if (!isRoot && info.getFieldDef()?.extensions['complexity'] !== undefined) found.add(name.value)
      }
    })
  )
  return [...found]
}

/** What is subscribed to. */
interface RequestedSubscription {
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** Why a document cannot be run over a socket; empty when it can. Its limits were checked before. */
export function checkSubscription(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables = {}, introspection }: RequestedSubscription & { readonly introspection: boolean }
): readonly GraphQLError[] {
  const shown = (message: string): string => (introspection ? message : message.replace(SUGGESTION, ''))
  const rules: readonly ValidationRule[] = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const errors = validate(schema, document, rules)
  if (errors.length > 0) return errors.map(({ message }) => refusal(shown(message)))
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== OperationTypeNode.SUBSCRIPTION)
    return [refusal('only subscriptions are sent over WebSocket; send queries and mutations by POST')]
  const fields = storeFields(schema, document)
  if (fields.length > 0)
    return [refusal(`a subscription cannot select ${fields.join(', ')}: each delivery would query a store; use a query`)]
  const { errors: invalid = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 })
  return invalid.map(({ message }) => refusal(shown(message), 'invalid_field'))
}
