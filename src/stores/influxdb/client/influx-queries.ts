import { GatewayError } from '../../../domain/errors.js'
import { type Deadline, startDeadline } from './deadline.js'
import { type InfluxConnection, openTransport, type OpenTransport } from './transport.js'

/** Concurrent queries of one thread; further ones wait for a connection. */
const MAX_AT_ONCE = 8

/** Queries to InfluxDB over connections of their own: they and writes never wait for each other. */
export class InfluxQueries {
  readonly #org: string
  readonly #open: OpenTransport
  readonly #timeoutMs: number

  constructor(connection: InfluxConnection, timeoutMs: number) {
    this.#org = connection.org
    this.#open = openTransport(connection, timeoutMs, MAX_AT_ONCE)
    this.#timeoutMs = timeoutMs
  }

  /**
   * Hands over the bytes of a query's response as they arrive; a call per chunk and no promise, since InfluxDB sends many small
   * ones. A reader that throws, an aborted signal and the read's own limit (`query_timeout`) all end the query in InfluxDB.
   */
  async query(body: object, signal: AbortSignal, onChunk: (chunk: Uint8Array) => void): Promise<void> {
    const deadline = startDeadline(this.#timeoutMs, signal)
    try {
      await this.#send(JSON.stringify(body), deadline, onChunk)
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.isOver) throw new GatewayError('query_timeout', 'the query took too long', { cause: error })
      throw error
    } finally {
      deadline.clear()
    }
  }

  #send(body: string, deadline: Deadline, onChunk: (chunk: Uint8Array) => void): Promise<void> {
    const path = `/api/v2/query?org=${encodeURIComponent(this.#org)}`
    // Compressed responses cost InfluxDB three times as long.
    const headers = { 'accept-encoding': 'identity', accept: 'application/csv' }
    return new Promise((resolve, reject) => {
      const next = (chunk: Uint8Array): void => {
        try {
          onChunk(chunk)
        } catch (error) {
          reject(error)
          deadline.stop()
        }
      }
      const options = { method: 'POST', headers, signal: deadline.signal }
      this.#open.transport.send(path, body, options, { next, error: reject, complete: resolve })
    })
  }
}
