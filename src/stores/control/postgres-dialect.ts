import type { DatabaseIntrospector, Dialect, DialectAdapter, Driver, Kysely, QueryCompiler } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
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
