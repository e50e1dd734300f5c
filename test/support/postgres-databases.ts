import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openPostgresControlStore } from '../../src/stores/control/open-postgres.js'
import { quietJobs } from './quiet-jobs.js'

/** Databases of one test file on a shared server. */
export interface PostgresDatabases {
  /** URL of a new database with nothing in it. */
  bare(): Promise<string>
  /** URL of a database that no one uses, with the tables of the control store, all empty. */
  empty(): Promise<string>
  /** Drops all of them, whoever is still connected. */
  drop(): Promise<void>
}

// Neither references nor triggers are enforced while it runs, which a superuser may request.
const WIPE = `
set session_replication_role = replica;
do $$ declare one text; begin
  for one in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
    execute format('delete from %I', one);
  end loop;
end $$`

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Connects to the server; `drop` when the tests are done. */
export async function createPostgresDatabases(url: string): Promise<PostgresDatabases> {
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  const prefix = `alidade_test_${randomBytes(6).toString('hex')}`
  const made: string[] = []
  const withTables: string[] = []

  async function create(): Promise<string> {
    const name = `${prefix}_${made.length}`
    made.push(name)
    await server.query(`create database ${name} template template0`)
    return name
  }

  /** Making and dropping a database costs the server a checkpoint: one that is free again is wiped instead. */
  async function findFree(): Promise<string | undefined> {
    const { rows } = await server.query<{ datname: string }>('select distinct datname from pg_stat_activity')
    const used = new Set(rows.map(({ datname }) => datname))
    return withTables.find(name => !used.has(name))
  }

  return {
    bare: async () => withDatabase(url, await create()),
    empty: async () => {
      const free = await findFree()
      const name = free ?? (await create())
      const own = withDatabase(url, name)
      if (free !== undefined) await run(own, WIPE)
      else {
        await (await openPostgresControlStore({ jobs: quietJobs(), url: own })).close()
        withTables.push(name)
      }
      return own
    },
    drop: async () => {
      for (const name of made) await server.query(`drop database if exists ${name} with (force)`)
      await server.end()
    }
  }
}
