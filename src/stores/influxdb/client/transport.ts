import type http from 'node:http'
import { InfluxDB, type Transport } from '@influxdata/influxdb-client'
import { keptConnections } from './connections.js'

/** Where InfluxDB is and who asks. */
export interface InfluxConnection {
  readonly url: string
  /** Name or id of the organization. */
  readonly org: string
  readonly token: string
}

/** The client's transport, and the connections that it uses. */
export interface OpenTransport {
  readonly transport: Transport
  readonly agent: http.Agent
}

/** Opens no connection yet. `timeoutMs` is how long a call may take by its own deadline. */
export function openTransport({ url, token }: InfluxConnection, timeoutMs: number, maxSockets: number): OpenTransport {
  const agent = keptConnections(url.startsWith('https:'), maxSockets)
  // The client's own retries and buffers belong to its WriteApi, which is not used: it would lose what was acknowledged.
  // The client gives up on a silent connection without closing it: our own deadline comes first, and does.
  const { transport } = new InfluxDB({ url, token, timeout: 2 * timeoutMs, transportOptions: { agent } })
  return { transport, agent }
}
