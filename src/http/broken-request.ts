import type { Socket } from 'node:net'
import { GatewayError } from '../domain/errors.js'
import { IterationLimit } from '../threads/iteration-limit.js'
import { toProblem } from './error-reply.js'

const REASONS: Readonly<Record<string, { readonly line: string; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', detail: 'the headers exceed the limit of the server' },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', detail: 'the request timed out' }
}
/** Connections that end within their requests together, as those of a client that dies, end in several iterations. */
const RESPONSES_AT_ONCE = { units: 32, resumed: 32 }
const MALFORMED = { line: '400 Bad Request', detail: 'the request is not valid HTTP' }

function respond(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  // Bytes after the last response belong to no request.
  if (error.code === 'HPE_CLOSED_CONNECTION') return void socket.destroy()
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const { line, detail } = REASONS[error.code ?? ''] ?? MALFORMED
  const problem = toProblem(new GatewayError('invalid_field', detail), requestId)
  const body = JSON.stringify({ ...problem.body, status: Number(line.slice(0, 3)), errors: [] })
  const headers = [
    `HTTP/1.1 ${line}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close'
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
}

/** Responds to malformed, slow or oversized request headers, which reach no route and no hook. */
export function brokenRequestHandler(newRequestId: () => string): (error: Error, socket: Socket) => void {
  const limit = new IterationLimit(RESPONSES_AT_ONCE)
  return (error, socket) => {
    if (limit.isOver()) limit.next(() => respond(error, socket, newRequestId()))
    else respond(error, socket, newRequestId())
  }
}
