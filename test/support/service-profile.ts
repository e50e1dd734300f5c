import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { ServerAccess } from '../servers/variables.js'
import { SEARCH_SERVERS, serverAccess } from './servers.js'
import { dropBuckets, dropIndices } from './shared-leftovers.js'

/** Whether the whole-app tests keep their data in managed stores: `ALIDADE_TEST_PROFILE=managed`. */
export const IS_MANAGED = process.env['ALIDADE_TEST_PROFILE'] === 'managed'

/** Where one service of the whole-app tests keeps its data. */
export interface ServiceStores {
  /** Settings, as environment variables of the service. */
  readonly env: Readonly<Record<string, string>>
  /** Removes what the service left in shared servers; after it has been closed. */
  remove(): Promise<void>
}

const EMBEDDED: ServiceStores = { env: {}, remove: async () => undefined }

function required<T>(name: string, access: T | undefined): T {
  if (access === undefined) throw new Error(`the managed profile needs ${name}`)
  return access
}

async function openDatabase(serverUrl: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `alidade_service_${randomBytes(8).toString('hex')}`
  const run = async (sql: string): Promise<void> => {
    const server = new pg.Client({ connectionString: serverUrl })
    await server.connect()
    try {
      await server.query(sql)
    } finally {
      await server.end()
    }
  }
  await run(`CREATE DATABASE ${name} TEMPLATE template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** The search server of the profile: `ALIDADE_TEST_SEARCH`, es8 by default. */
function searchAccess(): ServerAccess {
  const named = process.env['ALIDADE_TEST_SEARCH'] ?? 'es8'
  const name = SEARCH_SERVERS.find(server => server === named)
  if (!name) throw new Error(`ALIDADE_TEST_SEARCH must be one of ${SEARCH_SERVERS.join(', ')}`)
  return required(`${name.toUpperCase()}_URL`, serverAccess(name))
}

function searchSettings({ url, username, password }: ServerAccess): Readonly<Record<string, string>> {
  const settings = { ALIDADE_ELASTICSEARCH_URL: url }
  return username === undefined || password === undefined
    ? settings
    : { ...settings, ALIDADE_ELASTICSEARCH_USERNAME: username, ALIDADE_ELASTICSEARCH_PASSWORD: password }
}

function influxSettings({ url, token, org }: ServerAccess): Readonly<Record<string, string>> {
  return { ALIDADE_INFLUXDB_URL: url, ALIDADE_INFLUXDB_ORG: org ?? '', ALIDADE_INFLUXDB_TOKEN: token ?? '' }
}

/** A database of its own on the shared PostgreSQL, and the shared Elasticsearch and InfluxDB. */
export async function openManagedStores(): Promise<ServiceStores> {
  const search = searchAccess()
  const influx = required('INFLUX_URL', serverAccess('influx'))
  const database = await openDatabase(required('PG_URL', serverAccess('postgres')).url)
  return {
    env: { ALIDADE_DATABASE_URL: database.url, ...influxSettings(influx), ...searchSettings(search) },
    remove: async () => {
      await dropBuckets(influx, database.url)
      await dropIndices(search, database.url)
      await database.drop()
    }
  }
}

/** Makes a place for the data of one service: nothing for the embedded profile, a database of its own for the managed one. */
export function openServiceStores(): Promise<ServiceStores> {
  return IS_MANAGED ? openManagedStores() : Promise.resolve(EMBEDDED)
}
