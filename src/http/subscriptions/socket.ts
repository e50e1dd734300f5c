import type { WebSocket } from 'ws'
import type { Timers } from '../../ports/timers.js'
import type { Closing } from './close-codes.js'
import type { SubscriptionLimits } from './subscription-limits.js'

const SECOND_MS = 1_000

/** What became of a socket that was not closed by its client. */
export type SocketFault = 'slow' | 'silent' | 'flood'

/** Bytes that wait for the clients of all sockets. */
export class PendingBytes {
  total = 0
}

/** A socket whose client cannot make it hold more than its bounds. */
export class BoundedSocket {
  readonly #socket: WebSocket
  readonly #timers: Timers
  readonly #limits: SubscriptionLimits
  readonly #onFault: (fault: SocketFault) => void
  readonly #pending: PendingBytes
  #messages = 0
  #isAlive = true
  #cancelPing: () => void = () => undefined
  #cancelSecond: () => void = () => undefined

  constructor(
    socket: WebSocket,
    deps: {
      readonly timers: Timers
      readonly limits: SubscriptionLimits
      readonly pending: PendingBytes
      readonly onFault: (fault: SocketFault) => void
    }
  ) {
    this.#socket = socket
    this.#timers = deps.timers
    this.#limits = deps.limits
    this.#pending = deps.pending
    this.#onFault = deps.onFault
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('ping', data => {
      if (this.#takesMessage()) this.#write(() => socket.pong(data))
    })
    socket.once('close', () => {
      this.#cancelPing()
      this.#cancelSecond()
    })
    this.#pingLater()
  }

  get protocol(): string {
    return this.#socket.protocol
  }

  /** Resolves when the client's connection has taken the message, which a client that does not read delays. */
  send(message: string): Promise<void> {
    return new Promise(resolve => {
      // A client that has left needs no message; `close` ends what sent it.
      const send = (): void => {
        this.#pending.total += message.length
        this.#socket.send(message, () => {
          this.#pending.total -= message.length
          resolve()
        })
      }
      this.#write(send, resolve)
    })
  }

  /** Passes on text messages while they come at a permitted rate. */
  onMessage(listen: (message: string) => void): void {
    // The default binary type: a Buffer for each message.
    this.#socket.on('message', (data: Buffer) => {
      if (this.#takesMessage()) listen(data.toString())
    })
  }

  /** Closes; a client that does not close its side in time is disconnected. */
  close({ code, reason }: Closing): void {
    this.closeAs(code, reason)
  }

  /** As `close`, with the code of a library. */
  closeAs(code: number | undefined, reason: string | undefined): void {
    this.#socket.close(code, reason)
    const cancel = this.#timers.after(this.#limits.closeMs, () => this.#socket.terminate())
    this.#socket.once('close', cancel)
  }

  #takesMessage(): boolean {
    if (this.#messages === 0) this.#cancelSecond = this.#timers.after(SECOND_MS, () => (this.#messages = 0))
    if (++this.#messages <= this.#limits.messagesPerSecond) return true
    if (this.#messages === this.#limits.messagesPerSecond + 1) {
      this.#onFault('flood')
      this.close({ code: 1013, reason: 'rate_limited' })
    }
    return false
  }

  #write(write: () => void, otherwise: () => void = () => undefined): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return otherwise()
    const { bufferedBytes, allBufferedBytes } = this.#limits
    if (
      this.#socket.bufferedAmount > bufferedBytes ||
      (this.#pending.total > allBufferedBytes && this.#socket.bufferedAmount > 0)
    ) {
      this.#onFault('slow')
      this.#socket.terminate()
      return otherwise()
    }
    write()
  }

  #pingLater(): void {
    this.#cancelPing = this.#timers.after(this.#limits.pingMs, () => {
      if (!this.#isAlive) {
        this.#onFault('silent')
        this.#socket.terminate()
        return
      }
      this.#isAlive = false
      this.#write(() => this.#socket.ping())
      this.#pingLater()
    })
  }
}
