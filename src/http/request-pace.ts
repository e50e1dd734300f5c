import type { IncomingMessage, ServerResponse } from 'node:http'
import { IterationLimit } from '../threads/iteration-limit.js'

/** Requests that an iteration of the event loop begins; each takes about 0.3 ms before its body is read. */
export const REQUESTS_AT_ONCE = 16

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The credential as it was sent: who it belongs to is not known yet. */
function callerOf({ headers }: IncomingMessage): string {
  const key = headers['x-api-key']
  return (Array.isArray(key) ? key[0] : key) ?? headers.authorization ?? ''
}

/**
 * Handles a bounded number of requests in an iteration of the event loop. Of a burst, credentials are served round-robin, so
 * that a client with a thousand connections does not keep another waiting for all of its requests. Of a connection one
 * request waits: those that are pipelined behind it are handled at once, or their number would have no bound.
 */
export function paceRequests(handle: Handler): Handler {
  const limit = new IterationLimit({ units: REQUESTS_AT_ONCE, resumed: REQUESTS_AT_ONCE })
  return (request, response) => {
    // What was read of a connection that was closed for its pipelined requests.
    if (request.socket.destroyed) return
    // A response without a socket is behind another one of its connection.
    if (response.socket !== null && limit.isOver()) limit.next(() => handle(request, response), callerOf(request))
    else handle(request, response)
  }
}
