import { setTimeout } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { GatewayError } from '../../domain/errors.js'
import { UniqueViolation } from './control-db.js'
import type { SqliteOwner } from './sqlite-owner.js'
import type { SqliteThread } from './sqlite-thread.js'
import { SqliteFault } from './sqlite-thread.js'
import type { StatementResult } from './thread/messages.js'
import { LockQueue } from './lock-queue.js'

/** Callers that may wait for the one connection. */
export const MAX_WAITING = 1_000
const MAX_BEGIN_ATTEMPTS = 50
const BEGIN_PAUSE_MS = 20

function codeOf(error: unknown): string {
  return error instanceof SqliteFault ? error.code : ''
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

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw translate(error)
  }
}

function toQueryResult<R>({ rows, changes, lastInsertRowid }: StatementResult): QueryResult<R> {
  return {
    rows: rows as R[],
    ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
    ...(lastInsertRowid === undefined ? {} : { insertId: BigInt(lastInsertRowid) })
  }
}

/**
 * Belongs to one life of the thread: what is left of a transaction never runs on the next one. A transaction begins with its
 * first statement, in one message to the thread; one without a statement never begins.
 */
class ThreadConnection implements DatabaseConnection {
  readonly #thread: SqliteThread
  #isToBegin = false
  /** Its transaction has ended: a connection has one at most. */
  #isOver = false

  constructor(thread: SqliteThread) {
    this.#thread = thread
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#refuseWhenOver()
    const result = this.#isToBegin ? this.#beginWith(sql, parameters) : this.#thread.query(sql, parameters)
    return toQueryResult(await translated(result))
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the control database does not stream results')
  }

  async begin(): Promise<void> {
    this.#isToBegin = true
  }

  async commit(): Promise<void> {
    if (!this.#isToBegin) await translated(this.#thread.exec('commit'))
    this.#isOver = true
  }

  async rollback(): Promise<void> {
    this.#isOver = true
    // A thread that ended took the transaction with it; a second error would hide the first.
    if (this.#thread.isAlive) await translated(this.#thread.rollback())
  }

  #refuseWhenOver(): void {
    if (this.#isOver) throw new Error('the transaction of this statement has ended')
  }

  // busy_timeout is short, and the wait for the other writer is out here: a thread that waits inside cannot be closed.
  async #beginWith(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#thread.begin(sql, parameters)
        this.#isToBegin = false
        return result
      } catch (error) {
        if (attempt === MAX_BEGIN_ATTEMPTS || !codeOf(error).startsWith('SQLITE_BUSY')) throw error
      }
      await setTimeout(BEGIN_PAUSE_MS)
      // Another statement of the transaction failed meanwhile: what began now would never end.
      this.#refuseWhenOver()
    }
  }
}

/** One connection to the thread that owns the database, given to one caller at a time. */
export class ControlSqliteDriver implements Driver {
  readonly #owner: SqliteOwner
  readonly #turns = new LockQueue(MAX_WAITING)

  constructor(owner: SqliteOwner) {
    this.#owner = owner
  }

  async init(): Promise<void> {
    // The owner opens at the first connection.
  }

  async acquireConnection(): Promise<ThreadConnection> {
    await this.#turns.take()
    try {
      return new ThreadConnection(await translated(this.#owner.thread()))
    } catch (error) {
      this.#turns.release()
      throw error
    }
  }

  beginTransaction(connection: ThreadConnection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: ThreadConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: ThreadConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(): Promise<void> {
    this.#turns.release()
  }

  /** Closes after those who wait already; Kysely accepts no queries from now on. */
  async destroy(): Promise<void> {
    await this.#turns.wait()
    try {
      await this.#owner.close()
    } finally {
      this.#turns.release()
    }
  }
}
