import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { callService } from '../../src/app/admin-channel.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { EMPTY_LOG } from '../support/empty-log.js'
import { nextIngestId, openTestStores } from '../support/duckdb-fixture.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1 }
const HOUR_MS = 3_600_000
const OTHER = 'bystanders'
/** Logs of `storeUnassigned`. */
const STORED = 5

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Pattern {
  readonly pattern_id: string
  readonly template: string
  readonly count: number
  readonly first_seen: string
}

let folder: Awaited<ReturnType<typeof openTempFolder>>
let dataDir: string
let service: ReadingService
let first: ReadingService['first']
let startedMs: number

async function start(): Promise<void> {
  const as = first === undefined ? {} : { as: first }
  service = await startReadingService({ dataDir, app: { storeLimits: QUIET }, ...as })
}

/** Stores logs as an earlier version did, while the service is stopped. */
async function storeUnassigned(ns: string, daysAgo = 0): Promise<void> {
  const stores = await openTestStores(join(dataDir, 'telemetry'), { limits: QUIET })
  const messages = ['took 7 ms', 'took 8 ms', 'disk sda is full', 'disk sdb is full', '']
  const items: LogRecord[] = messages.map((message, index) => ({
    ...EMPTY_LOG,
    index,
    message,
    service: 'shop',
    timestampNs: BigInt(startedMs - HOUR_MS - daysAgo * 24 * HOUR_MS + index) * 1_000_000n
  }))
  await stores.logs.append(ns as NamespaceId, { ingestId: nextIngestId(), items })
  await stores.client.call('sealAll', [])
  await stores.close()
}

function assign(namespace: string, ...flags: readonly string[]): Promise<Ran> {
  const args = [ADMIN, 'assign-patterns', namespace, ...flags, '--data-dir', dataDir]
  return new Promise(resolve => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

async function patterns(): Promise<{ readonly patterns: readonly Pattern[]; readonly unassigned: number }> {
  return (await service.ok(service.get('/api/v1/logs/patterns?start=now-7d'))) as never
}

async function found(query: string): Promise<readonly string[]> {
  const { logs } = await service.ok(service.post('/api/v1/logs/query', { query, start: 'now-7d' }))
  return (logs as { message: string }[]).map(({ message }) => message).toSorted()
}

let otherNamespace: string

beforeEach(async () => {
  folder = await openTempFolder()
  dataDir = join(folder.path, 'data')
  startedMs = Date.now()
  first = undefined as never
  await start()
  first = service.first
  await service.write('/api/v1/logs', { message: 'took 5 ms' })
  const made = await service.api('/api/v1/namespaces', { method: 'POST', json: { name: OTHER }, headers: service.session })
  otherNamespace = String((made.json['namespace'] as { id?: string } | undefined)?.id ?? made.json['id'])
  await service.close()
  await storeUnassigned(first.namespaceId)
  await storeUnassigned(otherNamespace)
  await start()
})
afterEach(async () => {
  await service.close()
  await folder.remove()
})

it('counts logs without a pattern, gives them theirs while the service runs, and finds nothing the second time', async () => {
  const before = await patterns()
  expect([before.unassigned, before.patterns.map(({ count }) => count)]).toEqual([STORED, [1]])
  const [slow] = before.patterns as [Pattern]
  expect(await assign(first.namespace, '--dry-run')).toMatchObject({
    code: 0,
    stdout: '5 logs in 1 segment or index have no pattern\n'
  })
  expect((await patterns()).unassigned).toBe(STORED)

  expect(await assign(first.namespace)).toMatchObject({
    code: 0,
    stdout: '4 of 5 logs have a pattern\n4 logs got a pattern\n1 log has no word in its message\n'
  })
  const after = await patterns()
  expect(after.unassigned).toBe(1)
  expect(after.patterns.map(({ template, count }) => [template, count])).toContainEqual(['took <num> ms', 3])
  expect(await found(`pattern:${slow.pattern_id}`)).toEqual(['took 5 ms', 'took 7 ms', 'took 8 ms'])
  const full = after.patterns.find(({ template }) => template.startsWith('disk sda'))!
  expect(await found(`pattern:${full.pattern_id}`)).toEqual(['disk sda is full'])

  expect(await assign(first.namespace)).toMatchObject({
    code: 0,
    stdout: '0 logs got a pattern\n1 log has no word in its message\n'
  })
  expect(await assign(OTHER, '--dry-run')).toMatchObject({ stdout: '5 logs in 1 segment or index have no pattern\n' })
}, 60_000)

it('sets back when a known pattern was first seen', async () => {
  await assign(first.namespace)
  await service.close()
  // The catalogue in memory may be two seconds old.
  await start()
  const slow = (await patterns()).patterns.find(({ template }) => template.startsWith('took'))!
  expect(Date.parse(slow.first_seen)).toBe(startedMs - HOUR_MS)
}, 60_000)

it('does the same while the service is stopped', async () => {
  await service.close()
  expect(await assign(first.namespace)).toMatchObject({ code: 0, stdout: expect.stringContaining('4 logs got a pattern\n') })
  await start()
  expect((await patterns()).unassigned).toBe(1)
}, 60_000)

it('leaves out a segment that cannot be read, states so, and gives the others theirs', async () => {
  await service.close()
  await storeUnassigned(first.namespaceId, 1)
  await start()
  const segments = join(dataDir, 'telemetry', 'segments', first.namespaceId)
  const [oldest] = (await readdir(segments)).filter(name => name.startsWith('logs-') && name.endsWith('.parquet')).toSorted()
  await writeFile(join(segments, oldest!), 'nothing of Parquet')
  expect(await assign(first.namespace)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/4 logs got a pattern\n.*\n1 segment cannot be read and is left as it is; see verify\n/)
  })
  expect(await assign(first.namespace, '--dry-run')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 segment cannot')
  })
}, 60_000)

it('refuses a step that is not a whole number of at least -1', async () => {
  for (const after of [-2, 0.5, '1', null, 2 ** 53]) {
    const step = callService(dataDir, 'assign-patterns', { namespace: first.namespace, part: 'a', after })
    await expect(step).rejects.toThrow('after must be a whole number of at least -1')
  }
})

it('names what is wrong with its arguments', async () => {
  expect(await assign('nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('no namespace is named nobody') })
  expect(await assign('--dry-run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('assign-patterns needs its namespace')
  })
}, 60_000)
