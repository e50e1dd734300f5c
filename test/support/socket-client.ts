import { WebSocket } from 'ws'

/** A message of graphql-transport-ws. */
export interface SocketMessage {
  readonly type: string
  readonly id?: string
  readonly payload?: unknown
}

/** How the service closed a socket. */
export interface Closed {
  readonly code: number
  readonly reason: string
}

/** One delivery of `logTail`, with the fields that tests select. */
export interface Delivery {
  readonly records: readonly { readonly id: string; readonly message: string; readonly service?: string | null }[]
  readonly cursor: string
  readonly dropped: number
}

const TAIL = `subscription T($filter: LogFilter, $after: String, $every: Duration = "100ms", $max: Int = 200) {
  logTail(filter: $filter, after: $after, every: $every, max: $max) { records { id message service } cursor dropped }
}`

/** A client of subscriptions that sees every message. */
export class SocketClient {
  /** Resolves when the socket is closed. */
  readonly closed: Promise<Closed>
  readonly raw: WebSocket
  readonly #messages: SocketMessage[] = []
  #wake: (() => void)[] = []
  #isClosed = false

  private constructor(raw: WebSocket) {
    this.raw = raw
    raw.on('message', (data: Buffer) => this.#push(JSON.parse(data.toString()) as SocketMessage))
    this.closed = new Promise(resolve =>
      raw.once('close', (code, reason) => {
        this.#isClosed = true
        for (const wake of this.#wake.splice(0)) wake()
        resolve({ code, reason: String(reason) })
      })
    )
  }

  /** Opens the socket without `connection_init`. Rejects with the status of a refused upgrade. */
  static async connect(url: string, headers: Readonly<Record<string, string>> = {}, path = '/graphql'): Promise<SocketClient> {
    const raw = new WebSocket(url.replace(/^http/, 'ws') + path, 'graphql-transport-ws', { headers })
    const client = new SocketClient(raw)
    await new Promise<void>((resolve, reject) => {
      raw.once('open', () => resolve())
      raw.once('unexpected-response', (_request, response) => {
        response.resume()
        reject(new Error(`status ${response.statusCode}`))
      })
      raw.once('error', reject)
    })
    raw.on('error', () => undefined)
    return client
  }

  /** Opens a socket and sends its credentials. Resolves when the service has acknowledged or closed. */
  static async open(
    url: string,
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<SocketClient> {
    const client = await SocketClient.connect(url, headers)
    client.send({ type: 'connection_init', payload: parameters })
    await client.next()
    return client
  }

  send(message: object): void {
    this.raw.send(JSON.stringify(message))
  }

  /** The next message that was not taken; null when the socket closes without one. */
  async next(): Promise<SocketMessage | null> {
    while (this.#messages.length === 0 && !this.#isClosed) await new Promise<void>(resolve => this.#wake.push(resolve))
    return this.#messages.shift() ?? null
  }

  /** Subscribes to `logTail`. */
  tail(variables: object = {}, id = 't'): void {
    this.send({ type: 'subscribe', id, payload: { query: TAIL, variables } })
  }

  /** Subscribes to `logTail` and waits until the service follows the namespace. */
  async follow(variables: object = {}, id = 't'): Promise<void> {
    this.tail(variables, id)
    // Processed in order, and a tail begins before it yields for the first time.
    this.send({ type: 'ping' })
    const message = await this.next()
    if (message?.type !== 'pong') throw new Error(JSON.stringify(message))
  }

  /** The next delivery of a tail; throws the errors of the subscription. */
  async delivery(): Promise<Delivery> {
    for (;;) {
      const message = await this.next()
      if (message?.type === 'pong') continue
      const { data } = (message?.payload ?? {}) as { data?: { logTail: Delivery } }
      if (message?.type !== 'next' || !data) throw new Error(JSON.stringify(message))
      return data.logTail
    }
  }

  /** Deliveries until `count` records came. */
  async records(count: number): Promise<Delivery['records']> {
    const records: Delivery['records'][number][] = []
    while (records.length < count) records.push(...(await this.delivery()).records)
    return records
  }

  async close(): Promise<void> {
    this.raw.close()
    await this.closed
  }

  #push(message: SocketMessage): void {
    this.#messages.push(message)
    for (const wake of this.#wake.splice(0)) wake()
  }
}
