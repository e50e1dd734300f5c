import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { LOCAL_SEAT } from '../../src/access/fair-queue.js'
import { PasswordHasher } from '../../src/access/passwords.js'
import { SecretSource } from '../../src/access/secrets.js'
import { FirstRunWatch } from '../../src/app/first-run-watch.js'
import { firstRunText, writeFirstRun } from '../../src/app/first-run.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, TEST_COST } from '../support/open-access.js'
import { openTempFolder } from '../support/temp-folder.js'

let opened: OpenedAccess
let folder: Awaited<ReturnType<typeof openTempFolder>>
let passwords: PasswordHasher
beforeEach(async () => {
  folder = await openTempFolder()
  opened = await openTestAccess()
  passwords = new PasswordHasher(new SecretSource(randomBytes), TEST_COST, opened.clock)
  const url = 'http://127.0.0.1:8080'
  await writeFirstRun(folder.path, firstRunText(opened.first, { apiUrl: url, ingestUrl: url } as never))
})
afterEach(async () => {
  await opened.close()
  await folder.remove()
})

function watch(): FirstRunWatch {
  return new FirstRunWatch({ dataDir: folder.path, store: opened.store, passwords })
}

async function isThere(): Promise<boolean> {
  return access(join(folder.path, 'first-run.txt')).then(
    () => true,
    () => false
  )
}

async function setPassword(password: string): Promise<void> {
  const { id } = (await opened.store.users.byEmail(opened.first.email))!
  await opened.store.users.setPassword(id, await passwords.hash(password, LOCAL_SEAT))
}

it('stays while its password is good, hashed again or not', async () => {
  const running = watch()
  await running.check()
  await setPassword(opened.first.password!)
  await running.check()
  expect(await isThere()).toBe(true)
})

it('goes when the password is another, also when it was changed behind the back of the service', async () => {
  const running = watch()
  await running.check()
  await setPassword('another long password')
  await running.check()
  expect(await isThere()).toBe(false)
})

it('goes at the next start when the password was changed while the service was stopped', async () => {
  await setPassword('another long password')
  await watch().check()
  expect(await isThere()).toBe(false)
})

it('stays when the installation gave the password, which it does not show', async () => {
  const url = 'http://127.0.0.1:8080'
  const text = firstRunText({ ...opened.first, password: null }, { apiUrl: url, ingestUrl: url } as never)
  await writeFirstRun(folder.path, text)
  await setPassword('another long password')
  await watch().check()
  expect(await isThere()).toBe(true)
})
