import { execFile } from 'node:child_process'
import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { nextIngestId, openTestStores, OTHER_NS, testLogs } from '../support/duckdb-fixture.js'
import { startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
const REFUSAL =
  /has no users, but the data folder contains records of an earlier start: restore it from a backup; or run .*begin-anew/

let folder: Awaited<ReturnType<typeof openTempFolder>>
let dataDir: string
let control: string

function admin(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [ADMIN, ...args, '--data-dir', dataDir], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

beforeEach(async () => {
  folder = await openTempFolder()
  dataDir = join(folder.path, 'data')
  control = join(dataDir, 'control', 'control.db')
  const service = await startService({ dataDir })
  const key = { 'x-api-key': service.first.ingestKey }
  await service.ingest('/api/v1/logs', { method: 'POST', json: { message: 'kept' }, headers: key })
  await service.close()
})
afterEach(() => folder.remove())

describe.each([
  ['missing', () => rm(join(dataDir, 'control'), { recursive: true })],
  ['empty', () => truncate(control, 0)]
] as const)('a start whose control database is %s', (_, damage) => {
  it('is refused next to records, and begins again on request, with the records set aside', async () => {
    await damage()
    for (let i = 0; i < 2; i++) await expect(startService({ dataDir })).rejects.toThrow(REFUSAL)
    expect((await readdir(dataDir)).includes('set-aside')).toBe(false)
    // Nothing was made that would conflict with the right one.
    expect(
      await stat(control).then(
        ({ size }) => size,
        () => 0
      )
    ).toBe(0)
    const begun = await admin('begin-anew')
    expect(begun).toMatchObject({ code: 0, stdout: expect.stringMatching(/Moved to .*set-aside.telemetry-/) })
    const service = await startService({ dataDir })
    try {
      expect(service.app.firstCredentials).not.toBeNull()
    } finally {
      await service.close()
    }
    const [moved] = await readdir(join(dataDir, 'set-aside'))
    expect(await readdir(join(dataDir, 'set-aside', moved!))).toContain('hot.duckdb')
    expect(await admin('begin-anew')).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to move') })
  })
})

it('keeps and names the records of namespaces that an older control database does not know', async () => {
  const append = async (): Promise<number> => {
    const stores = await openTestStores(join(dataDir, 'telemetry'))
    await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: testLogs(7) })
    const { logs } = await stores.recordsByKind()
    await stores.close()
    return logs
  }
  expect(await append()).toBe(8)
  const service = await startService({ dataDir })
  try {
    const { json } = await service.api('/api/v1/health/ready')
    expect(JSON.stringify(json)).toContain(
      `7 records are kept but not read: their namespaces are not in the control database (${OTHER_NS})`
    )
  } finally {
    await service.close()
  }
  expect(await append()).toBe(15)
})
