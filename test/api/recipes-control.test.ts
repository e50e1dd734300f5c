import { copyFile, readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { OperatedService } from '../support/operated-service.js'
import { openTempFolder } from '../support/temp-folder.js'

// Each recipe starts the compiled service several times.
jest.setTimeout(120_000)

// The recipes of docs/operations.md on control.db, as they are written there.
const REFUSAL = /control\.db has no users, but the data folder contains records of an earlier start/

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: OperatedService
let control: string

beforeEach(async () => {
  folder = await openTempFolder()
  service = new OperatedService(join(folder.path, 'data'))
  control = join(service.dataDir, 'control', 'control.db')
  await service.start()
  await service.write('kept')
})

afterEach(async () => {
  await service.stop()
  await folder.remove()
})

it('reads again when a missing database of users is put back from a backup', async () => {
  const backup = join(folder.path, 'backup')
  expect(await service.admin('backup', backup)).toMatchObject({ code: 0 })
  await service.stop()
  await rm(control)
  await expect(service.start()).rejects.toThrow(REFUSAL)
  expect(await service.admin('verify')).toMatchObject({ code: 1, output: expect.stringMatching(REFUSAL) })
  await copyFile(join(backup, 'control', 'control.db'), control)
  await service.start()
  expect(await service.search()).toEqual({ messages: ['kept'], complete: true, warnings: [] })
})

it('begins again next to records that no one can read', async () => {
  await service.stop()
  await truncate(control, 0)
  await expect(service.start()).rejects.toThrow(REFUSAL)
  expect(await service.admin('begin-anew')).toMatchObject({ code: 0 })
  service = new OperatedService(service.dataDir)
  await service.start()
  expect(await service.search()).toEqual({ messages: [], complete: true, warnings: [] })
  expect(await readdir(join(service.dataDir, 'set-aside'))).toHaveLength(1)
})
