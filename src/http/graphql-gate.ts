import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  GraphQLError,
  Lexer,
  parse,
  Source,
  TokenKind
} from 'graphql'
import { GatewayError } from '../domain/errors.js'
import { BoundedMap } from '../threads/bounded-map.js'
import { checkLimits, type GraphqlLimits } from './graphql-limits.js'
import type { PersistedOperations } from './graphql-operations.js'
import { noSubscriptions, persistedQueryNotSupported } from './graphql-errors.js'

/** Brackets of any kind within each other. The parser recurses at each: unguarded, 2,000 of them overflow the stack. */
const MAX_BRACKETS = 64

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Reads tokens one after the other, without recursion. Strings and comments are one token each. */
function checkTokens(source: Source, maxTokens: number): void {
  const lexer = new Lexer(source)
  let open = 0
  let tokens = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (++tokens > maxTokens) throw new GatewayError('invalid_query', `the query has more than ${maxTokens} tokens`)
    if (OPENING.has(token.kind) && ++open > MAX_BRACKETS) {
      throw new GatewayError('invalid_query', `the query nests brackets deeper than ${MAX_BRACKETS} levels`)
    }
    if (CLOSING.has(token.kind)) open--
  }
}

/** The document of a query's text. Throws `invalid_query`, with the place of a syntax error. */
function parseBounded(query: string, maxTokens: number): DocumentNode {
  const source = new Source(query)
  try {
    checkTokens(source, maxTokens)
    return parse(source, { maxTokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const [at] = error.locations ?? []
    const place = at ? ` (line ${at.line}, column ${at.column})` : ''
    throw new GatewayError('invalid_query', `${error.message}${place}`, { cause: error })
  }
}

/** A request that may go on to validation and execution. */
export interface AdmittedRequest {
  readonly query: string
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Documents that were parsed before: the console sends the same few again and again. */
const REMEMBERED_DOCUMENTS = 200
const REMEMBERED_LENGTH = 8_192

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function optional<Value>(
  body: Readonly<Record<string, unknown>>,
  name: string,
  is: (value: unknown) => value is Value
): Value | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (is(value)) return value
  throw new GatewayError('invalid_field', `${name} has the wrong type`, { field: name })
}

function isSubscription(definition: DefinitionNode): boolean {
  return definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.SUBSCRIPTION
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The id of a persisted operation: `documentId` (`sha256:` or bare), or the extension that Apollo's clients send. */
function persistedId(body: Readonly<Record<string, unknown>>): string | undefined {
  const id = optional(body, 'documentId', isText)
  if (id !== undefined) return id.replace(/^sha256:/, '')
  const persisted = optional(body, 'extensions', isObject)?.['persistedQuery']
  return isObject(persisted) ? optional(persisted, 'sha256Hash', isText) : undefined
}

/** Lets in what is within the limits; runs before Apollo, whose validation a hostile query can delay for seconds. */
export class GraphqlGate {
  readonly #schema: GraphQLSchema
  readonly #limits: GraphqlLimits
  readonly #operations: PersistedOperations
  readonly #documents = new BoundedMap<string, DocumentNode>(REMEMBERED_DOCUMENTS)

  constructor(schema: GraphQLSchema, limits: GraphqlLimits, operations: PersistedOperations) {
    this.#schema = schema
    this.#limits = limits
    this.#operations = operations
  }

  /** Checks a request's JSON body. Throws `missing_field`, `invalid_field`, `not_found`, `invalid_query`, `GraphqlRefusal`. */
  admit(body: unknown): AdmittedRequest {
    const { document, ...admitted } = this.admitSubscription(body)
    if (document.definitions.some(isSubscription)) throw noSubscriptions()
    return admitted
  }

  /** As `admit`, for the payload of `subscribe` over WebSocket, where subscriptions are allowed. */
  admitSubscription(body: unknown): AdmittedRequest & { readonly document: DocumentNode } {
    if (!isObject(body)) throw new GatewayError('invalid_field', 'the body must be one JSON object with a query')
    const variables = optional(body, 'variables', isObject)
    const operationName = optional(body, 'operationName', isText)
    const query = this.#query(body)
    const document = this.#document(query)
    checkLimits(this.#schema, document, variables ?? {}, this.#limits)
    return {
      query,
      document,
      ...(operationName === undefined ? {} : { operationName }),
      ...(variables === undefined ? {} : { variables })
    }
  }

  #query(body: Readonly<Record<string, unknown>>): string {
    const query = optional(body, 'query', isText)
    if (query !== undefined && query !== '') return query
    const id = persistedId(body)
    if (id === undefined) throw new GatewayError('missing_field', 'query is required', { field: 'query' })
    const known = this.#operations.get(id)
    if (known !== undefined) return known
    if (body['documentId'] === undefined) throw persistedQueryNotSupported()
    throw new GatewayError('not_found', 'no persisted operation has this documentId', { field: 'documentId' })
  }

  #document(query: string): DocumentNode {
    const known = this.#documents.get(query)
    if (known) return known
    const document = parseBounded(query, this.#limits.maxTokens)
    if (query.length > REMEMBERED_LENGTH) return document
    this.#documents.set(query, document)
    return document
  }
}
