import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** Where and as whom load is sent. */
export interface Target {
  readonly host: string
  readonly port: number
  readonly apiKey: string
}

export interface Reply {
  readonly status: number
  readonly body: string
}

const HEADER_END = '\r\n\r\n'

/** The fixed part of a POST request; `body` follows it on the wire. */
export function requestHead(target: Target, path: string, bodyBytes: number, contentType = 'application/json'): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\nX-API-Key: ${target.apiKey}\r\n` +
    `Content-Type: ${contentType}\r\nContent-Length: ${bodyBytes}${HEADER_END}`
  )
}

/**
 * One keep-alive connection with one request at a time. Far leaner than node:http's client, whose cost of some 50 us a
 * request would take a large part of a two-core machine from the service that is being measured. It reads the responses of
 * ingest: a Content-Length or none (204), never chunks.
 */
export class Connection {
  #target: Target
  #socket: Socket | null = null
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null
  #received: Buffer = Buffer.alloc(0)

  constructor(target: Target) {
    this.#target = target
  }

  /** Rejects when the connection breaks before the response is complete; the next call connects again. */
  send(head: string, body: Buffer): Promise<Reply> {
    if (this.#waiting) return Promise.reject(new Error('one request at a time'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      const socket = this.#open()
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Socket {
    if (this.#socket) return this.#socket
    const socket = connect({ host: this.#target.host, port: this.#target.port, noDelay: true })
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    socket.on('data', chunk => this.#onData(chunk))
    socket.on('error', () => {})
    socket.on('close', () => this.#onClose(socket))
    return socket
  }

  #onClose(socket: Socket): void {
    if (this.#socket !== socket) return
    this.#socket = null
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.reject(new Error('connection closed'))
  }

  #onData(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const reply = parseReply(this.#received)
    if (!reply) return
    this.#received = Buffer.alloc(0)
    const waiting = this.#waiting
    this.#waiting = null
    if (reply.isLast) this.close()
    waiting?.resolve(reply)
  }
}

/** The reply that `bytes` holds, null while it is incomplete. */
export function parseReply(bytes: Buffer): (Reply & { readonly isLast: boolean }) | null {
  const end = bytes.indexOf(HEADER_END)
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? '0')
  const start = end + HEADER_END.length
  if (bytes.length < start + length) return null
  return {
    status: Number(head.slice(9, 12)),
    body: bytes.toString('utf8', start, start + length),
    isLast: /\r\nconnection: *close/i.test(head)
  }
}
