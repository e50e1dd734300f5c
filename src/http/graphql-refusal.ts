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
 * Clients recognize this message or code and send the full query from then on. The status is that of Apollo Server, because
 * some clients ignore the body of any other.
 */
export function persistedQueryNotSupported(): GraphqlRefusal {
  return new GraphqlRefusal('PERSISTED_QUERY_NOT_SUPPORTED', 200, 'PersistedQueryNotSupported')
}

/** Subscriptions have a transport of their own; stock execution would call that a fault of the server. */
export function noSubscriptions(): GraphqlRefusal {
  const message = 'subscriptions are served over WebSocket on this path, by the subprotocol graphql-transport-ws'
  return new GraphqlRefusal('GRAPHQL_VALIDATION_FAILED', 400, message)
}
