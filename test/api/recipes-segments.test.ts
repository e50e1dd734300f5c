import { copyFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { storeSpans } from '../contract/trace-fixtures.js'
import { NS, openTestStores } from '../support/duckdb-fixture.js'
import { OperatedService } from '../support/operated-service.js'
import { openTempFolder } from '../support/temp-folder.js'

// Each recipe starts the compiled service several times.
jest.setTimeout(120_000)

// The recipes of docs/operations.md on segments, as they are written there.
const LACKS = /^1 logs between \S+ and \S+ are missing: they cannot be read, because their file is damaged or missing$/
const LOST = /^1 logs between \S+ and \S+ are missing: they were lost from the disk$/

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: OperatedService
let segment: string

beforeEach(async () => {
  folder = await openTempFolder()
  service = new OperatedService(join(folder.path, 'data'))
  await service.start()
  await service.write('sealed')
  await service.stop()
  await service.seal()
  segment = (await service.segments())[0]!
  await service.start()
  await service.write('hot')
})

afterEach(async () => {
  await service.stop()
  await folder.remove()
})

const path = (): string => service.telemetry('segments', segment)

async function expectGap(warning: RegExp): Promise<void> {
  expect(await service.search()).toEqual({ messages: ['hot'], complete: false, warnings: [expect.stringMatching(warning)] })
}

it.each([
  ['missing', () => rm(path())],
  ['cut', () => truncate(path(), 100)],
  ['overwritten', () => writeFile(path(), 'what is this')]
])('responds without a segment that is %s, and with it when it is put back', async (_, damage) => {
  await service.stop()
  const kept = join(folder.path, 'kept')
  await copyFile(path(), kept)
  await damage()
  await service.start()
  const { code, status, text } = await service.health()
  expect([code, status]).toEqual([200, 'degraded'])
  expect(text).toContain(segment)
  await expectGap(LACKS)
  await service.stop()
  expect(await service.admin('verify')).toMatchObject({ code: 1, output: expect.stringContaining(segment) })
  await rename(kept, path())
  expect(await service.admin('verify')).toMatchObject({ code: 0 })
  await service.start()
  expect(await service.health()).toMatchObject({ status: 'ready' })
  expect(await service.search()).toEqual({ messages: ['hot', 'sealed'], complete: true, warnings: [] })
})

it('notes its rows as lost on request, and reads them again out of set-aside', async () => {
  await service.stop()
  const kept = join(folder.path, 'kept')
  await copyFile(path(), kept)
  await truncate(path(), 100)
  expect(await service.admin('verify', '--repair')).toMatchObject({ code: 0, output: expect.stringContaining('1 segments were') })
  const [aside] = await readdir(service.telemetry('set-aside'))
  const [, ns, kind, rest] = /^([^/]+)\/([a-z]+)-(.*)$/.exec(segment)!
  expect(aside).toBe(`${kind}-${ns}-${rest}`)
  await service.start()
  expect(await service.health()).toMatchObject({ status: 'ready' })
  await expectGap(LOST)
  await service.stop()
  await rename(kept, service.telemetry('set-aside', aside!))
  await service.shell(`mv ./data/telemetry/set-aside/${aside!} ./data/telemetry/segments/${ns!}/${kind!}-${rest!}`)
  await service.start()
  expect(await service.search()).toMatchObject({ messages: ['hot', 'sealed'], complete: false })
  expect((await service.health()).text).toContain('1 segments with 1 rows were missing from the manifest and were added')
})

it('backs up a folder with a damaged segment, and the copy has the same gap', async () => {
  await service.stop()
  await rm(path())
  await service.start()
  const backup = join(folder.path, 'backup')
  expect(await service.admin('backup', backup)).toMatchObject({ code: 0 })
  await service.stop()
  service = service.copiedTo(join(folder.path, 'restored'))
  expect(await service.admin('restore', backup)).toMatchObject({ code: 0 })
  await service.start()
  expect(await service.health()).toMatchObject({ code: 200, status: 'degraded' })
  await expectGap(LACKS)
})

it('names a damaged index, which is removed', async () => {
  await service.stop()
  const stores = await openTestStores(service.telemetry(), { limits: { minSegmentRows: 1 } })
  await storeSpans(stores.traces, NS, [{ id: 1, name: 'GET /' }])
  await stores.client.call('sealAll', [])
  await stores.close()
  const [index] = (await readdir(service.telemetry('segments', NS))).filter(name => name.endsWith('.traces'))
  await truncate(service.telemetry('segments', NS, index!), 10)
  expect(await service.admin('verify')).toMatchObject({
    code: 1,
    output: expect.stringMatching(new RegExp(`${index!} does not match its checksum[^]*remove it`))
  })
  await rm(service.telemetry('segments', NS, index!))
  expect(await service.admin('verify')).toMatchObject({ code: 0 })
})
