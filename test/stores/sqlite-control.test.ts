import { entryFile } from '../../src/threads/entry-file.js'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Kysely, sql } from 'kysely'
import Database from 'libsql'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { KyselyControlStore } from '../../src/stores/control/kysely-control-store.js'
import { migrate } from '../../src/stores/control/migrations.js'
import { openSqliteControlStore, ControlSqliteDialect, NOW_MS } from '../../src/stores/control/open-sqlite.js'
import type { ControlSchema } from '../../src/stores/control/schema.js'
import { SqliteOwner } from '../../src/stores/control/sqlite-owner.js'
import { namespace, user } from '../contract/control-fixtures.js'
import {
  controlInvitationsContract,
  controlKeysContract,
  controlNamespacesContract
} from '../contract/control-store.access.contract.js'
import {
  controlIndicesContract,
  controlPlacesContract,
  controlSeriesContract,
  controlWaitingContract
} from '../contract/control-store.catalogs.contract.js'
import { controlDeliveriesContract } from '../contract/control-store.deliveries.contract.js'
import { controlNotificationsContract } from '../contract/control-store.notifications.contract.js'
import { controlPatternsContract } from '../contract/control-store.patterns.contract.js'
import { controlMeasuresContract } from '../contract/control-store.measures.contract.js'
import { controlViewsContract } from '../contract/control-store.views.contract.js'
import { controlEventsContract } from '../contract/control-store.events.contract.js'
import { controlSlosContract } from '../contract/control-store.slos.contract.js'
import { controlHostsContract } from '../contract/control-store.hosts.contract.js'
import { controlStreamsContract } from '../contract/control-store.streams.contract.js'
import { controlAlertRulesContract } from '../contract/control-store.alert-rules.contract.js'
import { controlAlertLeasesContract, controlAlertStatesContract } from '../contract/control-store.alert-states.contract.js'
import { controlErrorGroupsContract } from '../contract/control-store.errors.contract.js'
import { controlExemplarsContract, controlMetricFactsContract } from '../contract/control-store.notes.contract.js'
import { controlLedgersContract, controlTransactionsContract } from '../contract/control-store.ledger.contract.js'
import {
  controlMembersContract,
  controlSessionsContract,
  controlUsersContract
} from '../contract/control-store.people.contract.js'

let folder: string
/** A database that was migrated and is empty otherwise. */
let empty: string
let opened = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alidade-control-'))
  empty = join(folder, 'empty.db')
  await (await openSqlite(empty)).close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function openSqlite(file: string, entry = entryFile('control-thread')): Promise<ControlStore> {
  return openSqliteControlStore({ file, entry })
}

async function open(): Promise<ControlStore> {
  const file = join(folder, `control-${opened++}.db`)
  await copyFile(empty, file)
  return openSqlite(file)
}

describe('control store on SQLite', () => {
  describe('users and signing keys', () => controlUsersContract(open))
  describe('refresh tokens', () => controlSessionsContract(open))
  describe('members', () => controlMembersContract(open))
  describe('namespaces', () => controlNamespacesContract(open))
  describe('API keys', () => controlKeysContract(open))
  describe('invitations', () => controlInvitationsContract(open))
  describe('ledgers', () => controlLedgersContract(open))
  describe('error groups', () => controlErrorGroupsContract(open))
  describe('patterns of logs', () => controlPatternsContract(open))
  describe('saved views and preferences', () => controlViewsContract(open))
  describe('saved measures', () => controlMeasuresContract(open))
  describe('log streams', () => controlStreamsContract(open))
  describe('events of services', () => controlEventsContract(open))
  describe('service level objectives', () => controlSlosContract(open))
  describe('hosts of agents', () => controlHostsContract(open))
  describe('alert rules', () => controlAlertRulesContract(open))
  describe('states of alert rules', () => controlAlertStatesContract(open))
  describe('leases of alert rules', () => controlAlertLeasesContract(open))
  describe('notifications', () => controlNotificationsContract(open))
  describe('deliveries', () => controlDeliveriesContract(open))
  describe('indices', () => controlIndicesContract(open))
  describe('series', () => controlSeriesContract(open))
  describe('places', () => controlPlacesContract(open))
  describe('waiting records', () => controlWaitingContract(open))
  describe('facts of metrics', () => controlMetricFactsContract(open))
  describe('exemplars', () => controlExemplarsContract(open))
  describe('transactions', () => controlTransactionsContract(open))
})

