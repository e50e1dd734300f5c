import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** What a relay does with connections. */
export type RelayMode =
  | { readonly kind: 'pass' }
  /** No one listens. */
  | { readonly kind: 'refuse' }
  /** Connections are accepted and kept, and no request has a response. */
  | { readonly kind: 'hang' }
  /** Whatever comes is returned with these bytes, and the connection ends. */
  | { readonly kind: 'reply'; readonly bytes: Buffer }

const PASS: RelayMode = { kind: 'pass' }

/** A relay between the service and a server that others use too, which fails in its place. */
export class FaultyRelay {
  readonly port: number
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server
  #mode: RelayMode = PASS

  private constructor(target: URL, server: Server, port: number) {
    this.#target = target
    this.#server = server
    this.port = port
    server.on('connection', socket => this.#take(socket))
  }

  /** Listens on a free loopback port in front of the server at `url`. */
  static async open(url: string): Promise<FaultyRelay> {
    const server = await listening(0)
    return new FaultyRelay(new URL(url), server, (server.address() as AddressInfo).port)
  }

  /** The URL of the server, by way of this relay. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = 'localhost'
    url.port = String(this.port)
    return url.href.replace(/\/$/, '')
  }

  /** From now on, for open connections too. */
  async become(mode: RelayMode): Promise<void> {
    const was = this.#mode
    this.#mode = mode
    // Connections that hung are of no use any more, and those of before shall meet the fault.
    if (mode.kind !== 'hang') for (const socket of this.#sockets) socket.destroy()
    if (mode.kind === 'refuse') await this.#close()
    else if (was.kind === 'refuse') {
      this.#server = await listening(this.port)
      this.#server.on('connection', socket => this.#take(socket))
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await this.#close()
  }

  async #close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
  }

  #take(socket: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const [one, other] of [
      [socket, far],
      [far, socket]
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      one.on('data', data => this.#carry(data, one === socket, one === socket ? far : socket, socket))
    }
  }

  #carry(data: Buffer, isRequest: boolean, to: Socket, caller: Socket): void {
    const mode = this.#mode
    if (mode.kind === 'pass') to.write(data)
    else if (mode.kind === 'reply' && isRequest) caller.end(mode.bytes)
  }
}

async function listening(port: number): Promise<Server> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
