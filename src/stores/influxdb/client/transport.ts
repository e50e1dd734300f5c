import http from 'node:http'
import { InfluxDB, type Transport, HttpError } from '@influxdata/influxdb-client'
import https from 'node:https'
import type { Socket } from 'node:net'

type Connect = (options: object, callback?: (...args: never) => void) => Socket

/** InfluxDB closes idle connections after 3 minutes: ours go first, so that no request meets a closed one. */
const IDLE_MS = 60_000

/**
 * Connections that are kept between requests. Node hands a request's signal down to the connection that is made for it,
 * which outlives the request: it is made without. And a request that is ended between the last byte of its response and the
 * event that reports it destroys a connection without listeners, whose error would end the process.
 */
function keptConnections(isSecure: boolean, maxSockets: number): http.Agent {
  const options = { keepAlive: true, maxSockets, timeout: IDLE_MS }
  const agent = isSecure ? new https.Agent(options) : new http.Agent(options)
  const open = agent as unknown as { createConnection: Connect }
  const connect = open.createConnection.bind(agent)
  open.createConnection = (given, callback) => {
    const socket = connect({ ...given, signal: undefined }, callback)
    // The request on it fails with the same error; an idle one is created again.
    return socket.on('error', () => undefined)
  }
  return agent
}

/** The address of InfluxDB and the credentials. */
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

/** Longer than any caller waits. */
const TIMEOUT_MS = 10_000

/** Sends InfluxDB a request to which it responds at once, over a connection of its own. */
export function openProbe(connection: InfluxConnection): {
  readonly probe: (signal: AbortSignal) => Promise<void>
  readonly close: () => void
} {
  const { transport, agent } = openTransport(connection, TIMEOUT_MS, 1)
  return {
    probe: async signal => {
      try {
        await transport.request('/ping', '', { method: 'GET', signal })
      } catch (error) {
        // Any status is a response.
        if (!(error instanceof HttpError)) throw error
      }
    },
    close: () => agent.destroy()
  }
}
