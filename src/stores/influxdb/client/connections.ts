import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'

type Connect = (options: object, callback?: (...args: never) => void) => Socket

/** InfluxDB closes idle connections after 3 minutes: ours go first, so that no request meets a closed one. */
const IDLE_MS = 60_000

/**
 * Connections that are kept between requests. Node hands a request's signal down to the connection that is made for it,
 * which outlives the request: it is made without. And a request that is ended between the last byte of its response and the
 * event that says so destroys a connection that nobody listens to any more, whose error would end the process.
 */
export function keptConnections(isSecure: boolean, maxSockets: number): http.Agent {
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
