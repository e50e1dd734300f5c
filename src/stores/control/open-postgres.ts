import {
  Kysely,
  sql,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler
} from 'kysely'
import { GatewayError } from '../../domain/errors.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { ControlStore } from '../../ports/control-store.js'
import type { ControlDb } from './control-db.js'
import { KyselyControlStore } from './kysely-control-store.js'
import { migrate } from './migrations.js'
import { PostgresChanges } from './postgres-changes.js'
import { type ConnectionOptions, createPool } from './postgres-pool.js'
import { NOTIFYING } from './postgres-triggers.js'
import type { ControlSchema } from './schema.js'
import { LockQueue } from './lock-queue.js'
import type { Pool } from 'pg'
import { PostgresDriver } from './postgres-driver.js'

/** PostgreSQL over a pool of ours, with bounded waits and errors translated. */
export class ControlPostgresDialect implements Dialect {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  createDriver(): Driver {
    return new PostgresDriver(this.#pool)
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db)
  }
}

const MAX_CONNECTIONS = 10
const STATEMENT_TIMEOUT_MS = 10_000
const MIGRATION_TIMEOUT_MS = 600_000
/** Transactions of this gateway that may wait for the one before them. */
const MAX_WAITING_TRANSACTIONS = 1_000
/** Unix milliseconds in SQL, not those of the transaction's start. */
const NOW_MS = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
/** Advisory lock of transactions; ours in this database. */
const TRANSACTION_LOCK = 7_236_854_171_905_113n

/** Where the database is; one database may serve several gateways. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with TLS by `?sslmode=verify-full` and `sslrootcert=`. */
  readonly url: string
  /** Connections of this gateway, besides the one that listens for news; 10 by default. */
  readonly maxConnections?: number
  /** When the server ends a transaction that this gateway left open. */
  readonly idleTransactionTimeoutMs?: number | undefined
  readonly jobs: BackgroundJobs
}

function openDb(options: ConnectionOptions, max: number): Kysely<ControlSchema> {
  return new Kysely<ControlSchema>({ dialect: new ControlPostgresDialect(createPool(options, max)) })
}

/** Creates and changes tables in a connection that may take its time: another gateway may be at it. */
async function migrateFirst(url: string): Promise<void> {
  const db = openDb({ url, statementTimeoutMs: MIGRATION_TIMEOUT_MS }, 2)
  try {
    await migrate(db, NOTIFYING)
  } finally {
    await db.destroy()
  }
}

/** One transaction of all gateways after the other, and of this gateway without keeping connections for those who wait. */
function oneAtATime(db: ControlDb): <T>(work: (trx: ControlDb) => Promise<T>) => Promise<T> {
  const turns = new LockQueue(MAX_WAITING_TRANSACTIONS)
  return async work => {
    await turns.take()
    try {
      return await db.transaction().execute(async trx => {
        await sql`select pg_advisory_xact_lock(${sql.lit(TRANSACTION_LOCK)})`.execute(trx)
        return work(trx)
      })
    } finally {
      turns.release()
    }
  }
}

function refuseBackup(): Promise<never> {
  const sentence = 'the control database is in PostgreSQL: back it up with pg_dump'
  return Promise.reject(new GatewayError('unsupported_by_store', sentence))
}

/**
 * Opens (and migrates) a control database in PostgreSQL, which several gateways may share. `store_unavailable` when it
 * cannot be reached, then and later; it is used again as soon as it can be.
 */
export async function openPostgresControlStore({
  url,
  maxConnections,
  idleTransactionTimeoutMs,
  jobs
}: PostgresOptions): Promise<ControlStore> {
  await migrateFirst(url)
  const db = openDb(
    { url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, idleTransactionTimeoutMs },
    maxConnections ?? MAX_CONNECTIONS
  )
  const changes = new PostgresChanges({ url, job: jobs.monitor('control_news') })
  await changes.start()
  return new KyselyControlStore({
    db,
    nowMs: NOW_MS,
    transaction: oneAtATime(db),
    changes,
    backup: refuseBackup,
    // Dead rows are those of autovacuum, the log is that of the server.
    purge: () => Promise.resolve(),
    monotonicMs: () => performance.now(),
    close: async () => {
      await changes.close()
      await db.destroy()
    }
  })
}
