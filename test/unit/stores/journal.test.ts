import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { FailPoints } from '../../../src/stores/duckdb/process/fail-points.js'
import { DiskRoom } from '../../../src/stores/disk/disk-room.js'
import { Journal } from '../../../src/stores/duckdb/write/journal/journal.js'
import { JournalFile } from '../../../src/stores/duckdb/write/journal/journal-file.js'
import { JournalManifest } from '../../../src/stores/duckdb/write/journal/journal-manifest.js'
import { SetAside } from '../../../src/stores/disk/set-aside.js'
import { openTempFolder } from '../../support/temp-folder.js'

const ENTRY = { refused: [], payload: Buffer.from([0xff, 1, 2, 3]) }

let folder: Awaited<ReturnType<typeof openTempFolder>>

beforeEach(async () => {
  folder = await openTempFolder()
})

afterEach(() => folder.remove())

function open(firstNumber: number, found: readonly JournalFile[] = []): Journal {
  return new Journal({
    folder: folder.path,
    manifest: new JournalManifest(folder.path, { epoch: '1', last: firstNumber - 1, files: [] }),
    nowMs: () => 0,
    firstNumber,
    found,
    fileBytes: 1_000,
    room: new DiskRoom(folder.path, 0, 2),
    failPoints: new FailPoints(null),
    pendingBytes: () => 0,
    reclaim: async () => undefined,
    syncLogName: async () => undefined,
    onTrouble: () => undefined
  })
}

it('goes on with another number when that of its next file is taken', async () => {
  await writeFile(`${folder.path}/00000001.log`, '')
  const journal = open(1)
  await expect(journal.append(ENTRY)).rejects.toThrow('EEXIST')
  const file = await journal.append(ENTRY)
  expect(file.path).toBe(`${folder.path}/00000002.log`)
  await journal.close()
})

it('removes what is applied though an older file must stay', async () => {
  const held = JournalFile.found(`${folder.path}/00000001.log`, 8)
  await writeFile(held.path, 'alidjrn1')
  held.open++
  const journal = open(2, [held])
  const file = await journal.append(ENTRY)
  await journal.retire()
  expect(existsSync(file.path)).toBe(true)
  file.open--
  await journal.sweep()
  expect((await readdir(folder.path)).filter(name => name.endsWith('.log'))).toEqual(['00000001.log'])
  await journal.close()
})

it('sets different bytes of the same name aside in two files, and the same bytes in one', async () => {
  const pieces = (text: string): Buffer[] => [Buffer.from(text)]
  const setAside = await SetAside.open(folder.path)
  expect(await setAside.keep('00000001.log.8', pieces('torn'))).toBe('00000001.log.8')
  const later = await SetAside.open(folder.path)
  expect(await later.keep('00000001.log.8', pieces('torn'))).toBe('00000001.log.8')
  expect(await later.keep('00000001.log.8', pieces('torn again'))).toBe('00000001.log.8.1')
  expect(later.count).toBe(2)
})
