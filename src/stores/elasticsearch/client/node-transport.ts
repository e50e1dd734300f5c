import { type ConnectionPoolOptions, Transport, WeightedConnectionPool } from '@elastic/transport'
import { BoundedConnection } from './bounded-connection.js'
import { cloudUrl } from './cloud-id.js'

/** How to reach an Elasticsearch or OpenSearch cluster. */
export interface ElasticsearchServer {
  /** Nodes of one cluster; null when a cloud id names it. */
  readonly urls: readonly string[] | null
  readonly cloudId: string | null
  readonly username: string | null
  readonly password: string | null
  readonly apiKey: string | null
  /** PEM text of the authority that signed its certificates. */
  readonly ca: string | null
}

// Longer than any call's own time: undici must not be the one that gives up.
const SOCKET_TIMEOUT_MS = 300_000

function authOf({ username, password, apiKey }: ElasticsearchServer): ConnectionPoolOptions['auth'] {
  if (apiKey !== null) return { apiKey }
  return username === null ? undefined : { username, password: password ?? '' }
}

/** The addresses of a cluster's nodes, as they are configured. */
export function urlsOf(server: ElasticsearchServer): readonly URL[] {
  if (server.cloudId !== null) return [new URL(cloudUrl(server.cloudId))]
  return (server.urls ?? []).map(text => new URL(text))
}

/** Connections to one node. */
export interface NodeTransport {
  readonly transport: Transport
  /** Ends the connections once what is in progress is done. */
  readonly close: () => Promise<void>
}

/** Opens no connection yet. At most `sockets` requests are in flight, the rest wait; nothing is repeated. */
export function openNodeTransport(server: ElasticsearchServer, url: URL, sockets: number): NodeTransport {
  const auth = authOf(server)
  const connectionPool = new WeightedConnectionPool({
    Connection: BoundedConnection,
    agent: { connections: sockets },
    ...(auth && { auth }),
    ...(server.ca !== null && { tls: { ca: server.ca } })
  })
  connectionPool.addConnection({ url, timeout: SOCKET_TIMEOUT_MS })
  // Without a product check and vendored media types it serves Elasticsearch and OpenSearch alike.
  const transport = new Transport({
    connectionPool,
    maxRetries: 0,
    requestTimeout: SOCKET_TIMEOUT_MS,
    openTelemetry: { enabled: false },
    sniffOnStart: false
  })
  return { transport, close: () => connectionPool.empty() }
}
