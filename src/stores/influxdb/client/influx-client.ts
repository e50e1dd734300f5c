import { HttpError } from '@influxdata/influxdb-client'
import type { ServerWatch } from '../../shared/server-watch.js'
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
  readonly #watch: ServerWatch

  constructor(
    connection: InfluxConnection,
    { requestTimeoutMs, watch }: { readonly requestTimeoutMs: number; readonly watch: ServerWatch }
  ) {
    this.#watch = watch
    this.org = connection.org
    this.#timeoutMs = requestTimeoutMs
    this.#open = openTransport(connection, requestTimeoutMs, Number.POSITIVE_INFINITY)
  }

  /**
   * One call; its response parsed when it is JSON. Rejects with the client's `HttpError`, the network's error, or at once while
   * the server is known not to respond. A call that is in flight at that moment goes on: a write that was given up
   * could be carried out later, after a newer one.
   */
  async call({ method, path, body = '' }: InfluxCall): Promise<unknown> {
    const leave = this.#watch.enter(() => undefined)
    const deadline = startDeadline(this.#timeoutMs)
    const headers = { accept: JSON_TYPE, 'content-type': typeof body === 'string' ? LINES : JSON_TYPE }
    try {
      return await this.#open.transport.request(path, body, { method, headers, signal: deadline.signal })
    } catch (error) {
      if (deadline.isOver) throw new Error(`no response in ${this.#timeoutMs} ms`, { cause: error })
      if (!(error instanceof HttpError)) this.#watch.suspect()
      throw error
    } finally {
      leave()
      deadline.clear()
    }
  }

  /** Health as InfluxDB reports it. Rejects if it is unhealthy. */
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
