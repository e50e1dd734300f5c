import { setTimeout } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { GatewayError } from '../../domain/errors.js'
import { isFatal, translate } from './postgres-errors.js'

/** Callers that may wait for a connection. */
export const MAX_WAITING = 1_000
const RETRY_AFTER_S = 1
/** How long a graceful close may take. */
const END_TIMEOUT_MS = 5_000
const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE'])

/** A checked-out connection. After an error of the connection itself it is not used again. */
class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient
  #isBroken = false

  constructor(client: PoolClient) {
    this.#client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#run(sql, [...parameters])
    return { rows: rows as R[], ...(CHANGING.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the control database does not stream results')
  }

  async begin(): Promise<void> {
    await this.#run('begin')
  }

  async commit(): Promise<void> {
    const { command } = await this.#run('commit')
    // After a statement that failed PostgreSQL takes a commit for a rollback, and reports it only here.
    if (command !== 'COMMIT') throw new Error('a transaction continued after one of its statements failed')
  }

  async rollback(): Promise<void> {
    // A connection that broke took the transaction with it; a second error would hide the first.
    if (!this.#isBroken) await this.#run('rollback').catch(() => undefined)
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async #run(text: string, values: unknown[] = []): Promise<{ command: string; rowCount: number | null; rows: unknown[] }> {
    try {
      return await this.#client.query(text, values)
    } catch (error) {
      this.#isBroken ||= isFatal(error)
      throw translate(error)
    }
  }
}

/** Connections of a pool, of which callers wait for their turn in bounded number and time. */
export class PostgresDriver implements Driver {
  readonly #pool: Pool
  #inUse = 0
  #onUnused: (() => void) | null = null

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {
    // The pool connects on the first checkout.
  }

  async acquireConnection(): Promise<PooledConnection> {
    if (this.#pool.waitingCount >= MAX_WAITING) throw overloaded()
    this.#inUse++
    try {
      return new PooledConnection(await this.#pool.connect())
    } catch (error) {
      this.#gaveBack()
      // The pool's own words for all of its connections being in use for too long.
      if (error instanceof Error && error.message.startsWith('timeout exceeded')) throw overloaded(error)
      throw translate(error)
    }
  }

  beginTransaction(connection: PooledConnection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: PooledConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: PooledConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release()
    this.#gaveBack()
  }

  /**
   * Closes after those who have or await a connection: a pool that ends drops its queue. Kysely accepts no queries from now on.
   */
  async destroy(): Promise<void> {
    if (this.#inUse > 0) await new Promise<void>(resolve => (this.#onUnused = resolve))
    // A server that does not respond must not prevent closing.
    await Promise.race([this.#pool.end(), setTimeout(END_TIMEOUT_MS, undefined, { ref: false })])
  }

  #gaveBack(): void {
    this.#inUse--
    if (this.#inUse === 0) this.#onUnused?.()
  }
}

function overloaded(cause?: unknown): GatewayError {
  const tooMany = 'too many requests are queued for the control database'
  return new GatewayError('overloaded', tooMany, { retryAfterS: RETRY_AFTER_S, cause })
}
