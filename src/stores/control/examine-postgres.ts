import { Client } from 'pg'
import type { Clock } from '../../ports/clock.js'
import type { Finding } from '../shared/finding.js'
import { Findings, judgeClock, wordsOf } from '../shared/finding.js'
import { MIGRATION_NAMES } from './migrations.js'
import { NOTIFYING } from './postgres-triggers.js'

const CONNECT_TIMEOUT_MS = 10_000
const OLDEST_VERSION = 130_000
const STORE = 'postgresql'
const MIGRATIONS = [...MIGRATION_NAMES, ...Object.keys(NOTIFYING)]

/** Why a connection fails, by SQLSTATE or system error, and how to mend it. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'correct user and password in database_url',
  '28000': 'allow this user and address in pg_hba.conf, or correct the user in database_url',
  '3D000': 'make the database: CREATE DATABASE alidade OWNER alidade',
  '53300': 'raise max_connections of the server',
  ECONNREFUSED: 'start the server, or correct host and port in database_url',
  ENOTFOUND: 'correct the host in database_url'
}

async function one(client: Client, sql: string, values: readonly unknown[] = []): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await client.query<Record<string, unknown>>(sql, [...values])
  return rows[0] ?? {}
}

async function examineServer(client: Client, findings: Findings): Promise<void> {
  const server = await one(
    client,
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit, pg_is_in_recovery() AS standby`
  )
  const version = `PostgreSQL ${String(server['version'])}`
  if (Number(server['number']) < OLDEST_VERSION)
    findings.bad('version', `${version} is too old`, 'upgrade to PostgreSQL 13 or newer')
  else findings.good('version', version)
  if (server['encoding'] !== 'UTF8')
    findings.bad('encoding', `the database is ${String(server['encoding'])}`, 'create it again with ENCODING UTF8')
  if (server['standby'] === true)
    findings.bad('writing', 'the server is a standby and rejects writes', 'set database_url to the primary')
  if (server['fsync'] === 'off' || server['commit'] === 'off')
    findings.notice(
      'durability',
      'the server acknowledges before data is on its disk',
      'set fsync and synchronous_commit to on: keys and namespaces may be lost in a power failure'
    )
}

async function examineTables(client: Client, findings: Findings): Promise<void> {
  const { there } = await one(client, "SELECT to_regclass('kysely_migration') IS NOT NULL AS there")
  if (there !== true) return findings.good('tables', 'none; the first start creates them')
  const { rows } = await client.query<{ name: string }>('SELECT name FROM kysely_migration')
  const unknown = rows.filter(({ name }) => !MIGRATIONS.includes(name))
  const missing = MIGRATIONS.length - (rows.length - unknown.length)
  if (unknown.length > 0)
    return findings.bad(
      'tables',
      'they were created by a newer version of Alidade',
      'start that version, or restore a backup of this one'
    )
  if (missing > 0) return findings.notice('tables', 'they are of an older version: the next start migrates them')
  return findings.good('tables', 'they are of this version')
}

/** Writes, reads and deletes a record in a table of its own, all within a transaction that is rolled back. */
async function examineRights(client: Client, findings: Findings): Promise<void> {
  const steps: readonly (readonly [right: string, sql: string])[] = [
    ['create tables', 'CREATE TABLE alidade_doctor (id int8 PRIMARY KEY, body text)'],
    ['make indices', 'CREATE INDEX alidade_doctor_body ON alidade_doctor (body)'],
    ['write', "INSERT INTO alidade_doctor VALUES (9007199254740993, 'doctor')"],
    ['read', 'SELECT id, body FROM alidade_doctor'],
    ['delete', 'DELETE FROM alidade_doctor'],
    ['drop tables', 'DROP TABLE alidade_doctor']
  ]
  await client.query('BEGIN')
  try {
    for (const [right, sql] of steps) {
      const failure = await client.query(sql).then(() => null, wordsOf)
      if (failure !== null)
        return findings.bad(
          'rights',
          `the user cannot ${right}: ${failure}`,
          'GRANT USAGE, CREATE ON SCHEMA public TO the user, or make it the owner of the database'
        )
    }
    return findings.good('rights', 'tables can be created, written, read and dropped')
  } finally {
    await client.query('ROLLBACK')
  }
}

async function examineClock(client: Client, findings: Findings, clock: Clock): Promise<void> {
  const beforeMs = clock.nowMs()
  const { now } = await one(client, 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now')
  judgeClock(findings, Number(now), (beforeMs + clock.nowMs()) / 2)
}

/** Examines the database of users, keys and namespaces: reach, version, tables, rights and clock. Leaves nothing behind. */
export async function examinePostgres(url: string, clock: Clock): Promise<readonly Finding[]> {
  const findings = new Findings(STORE)
  const { host } = new URL(url)
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // The query in flight reports a broken connection.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const remedy = REFUSALS[code] ?? 'correct database_url and check the network path to the server'
    findings.bad('connection', `${host} cannot be used: ${wordsOf(error)}`, remedy)
    return findings.list
  }
  try {
    findings.good('connection', `${host} is available`)
    await examineServer(client, findings)
    await examineTables(client, findings)
    await examineRights(client, findings)
    await examineClock(client, findings, clock)
  } catch (error) {
    findings.bad('connection', `the server failed: ${wordsOf(error)}`, 'check the log of the server')
  } finally {
    // The findings are reported already.
    await client.end().catch(() => undefined)
  }
  return findings.list
}
