import type { PoolClient, PoolConfig } from 'pg'
import pg from 'pg'
import { GatewayError } from '../../domain/errors.js'

const INT8_OID = 20
/** How long to wait for a connection, be it a new one or one that others use. */
export const CONNECT_TIMEOUT_MS = 5_000
/** Longer than the server's own timeout, so that a healthy server responds first. */
const SILENCE_BEYOND_TIMEOUT_MS = 5_000
/**
 * A transaction that a lost or paused gateway left open delays the others no longer than this: less than a lease of alerts
 * is valid after it was due to be renewed, so that no other gateway loses its leases by waiting.
 */
export const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 60_000
const KEEPALIVE_AFTER_MS = 10_000

/** Where the database is and how it is used. */
export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`, with TLS by `?sslmode=verify-full` and `sslrootcert=`. */
  readonly url: string
  /** When the server gives up a statement. */
  readonly statementTimeoutMs: number
  /** When the server ends a transaction whose client is silent; `IDLE_TRANSACTION_TIMEOUT_MS` by default. */
  readonly idleTransactionTimeoutMs?: number | undefined
}

/** 64-bit integers as numbers: those of the control database are counts and milliseconds. */
const TYPES: PoolConfig['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format) as (value: string) => unknown)
}

/** The client's settings for each connection. `store_unavailable` for an invalid URL; the error does not contain it. */
export function connectionConfig({ url, statementTimeoutMs, idleTransactionTimeoutMs }: ConnectionOptions): PoolConfig {
  if (!URL.canParse(url)) throw new GatewayError('store_unavailable', 'the URL of the control database is not valid')
  return {
    connectionString: url,
    application_name: 'alidade',
    types: TYPES,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_BEYOND_TIMEOUT_MS,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs ?? IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS
  }
}

/** Opens a pool of at most `max` connections; the first one is made by the first who needs it. */
export function createPool(options: ConnectionOptions, max: number): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(options), max, idleTimeoutMillis: IDLE_TIMEOUT_MS })
  // The failing statement reports a broken connection to its user; without a listener it would end the process.
  const ignore = (): void => undefined
  pool.on('error', ignore)
  pool.on('connect', (client: PoolClient) => client.on('error', ignore))
  return pool
}
