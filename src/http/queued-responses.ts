import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Pipelined requests are processed concurrently, but only the first response of a connection has its socket: Node never notifies
 * the queued ones that the connection has closed. Work that waits for their `close` would never end.
 */
export function closeQueuedResponses(app: FastifyInstance): void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (response.socket === null) queueOf(queues, request.raw.socket).add(response)
    done()
  })
}

/** The responses that wait for the socket; one listener of the socket serves all of them. */
function queueOf(queues: WeakMap<Socket, Set<ServerResponse>>, socket: Socket): Set<ServerResponse> {
  const known = queues.get(socket)
  // Those that have the socket by now hear of its end from Node, or have been sent.
  for (const response of known ?? []) if (response.socket !== null || response.writableFinished) known!.delete(response)
  if (known) return known
  const queue = new Set<ServerResponse>()
  queues.set(socket, queue)
  socket.once('close', () => {
    for (const response of queue) {
      if (response.socket !== null || response.writableFinished) continue
      response.destroy()
      response.emit('close')
    }
  })
  return queue
}
