import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { firstStart } from '../../src/access/first-start.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { ManualTime } from '../support/manual-time.js'
import { openTempFolder } from '../support/temp-folder.js'
import { openTestAccess, TEST_COST } from '../support/open-access.js'

describe('the first start', () => {
  it('makes an operator who can sign in, a namespace and a key that can write there', async () => {
    const opened = await openTestAccess()
    const { access, first } = opened
    const grant = await access.signIn.login({ email: first.email, password: first.password!, address: '::1' })
    expect(grant).toMatchObject({ role: 'admin', namespace: { name: 'default', id: first.namespaceId } })
    expect(await access.sessions.verify(grant.accessToken)).toMatchObject({ isOperator: true })
    const key = await access.keys.verify(first.ingestKey, '::1')
    expect(await access.authorizer.writeNamespace(key, {})).toMatchObject({ name: 'default' })
    await opened.close()
  })

  it('happens once when two start at once on the same file', async () => {
    const folder = await openTempFolder()
    const file = `${folder.path}/control.db`
    const stores = [await openSqliteControlStore({ file }), await openSqliteControlStore({ file })]
    const clock = new ManualTime()
    const made = await Promise.all(stores.map(store => firstStart({ store, clock, randomBytes, scryptCost: TEST_COST })))
    expect(made.filter(credentials => credentials !== null)).toHaveLength(1)
    expect(await stores[0]!.users.count()).toBe(1)
    expect(await stores[0]!.namespaces.all()).toHaveLength(1)
    await Promise.all(stores.map(store => store.close()))
    await folder.remove()
  })

  it('does not show a password that was given', async () => {
    const store = await openSqliteControlStore({ file: ':memory:' })
    const deps = { store, clock: new ManualTime(), randomBytes, scryptCost: TEST_COST }
    expect(await firstStart({ ...deps, password: 'from a file, long' })).toMatchObject({ password: null })
    expect(await firstStart(deps)).toBeNull()
    await store.close()
  })
})
