import type { Socket } from 'node:net'
import { GatewayError } from '../domain/errors.js'
import { toProblem } from './error-reply.js'

const REASONS: Readonly<Record<string, { readonly line: string; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', detail: 'the headers exceed the limit of the server' },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', detail: 'the request timed out' }
}
const MALFORMED = { line: '400 Bad Request', detail: 'the request is not valid HTTP' }

/** Responds to malformed, slow or oversized request headers, which reach no route and no hook. */
export function sendBrokenRequestError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
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
