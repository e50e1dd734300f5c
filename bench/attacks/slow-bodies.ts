import { connect, type Socket } from 'node:net'
import { type Attack, Outcomes } from './attack.js'

const DECLARED_BYTES = 10 * 1024 * 1024
/** Sent at once; the rest trickles. */
const FIRST_BYTES = 1024 * 1024
const TRICKLE_MS = 500
const STATUS = /^HTTP\/1\.1 (\d{3})/

/** Connections that declare a large body, send a tenth of it and then hardly anything. */
export class SlowBodiesAttack implements Attack {
  readonly #port: number
  readonly #head: string
  readonly #outcomes = new Outcomes()
  readonly #sockets = new Set<Socket>()
  readonly #first = Buffer.alloc(FIRST_BYTES, ' ')
  readonly #trickle: NodeJS.Timeout
  #isStopped = false

  constructor(url: string, ingestKey: string, connections: number) {
    this.#port = Number(new URL(url).port)
    this.#head =
      `POST /api/v1/logs/batch HTTP/1.1\r\nHost: a\r\nX-API-Key: ${ingestKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${DECLARED_BYTES}\r\n\r\n`
    for (let i = 0; i < connections; i++) this.#open()
    this.#trickle = setInterval(() => {
      // Before the head of its request a byte would make it another request.
      for (const socket of this.#sockets) if (socket.writable && !socket.connecting) socket.write(' ')
    }, TRICKLE_MS)
  }

  async stop(): Promise<string> {
    this.#isStopped = true
    clearInterval(this.#trickle)
    this.#outcomes.add(`${this.#sockets.size} still open`)
    this.#sockets.forEach(socket => socket.destroy())
    return this.#outcomes.sentence
  }

  #open(): void {
    const socket = connect(this.#port, '127.0.0.1')
    let outcome = 'closed without a response'
    this.#sockets.add(socket)
    socket.on('connect', () => {
      socket.write(this.#head)
      socket.write(this.#first)
    })
    socket.on('data', (chunk: Buffer) => (outcome = STATUS.exec(chunk.toString('latin1'))?.[1] ?? outcome))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      if (this.#isStopped) return
      this.#outcomes.add(outcome)
      this.#open()
    })
  }
}
