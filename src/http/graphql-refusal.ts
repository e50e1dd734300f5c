/** Codes that GraphQL clients act on by themselves; Apollo's names of them are the common ones. */
type ClientCode = 'GRAPHQL_VALIDATION_FAILED' | 'PERSISTED_QUERY_NOT_SUPPORTED'

/** A request that is refused with a code of GraphQL's clients instead of one of ours. */
export class GraphqlRefusal extends Error {
  readonly code: ClientCode
  readonly status: number

  constructor(code: ClientCode, status: number, message: string) {
    super(message)
    this.name = 'GraphqlRefusal'
    this.code = code
    this.status = status
  }
}

/**
 * Clients know the answer by this message or code, and send the text of the query from then on. The status is the one that
 * Apollo's server gives: some clients read the body of no other.
 */
export function persistedQueryNotSupported(): GraphqlRefusal {
  return new GraphqlRefusal('PERSISTED_QUERY_NOT_SUPPORTED', 200, 'PersistedQueryNotSupported')
}

/** The schema has no subscriptions; stock execution would call that a fault of the server. */
export function noSubscriptions(): GraphqlRefusal {
  const message = 'the schema has no subscriptions; send a query, and repeat it for newer data'
  return new GraphqlRefusal('GRAPHQL_VALIDATION_FAILED', 400, message)
}
