import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { FolderWatch } from '../../agent/src/files/folder-watch.js'
import { openTempFolder } from '../support/temp-folder.js'

let temp: Awaited<ReturnType<typeof openTempFolder>>
let watch: FolderWatch
beforeEach(async () => {
  temp = await openTempFolder()
  watch = new FolderWatch()
})
afterEach(async () => {
  watch.disarm()
  await temp.remove()
})

describe('a watch of folders', () => {
  it('notices a write, a new file and a rename, also one before the call', async () => {
    const log = join(temp.path, 'a.log')
    await writeFile(log, '')
    for (const change of [() => appendFile(log, 'x'), () => writeFile(`${log}.new`, ''), () => rename(log, `${log}.1`)]) {
      watch.arm([temp.path])
      const changed = watch.changed()
      await change()
      await changed
      await watch.changed()
    }
  })

  it('leaves out folders that are not there', async () => {
    watch.arm([join(temp.path, 'absent')])
    expect(watch.isArmed).toBe(false)
    await mkdir(join(temp.path, 'there'))
    watch.arm([join(temp.path, 'absent'), join(temp.path, 'there')])
    expect(watch.isArmed).toBe(true)
    watch.disarm()
    expect(watch.isArmed).toBe(false)
  })
})
