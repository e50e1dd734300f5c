import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { Directory } from '../../src/access/directory.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { lockFolder } from '../../src/stores/disk/folder-lock.js'
import type { OpenedStores } from '../../src/stores/assemble/open.js'
import { openStores } from '../../src/stores/assemble/open.js'
import { openEmbedded } from '../../src/stores/assemble/open-embedded.js'
import { ALL_EMBEDDED } from '../../src/stores/shared/store-choice.js'
import type { PostgresDatabases } from '../support/postgres-databases.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { NS, nextIngestId, OTHER_NS, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'
import { quietJobs } from '../support/quiet-jobs.js'

const logger = pino({ level: 'silent' })
const jobs = quietJobs()
let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  folder = await openTempFolder()
})
afterEach(() => folder.remove())

async function openDirectory(control: ControlStore): Promise<Directory> {
  const directory = new Directory(control, systemClock)
  await directory.load()
  return directory
}

function open(): Promise<OpenedStores> {
  return openStores({ dataDir: folder.path, clock: systemClock, logger, jobs, openDirectory })
}

describe('the lock of a data folder', () => {
  it('excludes a second process or store that opens it, and is free when the first releases it', async () => {
    const file = join(folder.path, 'lock')
    const release = await lockFolder(file, 0, systemClock)
    await expect(lockFolder(file, 0, systemClock)).rejects.toMatchObject({ code: 'conflict' })
    release()
    const again = await lockFolder(file, 0, systemClock)
    again()
  })

  it('is taken by the stores and let go of when they close', async () => {
    const stores = await open()
    await expect(lockFolder(join(folder.path, 'lock'), 0, systemClock)).rejects.toMatchObject({ code: 'conflict' })
    await stores.close()
    const release = await lockFolder(join(folder.path, 'lock'), 0, systemClock)
    release()
  })
})

describe('an embedded engine that does not open', () => {
  it('is reported before a database is waited for', async () => {
    await writeFile(join(folder.path, 'telemetry'), 'no folder')
    const choice = { ...ALL_EMBEDDED, databaseUrl: 'postgres://u@127.0.0.1:9/alidade' }
    const opening = { databaseWaitMs: 3_600_000 }
    const stores = openStores({ dataDir: folder.path, choice, clock: systemClock, logger, jobs, openDirectory, ...opening })
    await expect(stores).rejects.toThrow(/telemetry/)
  })
})

describe('the embedded engine', () => {
  it('counts its records of each kind, sealed or not, without those of a deleted namespace', async () => {
    const stores = await openEmbedded(folder.path, { clock: systemClock, logger, jobs })
    try {
      await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(3) })
      await stores.client.call('sealAll', [])
      await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(2) })
      await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: testLogs(7) })
      await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0)] })
      await stores.logs.dropNamespace(OTHER_NS)
      expect(await stores.recordsByKind()).toEqual({ logs: 5, points: 1, rum: 0, errors: 0, spans: 0 })
    } finally {
      await stores.close()
    }
  })
})

describeOn('postgres', 'the control database in PostgreSQL', ({ url }) => {
  let databases: PostgresDatabases
  beforeAll(async () => {
    databases = await createPostgresDatabases(url)
  })
  afterAll(() => databases.drop())

  function openWith(databaseUrl: string): Promise<OpenedStores> {
    const choice = { ...ALL_EMBEDDED, databaseUrl }
    const waiting = { databaseWaitMs: 0 }
    return openStores({ dataDir: folder.path, choice, clock: systemClock, logger, jobs, openDirectory, ...waiting })
  }

  it('is used with embedded telemetry and is left out of a backup, which reports it', async () => {
    const stores = await openWith(await databases.bare())
    try {
      expect(await stores.control.users.count()).toBe(0)
      const copy = join(folder.path, 'copy')
      expect(await stores.backup(copy)).toEqual(['users, keys and namespaces are in PostgreSQL: back it up with pg_dump'])
      expect((await readdir(copy)).toSorted()).toEqual(['backup.json', 'telemetry'])
      expect((await readdir(folder.path)).toSorted()).toEqual(['copy', 'gateway-id', 'lock', 'telemetry'])
    } finally {
      await stores.close()
    }
  })

  it('leaves an embedded one unread and reports it', async () => {
    await (await open()).close()
    const stores = await openWith(await databases.bare())
    expect(stores.unread).toEqual([
      `embedded users, keys and namespaces in ${join(folder.path, 'control')} are not read, because database_url is set`
    ])
    await stores.close()
  })

  it.each([
    ['a database that is not there', '/alidade_nowhere', 'database "alidade_nowhere" does not exist'],
    ['a server that is unavailable', 'postgres://u:geheim@127.0.0.1:9/alidade', 'ECONNREFUSED']
  ])('reports %s in plain words, without the password, and closes what was opened', async (_what, place, words) => {
    const opening = openWith(new URL(place, url).href)
    await expect(opening).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining(words) })
    await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('geheim') })
    const release = await lockFolder(join(folder.path, 'lock'), 0, systemClock)
    release()
  })
})
