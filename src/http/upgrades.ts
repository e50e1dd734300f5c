import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Finishes an upgrade: takes over the connection of a request. */
export type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const HOP_HEADERS: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings'])

/** Head of the request as received, without the headers that request another protocol. */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!HOP_HEADERS.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Requests for WebSocket run through hooks and routes as others do; a route takes their connection over. */
export class Upgrades {
  readonly #heads = new WeakMap<IncomingMessage, Buffer>()

  /** Makes the server route such requests. Requests for other protocols are served without an upgrade (RFC 9110, 7.8). */
  serve(server: Server, route: (request: IncomingMessage, response: ServerResponse) => void): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Of a client that resets the connection meanwhile.
      socket.on('error', () => socket.destroy())
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]))
        server.emit('connection', socket)
        return
      }
      this.#heads.set(request, head)
      const response = new ServerResponse(request)
      response.shouldKeepAlive = false
      response.assignSocket(socket as never)
      // Of a response that is not an upgrade.
      response.once('finish', () => socket.end())
      route(request, response)
    })
  }

  /** Whether a request can be taken over. */
  has({ raw }: FastifyRequest): boolean {
    return this.#heads.has(raw)
  }

  /** Ends the exchange over HTTP and hands its connection over. */
  takeOver({ raw: request }: FastifyRequest, reply: FastifyReply, take: TakeOver): void {
    const { socket } = request
    reply.hijack()
    reply.raw.statusCode = 101
    reply.raw.detachSocket(socket)
    // What counts running requests waits for it.
    reply.raw.emit('close')
    take(request, socket, this.#heads.get(request)!)
  }
}
