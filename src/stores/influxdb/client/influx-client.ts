import { startDeadline } from './deadline.js'
import { storeError } from './influx-errors.js'
import { type InfluxConnection, openTransport, type OpenTransport } from './transport.js'

/** One call of the HTTP API. */
export interface InfluxCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query, escaped. */
  readonly path: string
  /** An object goes as JSON. */
  readonly body?: string | object
}

const JSON_TYPE = 'application/json'
const LINES = 'text/plain; charset=utf-8'

/** InfluxDB's HTTP API over the client's transport, for all but queries (`InfluxQueries`). */
export class InfluxClient {
  readonly org: string
  readonly #open: OpenTransport
  readonly #timeoutMs: number

  constructor(connection: InfluxConnection, { requestTimeoutMs }: { readonly requestTimeoutMs: number }) {
    this.org = connection.org
    this.#timeoutMs = requestTimeoutMs
    this.#open = openTransport(connection, requestTimeoutMs, Number.POSITIVE_INFINITY)
  }

  /** One call; its answer parsed when it is JSON. Rejects with the client's `HttpError` or the network's error. */
  async call({ method, path, body = '' }: InfluxCall): Promise<unknown> {
    const deadline = startDeadline(this.#timeoutMs)
    const headers = { accept: JSON_TYPE, 'content-type': typeof body === 'string' ? LINES : JSON_TYPE }
    try {
      return await this.#open.transport.request(path, body, { method, headers, signal: deadline.signal })
    } catch (error) {
      if (deadline.isOver) throw new Error(`no answer in ${this.#timeoutMs} ms`, { cause: error })
      throw error
    } finally {
      deadline.clear()
    }
  }

  /** As InfluxDB says of itself. Rejects when it is not well. */
  async ping(): Promise<void> {
    try {
      const { status, message } = (await this.call({ method: 'GET', path: '/health' })) as { status: string; message: string }
      if (status !== 'pass') throw new Error(message)
    } catch (error) {
      throw storeError(error, 'health')
    }
  }

  /** Lets go of all connections. */
  close(): void {
    this.#open.agent.destroy()
  }
}
