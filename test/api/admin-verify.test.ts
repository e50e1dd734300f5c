import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import { nextIngestId, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let dataDir: string

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function verify(...args: readonly string[]): Promise<Ran> {
  return new Promise(resolve => {
    execFile(process.execPath, [ADMIN, 'verify', ...args, '--data-dir', dataDir], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

function start(): Promise<RunningService> {
  return startService({ dataDir, app: { storeLimits: QUIET } })
}

async function segment(): Promise<string> {
  const segments = join(dataDir, 'telemetry', 'segments')
  const names = (await readdir(segments, { recursive: true })).filter(name => name.endsWith('.parquet'))
  return join(segments, names[0]!)
}

beforeEach(async () => {
  folder = await openTempFolder()
  dataDir = join(folder.path, 'data')
  const service = await start()
  expect((await verify()).stderr).toContain('the service has the data folder open; stop it first')
  const ns = service.first.namespaceId as NamespaceId
  await service.close()
  const stores = await openTestStores(join(dataDir, 'telemetry'), { limits: QUIET })
  await stores.logs.append(ns, { ingestId: nextIngestId(), items: testLogs(3) })
  await stores.client.call('sealAll', [])
  await stores.close()
})
afterEach(() => folder.remove())

it('finds nothing in a whole folder, and changes nothing in it', async () => {
  const found = await verify()
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is wrong.') })
  expect(found.stdout).toMatch(/1 segments with 3 rows verified/)
  expect(found.stdout).toContain('control.db is whole')
})

it('finds a changed byte, and takes the segment off the manifest on request', async () => {
  const file = await segment()
  const bytes = await readFile(file)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(file, bytes)
  const found = await verify()
  expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('does not match its checksum: 3 rows') })
  const json = JSON.parse((await verify('--json')).stdout) as { readonly findings: readonly { readonly state: string }[] }
  expect(json.findings.filter(({ state }) => state === 'bad')).toHaveLength(1)
  expect(await verify('--repair')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 segments were removed') })
  const aside = await readdir(join(dataDir, 'telemetry', 'set-aside'))
  expect(await readFile(join(dataDir, 'telemetry', 'set-aside', aside[0]!))).toEqual(bytes)
  const service = await start()
  try {
    const health = await service.api('/api/v1/health/ready')
    expect(health.json).toMatchObject({ status: 'ready' })
  } finally {
    await service.close()
  }
})

it('finds a missing hot file, a damaged journal and a damaged database of users', async () => {
  await rm(join(dataDir, 'telemetry', 'hot.duckdb'))
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('hot.duckdb is missing but there are 1 segment files')
  })
  await writeFile(join(dataDir, 'telemetry', 'journal', '00000009.log'), 'no journal at all')
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('00000009.log is damaged from byte 0') })
  const control = join(dataDir, 'control', 'control.db')
  const bytes = await readFile(control)
  bytes.fill(0xab, 4_096, 12_288)
  await writeFile(control, bytes)
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringMatching(/WRONG {2}users and keys/) })
})