describe('SQLite itself', () => {
  it('finds everything again after it was closed', async () => {
    const file = join(folder, 'again.db')
    const first = await openSqlite(file)
    await first.users.insert(user('ada'))
    await first.close()
    const second = await openSqlite(file)
    expect(await second.users.byId(user('ada').id)).toEqual(user('ada'))
    await second.close()
  })

  it('gives namespaces of the version before the placement of their kind', async () => {
    const file = join(folder, 'before.db')
    const first = await openSqlite(file)
    await first.namespaces.insert(namespace('ada', { kind: 'personal' }))
    await first.namespaces.insert(namespace('shop'))
    await first.close()
    const raw = new Database(file)
    for (const column of ['placement', 'search', 'log_rules']) raw.exec(`alter table namespaces drop column ${column}`)
    raw.exec('alter table usage drop column dropped')
    const later = ['store_indices', 'series', 'store_places', 'error_groups', 'metric_facts', 'exemplars', 'waiting_records']
    const streams = ['streams', 'stream_runs', 'stream_gaps', 'hosts', 'host_listeners', 'service_events', 'slos', 'slo_versions']
    const alerts = ['groups', 'rules', 'rule_versions', 'rule_states', 'instances', 'events', 'sequences', 'leases']
    const views = ['saved_views', 'preferences', 'log_patterns', 'log_pattern_merges', 'saved_measures']
    const notified = [
      'notification_channels',
      'notification_cursors',
      'notification_groups',
      'deliveries',
      'silences',
      'mute_times'
    ]
    for (const table of [...later, ...views, ...streams, ...notified, 'alert_routing', ...alerts.map(name => `alert_${name}`)])
      raw.exec(`drop table ${table}`)
    raw.exec("delete from kysely_migration where name > '0002'")
    raw.close()
    const second = await openSqlite(file)
    const storage = new Map((await second.namespaces.all()).map(ns => [ns.name, ns.storage]))
    expect(storage).toEqual(new Map(Object.entries({ ada: DEFAULT_STORAGE.personal, shop: DEFAULT_STORAGE.team })))
    await second.close()
  })

  it('migrates once when two open the same file at once', async () => {
    const file = join(folder, 'twice.db')
    const stores = await Promise.all([openSqlite(file), openSqlite(file)])
    await stores[0].users.insert(user('ada'))
    expect(await stores[1].users.count()).toBe(1)
    await Promise.all(stores.map(store => store.close()))
  })

  it('copies itself while in use, consistently', async () => {
    const store = await open()
    await store.users.insert(user('ada'))
    const copies = join(folder, 'copies')
    await mkdir(copies)
    await Promise.all([
      store.backup(copies),
      store.transaction(async ports => {
        await ports.namespaces.insert(namespace('shop'))
        await ports.namespaces.insert(namespace('bank'))
      })
    ])
    const copy = await openSqlite(join(copies, `control-${opened - 1}.db`))
    expect(await copy.users.count()).toBe(1)
    expect([0, 2]).toContain((await copy.namespaces.all()).length)
    await copy.close()
    await store.close()
  })
})

describe('SQLite at fault', () => {
  it('refuses a database of a newer version with a sentence', async () => {
    const file = join(folder, 'newer.db')
    await (await openSqlite(file)).close()
    const raw = new Database(file)
    raw.exec("insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00Z')")
    raw.close()
    await expect(openSqlite(file)).rejects.toThrow('newer version')
  })

  it('keeps a write-ahead log and checks references', async () => {
    const file = join(folder, 'checked.db')
    const store = await openSqlite(file)
    const orphan = { namespaceId: namespace('none').id, userId: user('none').id, role: 'viewer', sinceMs: 1 } as const
    await expect(store.members.add(orphan)).rejects.toThrow('FOREIGN KEY')
    const raw = new Database(file)
    expect(raw.prepare('PRAGMA journal_mode').all()).toEqual([{ journal_mode: 'wal' }])
    raw.close()
    await store.close()
  })

  it('names a full disk, inside and outside of a transaction, and goes on when there is room', async () => {
    const owner = new SqliteOwner(entryFile('control-thread'), { file: join(folder, 'full.db'), pragmas: [] })
    const db = new Kysely<ControlSchema>({ dialect: new ControlSqliteDialect(owner) })
    await migrate(db)
    const store = new KyselyControlStore({
      db,
      nowMs: NOW_MS,
      transaction: work => db.transaction().execute(work),
      changes: null,
      backup: () => Promise.resolve(),
      purge: () => Promise.resolve(),
      monotonicMs: () => 0,
      close: () => db.destroy()
    })
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db)
    const pages = rows[0]!.page_count
    await sql`PRAGMA max_page_count = ${sql.lit(pages + 2)}`.execute(db)
    const large = 'x'.repeat(100_000)
    await expect(store.settings.setOnce('a', large)).rejects.toMatchObject({ code: 'storage_full' })
    const inTransaction = store.transaction(async ports => {
      await ports.users.insert(user('ada'))
      await ports.users.insert(user('bob', { name: large }))
    })
    await expect(inTransaction).rejects.toMatchObject({ code: 'storage_full' })
    await expect(store.users.insert(user('cem', { name: large }))).rejects.toMatchObject({ code: 'storage_full' })
    expect(await store.users.count()).toBe(0)
    await sql`PRAGMA max_page_count = ${sql.lit(pages + 1000)}`.execute(db)
    expect(await store.settings.setOnce('a', large)).toBe(large)
    await store.close()
  })

  it('reports that it cannot be used when the file is not a SQLite database', async () => {
    const file = join(folder, 'text.db')
    await writeFile(file, 'this no database, it is a text that is long enough to be looked at as one'.repeat(100))
    await expect(openSqlite(file)).rejects.toThrow(/not a database/i)
  })
})
