import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Database from 'libsql'
import type { ControlStore } from '../../src/ports/control-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { namespace, user } from '../contract/control-fixtures.js'
import {
  controlInvitationsContract,
  controlKeysContract,
  controlNamespacesContract
} from '../contract/control-store.access.contract.js'
import { controlLedgersContract, controlTransactionsContract } from '../contract/control-store.ledger.contract.js'
import {
  controlMembersContract,
  controlSessionsContract,
  controlUsersContract
} from '../contract/control-store.people.contract.js'

let folder: string
let opened = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alidade-control-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function open(): Promise<ControlStore> {
  return openSqliteControlStore({ file: join(folder, `control-${opened++}.db`) })
}

describe('control store on SQLite', () => {
  describe('users and signing keys', () => controlUsersContract(open))
  describe('refresh tokens', () => controlSessionsContract(open))
  describe('members', () => controlMembersContract(open))
  describe('namespaces', () => controlNamespacesContract(open))
  describe('API keys', () => controlKeysContract(open))
  describe('invitations', () => controlInvitationsContract(open))
  describe('ledgers', () => controlLedgersContract(open))
  describe('transactions', () => controlTransactionsContract(open))
})

describe('SQLite itself', () => {
  it('finds everything again after it was closed', async () => {
    const file = join(folder, 'again.db')
    const first = await openSqliteControlStore({ file })
    await first.users.insert(user('ada'))
    await first.close()
    const second = await openSqliteControlStore({ file })
    expect(await second.users.byId(user('ada').id)).toEqual(user('ada'))
    await second.close()
  })

  it('migrates once when two open the same file at once', async () => {
    const file = join(folder, 'twice.db')
    const stores = await Promise.all([openSqliteControlStore({ file }), openSqliteControlStore({ file })])
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
    const copy = await openSqliteControlStore({ file: join(copies, `control-${opened - 1}.db`) })
    expect(await copy.users.count()).toBe(1)
    expect([0, 2]).toContain((await copy.namespaces.all()).length)
    await copy.close()
    await store.close()
  })

  it('refuses a database of a newer version with a sentence', async () => {
    const file = join(folder, 'newer.db')
    await (await openSqliteControlStore({ file })).close()
    const raw = new Database(file)
    raw.exec("insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00Z')")
    raw.close()
    await expect(openSqliteControlStore({ file })).rejects.toThrow('newer version')
  })

  it('writes with a synced log and checks references', async () => {
    const store = await open()
    const orphan = { namespaceId: namespace('none').id, userId: user('none').id, role: 'viewer', sinceMs: 1 } as const
    await expect(store.members.add(orphan)).rejects.toThrow('FOREIGN KEY')
    await store.close()
  })
})
