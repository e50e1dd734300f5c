import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { OperatedService } from '../support/operated-service.js'
import { openTempFolder } from '../support/temp-folder.js'

// Each recipe starts the compiled service several times.
jest.setTimeout(120_000)

// The recipes of docs/operations.md, "A damaged journal", as they are written there.
const ARRIVED = /journal\/00000001\.log is missing: requests that arrived between \S+Z and \S+Z may be lost/

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: OperatedService

/** The only journal file, after a crash that left one request in it. */
async function journalFile(): Promise<string> {
  const names = await readdir(service.telemetry('journal'))
  expect(names).toHaveLength(1)
  return service.telemetry('journal', names[0]!)
}

beforeEach(async () => {
  folder = await openTempFolder()
  service = new OperatedService(folder.path)
  await service.start()
  await service.write('first')
  await service.crash()
})

afterEach(async () => {
  await service.stop()
  await folder.remove()
})

it('sets damaged bytes aside, replays the rest and reports it', async () => {
  const file = await journalFile()
  await writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(50, 7)]))
  expect(await service.admin('verify')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/00000001\.log is damaged from byte/)
  })
  await service.start()
  expect((await service.search()).messages).toEqual(['first'])
  expect((await service.health()).text).toMatch(/the journal was truncated at byte \d+ of 00000001\.log/)
  expect(await readdir(service.telemetry('set-aside'))).toHaveLength(1)
})

it('misses a journal file, and is whole again when that is put back', async () => {
  const file = await journalFile()
  const kept = service.telemetry('kept.log')
  await rename(file, kept)
  expect(await service.admin('verify')).toMatchObject({ code: 1, output: expect.stringMatching(ARRIVED) })
  await service.start()
  expect(await service.health()).toMatchObject({ code: 200, status: 'degraded', text: expect.stringMatching(ARRIVED) })
  expect(await service.search()).toMatchObject({
    complete: false,
    warnings: [expect.stringMatching(/^logs between .* may be missing/)]
  })
  await service.write('second')
  await service.stop()
  await rename(kept, file)
  await service.start()
  expect(await service.health()).toMatchObject({ status: 'ready' })
  expect(await service.search()).toEqual({ messages: ['first', 'second'], complete: true, warnings: [] })
})

it('takes the loss of a journal file on request, and later responses report it', async () => {
  await rm(await journalFile())
  expect(await service.admin('verify', '--repair')).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 missing files of the journal were recorded as lost')
  })
  expect(await service.admin('verify')).toMatchObject({ code: 0 })
  await service.start()
  expect(await service.health()).toMatchObject({ status: 'ready' })
  expect(await service.search()).toMatchObject({ complete: false, warnings: [expect.stringMatching(/were lost from the disk$/)] })
})
