import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { cached } from '../../servers/cache.js'
import { openTempFolder } from '../../support/temp-folder.js'

describe('cache of fetched servers', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  const before = process.env['ALIDADE_TEST_CACHE']
  beforeEach(async () => {
    folder = await openTempFolder()
    process.env['ALIDADE_TEST_CACHE'] = folder.path
  })
  afterEach(async () => {
    if (before === undefined) delete process.env['ALIDADE_TEST_CACHE']
    else process.env['ALIDADE_TEST_CACHE'] = before
    await folder.remove()
  })

  it('fills a name once, also for concurrent callers', async () => {
    let fills = 0
    const fill = async (part: string) => writeFile(join(part, 'program'), String(++fills))
    const paths = await Promise.all([cached('server-1', fill), cached('server-1', fill), cached('server-1', fill)])
    expect(new Set(paths)).toEqual(new Set([join(folder.path, 'server-1')]))
    expect(await readFile(join(folder.path, 'server-1', 'program'), 'utf8')).toBe('1')
    expect(await readdir(folder.path)).toEqual(['server-1'])
  })

  it('shows nothing of a fill that failed, and fills again', async () => {
    const fail = async (part: string) => {
      await writeFile(join(part, 'half'), '')
      throw new Error('the connection broke')
    }
    await expect(cached('server-1', fail)).rejects.toThrow('the connection broke')
    expect(await readdir(folder.path)).toEqual([])
    await cached('server-1', part => writeFile(join(part, 'program'), ''))
    expect(await readdir(join(folder.path, 'server-1'))).toEqual(['program'])
  })

  it('clears away what a killed fill left: its part and its lock', async () => {
    const killed = spawnSync(process.execPath, ['-e', '']).pid
    await mkdir(join(folder.path, `server-1.part-${killed}`))
    await writeFile(join(folder.path, 'server-1.lock'), String(killed))
    await cached('server-1', part => writeFile(join(part, 'program'), ''))
    expect(await readdir(folder.path)).toEqual(['server-1'])
  })
})
