import type { DatabaseIntrospector, Dialect, Driver, Kysely, QueryCompiler } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { ControlSqliteDriver } from './sqlite-driver.js'
import type { SqliteOwner } from './sqlite-owner.js'

class ControlSqliteAdapter extends SqliteAdapter {
  // SQLite's DDL is transactional: migrations run all or nothing, and `begin immediate` is their lock.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** SQLite through libsql in a thread of its own, with writers serialized and errors translated. */
export class ControlSqliteDialect implements Dialect {
  readonly #owner: SqliteOwner

  constructor(owner: SqliteOwner) {
    this.#owner = owner
  }

  createDriver(): Driver {
    return new ControlSqliteDriver(this.#owner)
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new ControlSqliteAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}
