import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Pipelined requests of a connection that may wait for the response to an earlier one; with more it is closed. 64 KiB hold
 * more than a thousand requests, and libuv reads them at once.
 */
export const MAX_PIPELINED = 100

/**
 * Pipelined requests are processed concurrently, but only the first response of a connection has its socket: Node never notifies
 * the queued ones that the connection has closed. Work that waits for their `close` would never end.
 */
export function closeQueuedResponses(app: FastifyInstance): void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (response.socket === null) {
      const queue = queueOf(queues, request.raw.socket)
      queue.add(response)
      if (queue.size > MAX_PIPELINED) request.raw.socket.destroy()
    }
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
