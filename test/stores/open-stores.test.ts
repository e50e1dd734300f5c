import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { lockFolder } from '../../src/stores/folder-lock.js'
import type { OpenedStores } from '../../src/stores/open.js'
import { openStores } from '../../src/stores/open.js'
import { openEmbedded } from '../../src/stores/open-embedded.js'
import { NS, nextIngestId, OTHER_NS, systemClock, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { controlEntry, storeEntry } from '../support/store-entry.js'
import { openTempFolder } from '../support/temp-folder.js'

const logger = pino({ level: 'silent' })
let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  folder = await openTempFolder()
})
afterEach(() => folder.remove())

function open(): Promise<OpenedStores> {
  const entries = { storeEntry: storeEntry(), controlEntry: controlEntry() }
  return openStores({ dataDir: folder.path, clock: systemClock, logger, ...entries })
}

describe('the lock of a data folder', () => {
  it('stands between two that open it, in one process too, and goes when the first lets go', async () => {
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

describe('the embedded engine', () => {
  it('counts its records of each kind, sealed or not, without those of a deleted namespace', async () => {
    const stores = await openEmbedded(folder.path, { clock: systemClock, logger, storeEntry: storeEntry() })
    try {
      await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(3) })
      await stores.client.call('sealAll', [])
      await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(2) })
      await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: testLogs(7) })
      await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0)] })
      await stores.logs.dropNamespace(OTHER_NS)
      expect(await stores.recordsByKind()).toEqual({ logs: 5, points: 1, rum: 0, errors: 0 })
    } finally {
      await stores.close()
    }
  })
})
