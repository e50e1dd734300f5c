import { statfsSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { DiskRoom, type Writing } from '../../../src/stores/disk/disk-room.js'
import { openTempFolder } from '../../support/temp-folder.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let freeBytes: number

beforeEach(async () => {
  folder = await openTempFolder()
  const { bavail, bsize } = statfsSync(folder.path)
  freeBytes = bavail * bsize
})

afterEach(() => folder.remove())

/** Work that writes this share of what is free, and has written another. */
function writing(share: number, written = 0): Writing {
  return { sizeBytes: freeBytes * share, writtenBytes: () => freeBytes * written }
}

it('counts what work of the background may still write as taken, until it ends', async () => {
  const room = new DiskRoom(folder.path, 0, 2)
  const during = await room.hold(writing(0.6), 0, async () => room.has(freeBytes * 0.25, 0))
  expect([during, room.has(freeBytes * 0.25, 0)]).toEqual([false, true])
})

it('leaves to the disk what is written already', async () => {
  const room = new DiskRoom(folder.path, 0, 2)
  expect(await room.hold(writing(0.6, 0.5), 0, async () => room.has(freeBytes * 0.25, 0))).toBe(true)
})

it('counts it no more when the work fails', async () => {
  const room = new DiskRoom(folder.path, 0, 2)
  const failure = new Error('broken')
  await expect(room.hold(writing(0.6), 0, () => Promise.reject(failure))).rejects.toBe(failure)
  expect(room.has(freeBytes * 0.25, 0)).toBe(true)
})

it.each([
  ['the room that must stay free', 0.5, 0],
  ['both copies of what is acknowledged', 0, 0.25]
])('does not begin work that would take %s', async (_, minFree, pending) => {
  const room = new DiskRoom(folder.path, freeBytes * minFree, 2)
  const begun: string[] = []
  const work = room.hold(writing(0.6), freeBytes * pending, async () => begun.push('begun'))
  await expect(work).rejects.toMatchObject({ code: 'storage_full' })
  expect(begun).toEqual([])
})
