import type http from 'node:http'
import { InfluxDB, type Transport } from '@influxdata/influxdb-client'
import { GatewayError } from '../../../domain/errors.js'
import { keptConnections } from './connections.js'
import { type Deadline, startDeadline } from './deadline.js'
import { storeError } from './influx-errors.js'

/** Where InfluxDB is and who asks. */
export interface InfluxConnection {
  readonly url: string
  /** Name or id of the organization. */
  readonly org: string
  readonly token: string
}

/** One call of the HTTP API. */
export interface InfluxCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query, escaped. */
  readonly path: string
  /** An object goes as JSON. */
  readonly body?: string | object
}

interface Timeouts {
  readonly requestTimeoutMs: number
  readonly queryTimeoutMs: number
}

const JSON_TYPE = 'application/json'
const LINES = 'text/plain; charset=utf-8'
const MAX_READS_AT_ONCE = 16

function createTransport({ url, token }: InfluxConnection, timeout: number, maxSockets: number) {
  const agent = keptConnections(url.startsWith('https:'), maxSockets)
  // The client's own retries and buffers belong to its WriteApi, which is not used: it would lose what was acknowledged.
  // The client gives up on a silent connection without closing it: our own deadline comes first, and does.
  const { transport } = new InfluxDB({ url, token, timeout: 2 * timeout, transportOptions: { agent } })
  return { transport, agent }
}

/** InfluxDB's HTTP API over the client's transport; reads and writes never wait for each other's connections. */
export class InfluxClient {
  readonly org: string
  readonly #writes: { readonly transport: Transport; readonly agent: http.Agent }
  readonly #reads: { readonly transport: Transport; readonly agent: http.Agent }
  readonly #timeouts: Timeouts

  constructor(connection: InfluxConnection, timeouts: Timeouts) {
    this.org = connection.org
    this.#timeouts = timeouts
    this.#writes = createTransport(connection, timeouts.requestTimeoutMs, Number.POSITIVE_INFINITY)
    this.#reads = createTransport(connection, timeouts.queryTimeoutMs, MAX_READS_AT_ONCE)
  }

  /** One call; its answer parsed when it is JSON. Rejects with the client's `HttpError` or the network's error. */
  async call({ method, path, body = '' }: InfluxCall): Promise<unknown> {
    const deadline = startDeadline(this.#timeouts.requestTimeoutMs)
    const headers = { accept: JSON_TYPE, 'content-type': typeof body === 'string' ? LINES : JSON_TYPE }
    try {
      return await this.#writes.transport.request(path, body, { method, headers, signal: deadline.signal })
    } catch (error) {
      if (deadline.isOver) throw new Error(`no answer in ${this.#timeouts.requestTimeoutMs} ms`, { cause: error })
      throw error
    } finally {
      deadline.clear()
    }
  }

  /**
   * Hands over the bytes of a query's answer as they come; a call per chunk and no promise, since InfluxDB sends many small
   * ones. A reader that throws, an aborted signal and the read's own limit (`query_timeout`) all end the query in InfluxDB.
   */
  async query(body: object, signal: AbortSignal, onChunk: (chunk: Uint8Array) => void): Promise<void> {
    const deadline = startDeadline(this.#timeouts.queryTimeoutMs, signal)
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
    const path = `/api/v2/query?org=${encodeURIComponent(this.org)}`
    // Compressed answers cost InfluxDB three times as long.
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
      this.#reads.transport.send(path, body, options, { next, error: reject, complete: resolve })
    })
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
    this.#writes.agent.destroy()
    this.#reads.agent.destroy()
  }
}
