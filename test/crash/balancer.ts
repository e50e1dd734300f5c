import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** Forwards connections to gateways in turn, past those that refuse them. */
export class Balancer {
  readonly #ports: readonly number[]
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #turn = 0

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = createServer(client => void this.#forward(client))
  }

  static async listen(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
    return address.port
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #forward(client: Socket): Promise<void> {
    this.#keep(client)
    const gateway = await this.#connect()
    if (gateway === null) {
      client.destroy()
      return
    }
    this.#keep(gateway)
    client.once('close', () => gateway.destroy())
    gateway.once('close', () => client.destroy())
    client.pipe(gateway)
    gateway.pipe(client)
  }

  /** Null when all gateways refuse. */
  async #connect(): Promise<Socket | null> {
    for (let i = 0; i < this.#ports.length; i++) {
      const socket = connect(this.#ports[this.#turn++ % this.#ports.length]!, '127.0.0.1')
      const isConnected = await once(socket, 'connect').then(
        () => true,
        () => false
      )
      if (isConnected) return socket
    }
    return null
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
