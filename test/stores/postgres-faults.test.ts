import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { freePort } from '../../bench/service/free-port.js'
import { openPostgresControlStore, ControlPostgresDialect } from '../../src/stores/control/open-postgres.js'
import { MAX_WAITING } from '../../src/stores/control/postgres-driver.js'
import { LEASE_MS, RENEW_EVERY_MS } from '../../src/alerting/schedule/bounds.js'
import { createPool, IDLE_TRANSACTION_TIMEOUT_MS } from '../../src/stores/control/postgres-pool.js'
import type { ControlSchema } from '../../src/stores/control/schema.js'
import { namespace, user } from '../contract/control-fixtures.js'
import type { PostgresDatabases } from '../support/postgres-databases.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { quietJobs } from '../support/quiet-jobs.js'

describeOn('postgres', 'a control store on PostgreSQL', server => {
  let databases: PostgresDatabases
  beforeAll(async () => {
    databases = await createPostgresDatabases(server.url)
  })
  afterAll(() => databases?.drop())

  it('migrates once when several gateways open an empty database at once', async () => {
    const url = await databases.bare()
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresControlStore({ jobs: quietJobs(), url })))
    await stores[0]!.users.insert(user('ada'))
    expect(await stores[3]!.users.count()).toBe(1)
    await Promise.all(stores.map(store => store.close()))
  })

  it('lets one of many transactions on several gateways find nothing before it', async () => {
    const url = await databases.empty()
    const stores = await Promise.all([
      openPostgresControlStore({ jobs: quietJobs(), url }),
      openPostgresControlStore({ jobs: quietJobs(), url })
    ])
    const insertIfFirst = (i: number): Promise<boolean> =>
      stores[i % 2]!.transaction(async ports => {
        if ((await ports.users.count()) > 0) return false
        await ports.users.insert(user(`user${i}`))
        return true
      })
    const wins = await Promise.all(Array.from({ length: 20 }, (_, i) => insertIfFirst(i)))
    expect(wins.filter(Boolean)).toHaveLength(1)
    await Promise.all(stores.map(store => store.close()))
  })

  it('reads on while more transactions wait than there are connections', async () => {
    const store = await openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty(), maxConnections: 2 })
    let letGo = (): void => undefined
    const held = new Promise<void>(resolve => (letGo = resolve))
    const first = store.transaction(() => held)
    const others = Array.from({ length: 5 }, (_, i) => store.transaction(ports => ports.users.insert(user(`user${i}`))))
    expect(await store.users.count()).toBe(0)
    letGo()
    await Promise.all([first, ...others])
    expect(await store.users.count()).toBe(5)
    await store.close()
  })

  it('ends a transaction that a paused gateway left open, so that the others go on before their leases end', async () => {
    const url = await databases.empty()
    const jobs = quietJobs()
    const paused = await openPostgresControlStore({ jobs, url, idleTransactionTimeoutMs: 100 })
    const other = await openPostgresControlStore({ jobs, url })
    const [lease] = await paused.alertLeases.acquire([3], 'paused', 60_000)
    let goOn = (): void => undefined
    const pause = new Promise<void>(resolve => (goOn = resolve))
    let isLocked = (): void => undefined
    const locked = new Promise<void>(resolve => (isLocked = resolve))
    const left = paused.transaction(async ports => {
      expect(await ports.alertLeases.lock(lease!)).toBe(true)
      isLocked()
      await pause
      await ports.users.insert(user('ada'))
    })
    await locked
    expect(await other.transaction(ports => ports.alertLeases.lock(lease!))).toBe(true)
    expect(await other.alertLeases.acquire([3], 'other', 60_000)).toEqual([])
    goOn()
    await expect(left).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await other.users.count()).toBe(0)
    // A renewal may be late by the whole interval when it begins to wait.
    expect(IDLE_TRANSACTION_TIMEOUT_MS).toBeLessThan(LEASE_MS - RENEW_EVERY_MS)
    await Promise.all([paused.close(), other.close()])
  })

  it('refuses a server without TLS when the URL requests it', async () => {
    const url = new URL(await databases.empty())
    url.searchParams.set('sslmode', 'verify-full')
    await expect(openPostgresControlStore({ jobs: quietJobs(), url: url.href })).rejects.toMatchObject({
      code: 'store_unavailable'
    })
  })

  it('refuses a database of a newer version with a sentence', async () => {
    const url = await databases.bare()
    await (await openPostgresControlStore({ jobs: quietJobs(), url })).close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query("insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00Z')")
    await client.end()
    await expect(openPostgresControlStore({ jobs: quietJobs(), url })).rejects.toThrow('newer version')
  })

  it('names pg_dump when a backup is requested', async () => {
    const store = await openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty() })
    await expect(store.backup('/nowhere')).rejects.toMatchObject({
      code: 'unsupported_by_store',
      message: expect.stringContaining('pg_dump')
    })
    await store.close()
  })

  it('refuses a character that PostgreSQL cannot keep as a fault of the field, and goes on', async () => {
    const store = await openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty() })
    await expect(store.users.insert(user('ada', { name: 'a\0b' }))).rejects.toMatchObject({ code: 'invalid_field' })
    await store.users.insert(user('ada', { name: 'ÉCLAIR 😀' }))
    expect((await store.users.byEmail('ada@example.com'))?.name).toBe('ÉCLAIR 😀')
    await store.close()
  })

  it('commits nothing when a fault within a transaction was swallowed', async () => {
    const store = await openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty() })
    const work = store.transaction(async ports => {
      await ports.users.insert(user('ada'))
      await ports.users.insert(user('ada')).catch(() => undefined)
    })
    await expect(work).rejects.toThrow('one of its statements failed')
    expect(await store.users.count()).toBe(0)
    await store.close()
  })

  it('ends pending calls when it is closed, and refuses later ones', async () => {
    const store = await openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty(), maxConnections: 1 })
    const writing = ['ada', 'bob', 'cem'].map(name => store.users.insert(user(name)))
    await Promise.all([...writing, store.close()])
    await expect(store.users.count()).rejects.toThrow()
  })

  it('lets so many wait for a connection and refuses the next until there is room', async () => {
    const store = await openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty(), maxConnections: 1 })
    const fitting = Array.from({ length: MAX_WAITING + 1 }, () => store.users.count())
    await expect(store.users.count()).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
    expect(await Promise.all(fitting)).toHaveLength(MAX_WAITING + 1)
    expect(await store.users.count()).toBe(0)
    await store.close()
  })

  it('gives up a statement that takes too long, and its connection is of use again', async () => {
    const url = await databases.bare()
    const db = new Kysely<ControlSchema>({ dialect: new ControlPostgresDialect(createPool({ url, statementTimeoutMs: 50 }, 1)) })
    await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toMatchObject({ code: 'store_unavailable', retryAfterS: 1 })
    expect((await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(db)).rows).toEqual([{ n: 9007199254740991 }])
    await db.destroy()
  })

  it('survives the end of its connections in the middle of a transaction', async () => {
    const url = await databases.empty()
    const store = await openPostgresControlStore({ jobs: quietJobs(), url })
    const killer = new pg.Client({ connectionString: url })
    await killer.connect()
    const ended =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'alidade' and datname = current_database()"
    const work = store.transaction(async ports => {
      await ports.users.insert(user('ada'))
      await killer.query(ended)
      await ports.namespaces.insert(namespace('shop'))
    })
    await expect(work).rejects.toMatchObject({ code: 'store_unavailable', retryAfterS: 1 })
    // The lock of the lost transaction is free.
    await store.transaction(ports => ports.users.insert(user('cem')))
    expect(await store.users.count()).toBe(1)
    await killer.end()
    await store.close()
  })
})

describe('a PostgreSQL that cannot be reached', () => {
  it('is reported without the password of its URL', async () => {
    const port = await freePort()
    for (const url of [`postgres://dev:hunter2@127.0.0.1:${port}/none`, 'postgres://dev:hunter2@127.0.0.1:port/none']) {
      const refusal: unknown = await openPostgresControlStore({ jobs: quietJobs(), url }).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'store_unavailable' })
      expect(inspect(refusal)).not.toContain('hunter2')
    }
  })
})
