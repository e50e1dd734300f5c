import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  DEFAULT_MIGRATION_LOCK_TABLE,
  DEFAULT_MIGRATION_TABLE,
  Kysely,
  MIGRATION_LOCK_ID,
  sql,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import type { ControlStore } from '../../ports/control-store.js'
import { KyselyControlStore } from './kysely-control-store.js'
import { migrate } from './migrations.js'
import type { ControlSchema } from './schema.js'
import { SqliteOwner } from './sqlite-owner.js'
import { ControlSqliteDriver } from './sqlite-driver.js'
import { entryFile } from '../../threads/entry-file.js'

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

const PRAGMAS = ['busy_timeout = 100', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'secure_delete = ON']

/** Unix milliseconds in SQL. */
export const NOW_MS = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/** Where the database is, and the compiled entry of the thread that owns it. */
export interface SqliteOptions {
  readonly file: string
  readonly entry?: string
}

/** Opens (and migrates) the embedded control database. Only one process may open it: hold the data folder's lock. */
export async function openSqliteControlStore({
  file,
  entry = entryFile('control-thread')
}: SqliteOptions): Promise<ControlStore> {
  const owner = new SqliteOwner(entry, { file, pragmas: PRAGMAS })
  // Here and not by the first statement, so that its errors come as they are.
  await owner.thread()
  const db = new Kysely<ControlSchema>({ dialect: new ControlSqliteDialect(owner) })
  try {
    await createMigrationTables(db)
    await migrate(db)
  } catch (error) {
    await owner.close()
    throw error
  }
  return new KyselyControlStore({
    db,
    nowMs: NOW_MS,
    // There is one connection: transactions come one after the other by themselves.
    transaction: work => db.transaction().execute(work),
    changes: null,
    close: () => db.destroy(),
    backup: folder => copyInto(db, join(folder, basename(file))),
    purge: () => rewrite(db),
    monotonicMs: () => performance.now()
  })
}

/**
 * The tables of the migrator, in a transaction. It would create them outside of one, where another process that does the same
 * can leave the connection with an old snapshot (SQLITE_BUSY_SNAPSHOT).
 */
async function createMigrationTables(db: Kysely<ControlSchema>): Promise<void> {
  await db.transaction().execute(async one => {
    const migrations = one.schema.createTable(DEFAULT_MIGRATION_TABLE).ifNotExists()
    await migrations
      .addColumn('name', 'varchar(255)', column => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', column => column.notNull())
      .execute()
    const lock = one.schema.createTable(DEFAULT_MIGRATION_LOCK_TABLE).ifNotExists()
    await lock
      .addColumn('id', 'varchar(255)', column => column.notNull().primaryKey())
      .addColumn('is_locked', 'integer', column => column.notNull().defaultTo(0))
      .execute()
    const table = sql.table(DEFAULT_MIGRATION_LOCK_TABLE)
    await sql`insert or ignore into ${table} (id, is_locked) values (${MIGRATION_LOCK_ID}, 0)`.execute(one)
  })
}

/** Rewrites the file without its free pages, and empties the log. */
async function rewrite(db: Kysely<ControlSchema>): Promise<void> {
  await sql`vacuum`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

async function copyInto(db: Kysely<ControlSchema>, file: string): Promise<void> {
  await sql`vacuum into ${file}`.execute(db)
  await syncPath(file)
  await syncPath(join(file, '..'))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
