import { copyFile, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { OperatedService } from '../support/operated-service.js'
import { openTempFolder } from '../support/temp-folder.js'

// Each recipe starts the compiled service several times.
jest.setTimeout(120_000)

// The recipes of docs/operations.md on hot.duckdb and on parts of different age, as they are written there.
const LISTED = '1 segments with 1 rows were missing from the manifest and were added'
/** Of docs/operations.md. */
const MOVE_AWAY = `mkdir -p ./data/telemetry/set-aside
mv ./data/telemetry/hot.duckdb* ./data/telemetry/set-aside/`

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: OperatedService
let hotFile: string

beforeEach(async () => {
  folder = await openTempFolder()
  service = new OperatedService(join(folder.path, 'data'))
  hotFile = service.telemetry('hot.duckdb')
  await service.start()
  await service.write('sealed')
  await service.stop()
  await service.seal()
})

afterEach(async () => {
  await service.stop()
  await folder.remove()
})

it.each([
  ['missing', () => rm(hotFile)],
  ['empty', () => truncate(hotFile, 0)]
])('lists the segments again when the hot file is %s', async (what, damage) => {
  await damage()
  expect(await service.admin('verify')).toMatchObject({
    code: 1,
    output: expect.stringContaining(`hot.duckdb is ${what} but there are`)
  })
  await service.start()
  const { code, text } = await service.health()
  expect(code).toBe(200)
  expect(text).toContain(`hot.duckdb was ${what} at a start`)
  expect(text).toContain(LISTED)
  expect(await service.search()).toMatchObject({
    messages: ['sealed'],
    complete: false,
    warnings: [expect.stringMatching(/may be missing: some were lost from the disk$/)]
  })
})

it('starts without a damaged hot file that was moved away, as the error of the failed start advises', async () => {
  await writeFile(hotFile, 'no database at all')
  await expect(service.start()).rejects.toThrow(/hot\.duckdb in \S+ cannot be opened: .*move it and its \.wal away/)
  expect(await service.admin('verify')).toMatchObject({ code: 1, output: expect.stringContaining('hot.duckdb cannot be opened') })
  expect(await service.shell(MOVE_AWAY)).toEqual({ code: 0, output: '' })
  await service.start()
  expect((await service.health()).text).toContain(LISTED)
  expect((await service.search()).messages).toEqual(['sealed'])
})

it('prints the commands of this test in the document', async () => {
  const document = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  expect(document).toContain(MOVE_AWAY)
})

it('cuts off a damaged log, with a copy next to it', async () => {
  await service.start()
  await service.write('in the log')
  await service.search()
  await service.crash()
  const log = await readFile(`${hotFile}.wal`)
  log.fill(0x5a, log.length - 100, log.length - 30)
  await writeFile(`${hotFile}.wal`, log)
  await service.start()
  expect((await service.health()).text).toMatch(/the write-ahead log was damaged at byte \d+/)
  const copies = (await readdir(service.telemetry())).filter(name => name.startsWith('hot.duckdb.wal.damaged-'))
  expect(copies).toHaveLength(1)
  expect((await service.search()).messages).toEqual(['in the log', 'sealed'])
})

it('adds newer segments to a hot file of yesterday, and reports what that lacks', async () => {
  const copy = join(folder.path, 'copy')
  await copyFile(hotFile, copy)
  await service.start()
  await service.write('later')
  await service.stop()
  await service.seal()
  await service.start()
  await service.write('in the hot file')
  await service.stop()
  await rename(copy, hotFile)
  expect(await service.admin('verify')).toMatchObject({
    code: 1,
    output: expect.stringContaining('hot.duckdb is older than 1 seg')
  })
  await service.start()
  const { code, text } = await service.health()
  expect(code).toBe(200)
  expect(text).toMatch(/hot\.duckdb was older than other files at a start: records that arrived after \S+ may be incomplete/)
  expect(await service.search()).toMatchObject({ messages: ['later', 'sealed'], complete: false })
})

it('replays a journal that is newer than the rest, each request once', async () => {
  await service.start()
  await service.write('stored')
  const backup = join(folder.path, 'backup')
  expect(await service.admin('backup', backup)).toMatchObject({ code: 0 })
  await service.write('in the journal')
  await service.crash()
  const copy = service.copiedTo(join(folder.path, 'restored'))
  expect(await copy.admin('restore', backup)).toMatchObject({ code: 0 })
  await copy.shell(`cp -r ${service.telemetry('journal')} ${service.telemetry('journal.manifest')} ./data/telemetry/`)
  service = copy
  await service.start()
  expect((await service.search()).messages).toEqual(['in the journal', 'sealed', 'stored'])
})
