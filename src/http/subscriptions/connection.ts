import type { IncomingHttpHeaders } from 'node:http'
import { toGatewayError } from '../error-translation.js'
import { checkCaller, findCaller, headersOf, type Caller, type CallerDeps } from './caller.js'
import { closingOf } from './close-codes.js'
import type { ReleaseSlot, SocketCounts } from './socket-counts.js'
import type { BoundedSocket } from './socket.js'

/** The client of a socket before its `connection_init`. */
export interface SocketOrigin {
  readonly requestId: string
  readonly ip: string
}

/** One socket from its upgrade to its end: its caller, its places among all sockets, its subscriptions. */
export class Connection {
  readonly socket: BoundedSocket
  readonly origin: SocketOrigin
  /** Its subscriptions by id. */
  readonly subscriptions = new Map<string, AbortController>()
  readonly #deps: CallerDeps
  readonly #counts: SocketCounts
  #release: ReleaseSlot
  #headers: IncomingHttpHeaders = {}
  #caller: Caller | null = null
  #isClosed = false

  constructor(
    deps: CallerDeps,
    counts: SocketCounts,
    given: { socket: BoundedSocket; origin: SocketOrigin; release: ReleaseSlot }
  ) {
    this.#deps = deps
    this.#counts = counts
    this.socket = given.socket
    this.origin = given.origin
    this.#release = given.release
  }

  /** Null until `connect`. */
  get caller(): Caller | null {
    return this.#caller
  }

  /** Takes the parameters of `connection_init`; false, and the socket is closed, when they name no caller. */
  async connect(parameters: Readonly<Record<string, unknown>> | undefined): Promise<boolean> {
    this.#headers = headersOf(parameters)
    try {
      const caller = await findCaller(this.#deps, { headers: this.#headers, ip: this.origin.ip })
      // Left meanwhile: its place is given back already.
      if (this.#isClosed) return false
      const release = this.#counts.admit(caller.principal, caller.namespace.id)
      this.#release()
      this.#release = release
      this.#caller = caller
      return true
    } catch (error) {
      this.socket.close(closingOf(toGatewayError(error)))
      return false
    }
  }

  /** Closes the socket when its caller may not read its namespace as before. */
  async recheck(): Promise<void> {
    if (!this.#caller) return
    try {
      this.#caller = await checkCaller(this.#deps, { headers: this.#headers, ip: this.origin.ip }, this.#caller)
    } catch (error) {
      this.end()
      this.socket.close(closingOf(toGatewayError(error)))
    }
  }

  /** Ends all subscriptions: nothing more is read for this socket. */
  end(): void {
    for (const abort of this.subscriptions.values()) abort.abort()
  }

  /** To be called when the socket is closed. */
  closed(): void {
    this.#isClosed = true
    this.end()
    this.#release()
  }
}
