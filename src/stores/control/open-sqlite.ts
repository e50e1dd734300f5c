import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Kysely, sql } from 'kysely'
import Database from 'libsql'
import type { ControlStore } from '../../ports/control-store.js'
import { KyselyControlStore } from './kysely-control-store.js'
import { migrate } from './migrations.js'
import type { ControlSchema } from './schema.js'
import { ControlSqliteDialect } from './sqlite-dialect.js'

const PRAGMAS = ['busy_timeout = 100', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']

/** Opens (and migrates) the embedded control database. Only one process may have it open: hold the data folder's lock. */
export async function openSqliteControlStore({ file }: { readonly file: string }): Promise<ControlStore> {
  const database = new Database(file)
  const db = new Kysely<ControlSchema>({ dialect: new ControlSqliteDialect(database) })
  try {
    for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`)
    await migrate(db)
  } catch (error) {
    database.close()
    throw error
  }
  return new KyselyControlStore({
    db,
    backup: folder => copyInto(db, join(folder, basename(file))),
    monotonicMs: () => performance.now()
  })
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
