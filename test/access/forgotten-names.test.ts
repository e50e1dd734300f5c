import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { openAccess } from '../../src/access/access.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, registered } from '../support/open-access.js'
import { reservation } from '../contract/control-fixtures.js'
import { filesHolding } from '../support/planted.js'
import { openTempFolder } from '../support/temp-folder.js'

const NAME = 'planted-namespace-4711'
const KEY_NAME = 'planted key 4712'
const ORIGIN = 'https://planted-4713.example'
const NAMES = [NAME, KEY_NAME, ORIGIN]

let folder: Awaited<ReturnType<typeof openTempFolder>>
let store: ControlStore
let opened: OpenedAccess
beforeEach(async () => {
  folder = await openTempFolder()
  store = await openSqliteControlStore({ file: join(folder.path, 'control.db') })
  opened = await openTestAccess({ store })
})
afterEach(async () => {
  await opened.close()
  await folder.remove()
})

async function deleted(): Promise<{
  readonly ada: Awaited<ReturnType<typeof registered>>['principal']
  readonly secret: string
}> {
  const { access } = opened
  const { principal: ada } = await registered(opened, 'ada')
  const team = await access.namespaces.create(ada, { name: NAME })
  const { secret } = await access.apiKeys.create(ada, { name: 'shipper', kind: 'ingest', namespaces: [team.id] })
  await access.apiKeys.create(ada, { name: KEY_NAME, kind: 'rum', namespaces: [team.id], allowedOrigins: [ORIGIN] })
  const reply = JSON.stringify({ status: 'ok', namespace: NAME })
  const kept = reservation('s')
  await store.idempotency.reserve(kept)
  await store.idempotency.complete(kept, reply)
  expect(await filesHolding(folder.path, NAMES)).not.toEqual([])
  await access.namespaces.remove(ada, team.id)
  // Waits for the removal.
  await access.close()
  return { ada, secret }
}

it('leaves no name of a deleted namespace in the control database, its log included', async () => {
  await deleted()
  expect(await filesHolding(folder.path, NAMES)).toEqual([])
})

it('goes on reserving the name, and refusing a key because its namespace is deleted, after a restart too', async () => {
  const { ada, secret } = await deleted()
  for (const access of [opened.access, await openAccess(opened.deps)]) {
    const key = await access.keys.verify(secret, '::1')
    const refused = access.authorizer.writeNamespace(key, { name: NAME })
    await expect(refused).rejects.toMatchObject({ code: 'namespace_deleted' })
    await expect(refused).rejects.not.toThrow('deleted:')
    await expect(access.namespaces.create(ada, { name: NAME })).rejects.toMatchObject({ code: 'name_reserved' })
  }
  opened.clock.pass(91 * 86_400_000)
  expect((await opened.access.namespaces.create(ada, { name: NAME })).name).toBe(NAME)
})

it('keeps the names of keys that lead to another namespace, and of other namespaces', async () => {
  const { access } = opened
  const { principal: ada } = await registered(opened, 'ada')
  const [going, staying] = [
    await access.namespaces.create(ada, { name: 'going' }),
    await access.namespaces.create(ada, { name: 'staying' })
  ]
  await access.apiKeys.create(ada, { name: 'of both', kind: 'ingest', namespaces: [staying.id, going.id] })
  await access.namespaces.remove(ada, going.id)
  await access.close()
  const keys = await store.apiKeys.of(staying.id)
  expect(keys.map(({ name }) => name)).toEqual(['of both'])
  const audit = await store.audit.of(staying.id, 10)
  expect(audit.find(({ action }) => action === 'namespace.created')?.detail).toEqual({ name: 'staying' })
})

it('forgets names that an earlier version kept', async () => {
  const { access } = opened
  const { principal: ada } = await registered(opened, 'ada')
  const team = await access.namespaces.create(ada, { name: NAME })
  await store.namespaces.setState(team.id, 'deleted', opened.clock.nowMs())
  const next = await openAccess({ ...opened.deps, randomBytes })
  await next.housekeeping()
  expect(await filesHolding(folder.path, [NAME])).toEqual([])
  await expect(next.namespaces.create(ada, { name: NAME })).rejects.toMatchObject({ code: 'name_reserved' })
  await next.close()
})
