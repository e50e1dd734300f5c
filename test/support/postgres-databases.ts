import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openPostgresControlStore } from '../../src/stores/control/open-postgres.js'

/** Databases of one test file on a shared server. */
export interface PostgresDatabases {
  /** URL of a new database with nothing in it. */
  bare(): Promise<string>
  /** URL of a new database with the tables of the control store, all empty. */
  empty(): Promise<string>
  /** Drops all of them, whoever is still connected. */
  drop(): Promise<void>
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Connects to the server; `drop` when the tests are done. */
export async function createPostgresDatabases(url: string): Promise<PostgresDatabases> {
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  const prefix = `alidade_test_${randomBytes(6).toString('hex')}`
  const made: string[] = []
  let template: Promise<string> | null = null

  async function create(from: string): Promise<string> {
    const name = `${prefix}_${made.length}`
    made.push(name)
    await server.query(`create database ${name} template ${from}`)
    return name
  }

  // Copying a database is faster than making its tables anew.
  async function createTemplate(): Promise<string> {
    const name = await create('template0')
    await (await openPostgresControlStore({ url: withDatabase(url, name) })).close()
    return name
  }

  return {
    bare: async () => withDatabase(url, await create('template0')),
    empty: async () => withDatabase(url, await create(await (template ??= createTemplate()))),
    drop: async () => {
      for (const name of made) await server.query(`drop database if exists ${name} with (force)`)
      await server.end()
    }
  }
}
