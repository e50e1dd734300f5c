import { setTimeout } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import type Database from 'libsql'
import { GatewayError } from '../../domain/errors.js'
import { UniqueViolation } from './control-db.js'

const MAX_BEGIN_ATTEMPTS = 50
const BEGIN_PAUSE_MS = 20

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Gives SQLite's errors the names that the ports speak of. */
function translate(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return new UniqueViolation(error)
  if (code.startsWith('SQLITE_FULL'))
    return new GatewayError('storage_full', 'the disk of the control database is full', { cause: error })
  if (/^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/.test(code)) {
    return new GatewayError('store_unavailable', `the control database cannot be used (${code})`, { cause: error })
  }
  return error
}

class TranslatingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection

  constructor(inner: DatabaseConnection) {
    this.#inner = inner
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#inner.executeQuery<R>(query)
    } catch (error) {
      throw translate(error)
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, chunkSize)
  }
}

class ControlSqliteDriver extends SqliteDriver {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    super({ database })
    this.#database = database
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new TranslatingConnection(await super.acquireConnection())
  }

  // A deferred transaction that read first would fail with SQLITE_BUSY at its first write beside another writer.
  // Waiting inside SQLite blocks the thread, so busy_timeout is short and the wait for the writer's turn is out here.
  // `exec` and not a prepared statement: libsql leaves one that met SQLITE_BUSY unfinished, and then no commit succeeds.
  override async beginTransaction(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#database.exec('begin immediate')
        return
      } catch (error) {
        if (attempt === MAX_BEGIN_ATTEMPTS || !codeOf(error).startsWith('SQLITE_BUSY')) throw translate(error)
      }
      await setTimeout(BEGIN_PAUSE_MS)
    }
  }

  // SQLite rolls back by itself on a full disk; a second rollback would hide the error that tells so.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

class ControlSqliteAdapter extends SqliteAdapter {
  // SQLite's DDL is transactional: migrations run all or nothing, and `begin immediate` is their lock.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** SQLite through libsql, with writers serialised and errors translated. */
export class ControlSqliteDialect extends SqliteDialect {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    super({ database })
    this.#database = database
  }

  override createDriver(): Driver {
    return new ControlSqliteDriver(this.#database)
  }

  override createAdapter(): SqliteAdapter {
    return new ControlSqliteAdapter()
  }
}
