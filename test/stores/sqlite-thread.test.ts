import { entryFile } from '../../src/threads/entry-file.js'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { MAX_WAITING } from '../../src/stores/control/sqlite-driver.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { user } from '../contract/control-fixtures.js'
import { openTempFolder } from '../support/temp-folder.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let opened = 0
beforeAll(async () => {
  folder = await openTempFolder()
})
afterAll(() => folder.remove())

function open(entry = entryFile('control-thread')): Promise<ControlStore> {
  return openSqliteControlStore({ file: join(folder.path, `control-${opened++}.db`), entry })
}

/** An entry whose thread ends when a statement carries the text. */
async function mortalEntry(lastWords: string): Promise<string> {
  const entry = join(folder.path, `mortal-${opened++}.mjs`)
  const text = JSON.stringify(lastWords)
  await writeFile(
    entry,
    `import { parentPort } from 'node:worker_threads'
parentPort.on('message', request => {
  if (JSON.stringify(request).includes(${text})) process.exit(7)
})
await import(${JSON.stringify(entryFile('control-thread'))})
`
  )
  return entry
}

describe('the thread of the control database', () => {
  it('leaves the event loop free while a commit is on its way', async () => {
    const store = await open()
    let isCommitted = false
    const writing = store.users.insert(user('ada')).then(() => (isCommitted = true))
    // A commit within the loop would need no more than these; a response of the thread comes with a turn of the loop.
    for (let i = 0; i < 1_000; i++) await Promise.resolve()
    expect(isCommitted).toBe(false)
    await writing
    await store.close()
  })

  it('ends pending calls when it is closed, and refuses later ones', async () => {
    const store = await open()
    const writing = ['ada', 'bob', 'cem'].map(name => store.users.insert(user(name)))
    const closing = store.close()
    await Promise.all([...writing, closing])
    await expect(store.users.count()).rejects.toThrow()
  })

  it('lets so many wait and refuses the next until there is room', async () => {
    const store = await open()
    // One has the connection, the others wait.
    const fitting = Array.from({ length: MAX_WAITING + 1 }, () => store.users.count())
    await expect(store.users.count()).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
    expect(await Promise.all(fitting)).toHaveLength(MAX_WAITING + 1)
    expect(await store.users.count()).toBe(0)
    await store.close()
  })
})

describe('a transaction of the control database', () => {
  it('that fails because another process writes leaves none open, though it had two statements', async () => {
    const file = join(folder.path, `locked-${opened++}.db`)
    const store = await openSqliteControlStore({ file, entry: entryFile('control-thread') })
    const other = new Database(file)
    other.exec('begin immediate')
    let second: Promise<unknown> = Promise.resolve()
    const failed = store.transaction(async ports => {
      const first = ports.users.count()
      second = ports.users.count().catch((error: unknown) => error)
      await first
    })
    await expect(failed).rejects.toMatchObject({ code: 'store_unavailable' })
    other.exec('rollback')
    expect(await second).toBeInstanceOf(Error)
    await store.users.insert(user('ada'))
    expect(other.prepare('select count(*) as users from users').get()).toMatchObject({ users: 1 })
    other.close()
    await store.close()
  }, 60_000)

  it('goes on after its first statement failed, and without a statement does nothing', async () => {
    const store = await open()
    await store.users.insert(user('ada'))
    await store.transaction(async ports => {
      await ports.users.insert(user('ada')).catch(() => undefined)
      await ports.users.insert(user('bob'))
    })
    await store.transaction(async () => undefined)
    expect(await store.users.count()).toBe(2)
    await store.close()
  })
})

describe('a thread that ends', () => {
  it('fails the statement as unavailable and is followed by another', async () => {
    const store = await open(await mortalEntry('mallory'))
    await store.users.insert(user('ada'))
    const waiting = [store.users.insert(user('mallory')), store.users.count()]
    await expect(waiting[0]).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await waiting[1]).toBe(1)
    expect(await store.health()).toMatchObject({ healthy: true })
    await store.close()
  })

  it('takes its transaction with it: what comes later in it never runs', async () => {
    const store = await open(await mortalEntry('mallory'))
    const work = store.transaction(async ports => {
      await ports.users.insert(user('ada'))
      await ports.users.insert(user('mallory')).catch(() => undefined)
      await ports.users.insert(user('bob'))
    })
    await expect(work).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await store.users.count()).toBe(0)
    // The lock of the lost transaction is free.
    await store.transaction(ports => ports.users.insert(user('cem')))
    expect(await store.users.count()).toBe(1)
    await store.close()
  })

  it('at its start reports it', async () => {
    await expect(open(join(folder.path, 'missing.js'))).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})
