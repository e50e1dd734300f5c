import Database from 'libsql'
import pg from 'pg'

/** The control database as tests see it while no gateway runs, or between two of them. */
export interface AlertDatabase {
  /** Ends all leases, as time would. */
  expireLeases(): Promise<void>
  /** Ids of deliveries whose outcome is not stored. */
  waiting(): Promise<readonly string[]>
  /** Ends all connections of gateways to the database. */
  cutConnections(): Promise<void>
}

const EXPIRE = 'update alert_leases set expires_at_ms = 0'
const WAITING = "select id from deliveries where state = 'waiting'"
const CUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'alidade%'`

/** The control database of a URL of PostgreSQL, or of a file of SQLite that no process has open. */
export function openAlertDatabase(place: string): AlertDatabase {
  const run = place.startsWith('postgres') ? onPostgres : onSqlite
  return {
    expireLeases: async () => void (await run(place, EXPIRE)),
    waiting: async () => (await run(place, WAITING)).map(({ id }) => id!),
    cutConnections: async () => void (await run(place, CUT))
  }
}

type Rows = readonly Readonly<Record<string, string>>[]

async function onPostgres(connectionString: string, statement: string): Promise<Rows> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(statement)).rows
  } finally {
    await client.end()
  }
}

async function onSqlite(file: string, statement: string): Promise<Rows> {
  const database = new Database(file)
  try {
    const prepared = database.prepare(statement)
    if (statement.startsWith('select')) return prepared.all() as Rows
    prepared.run()
    return []
  } finally {
    database.close()
  }
}
