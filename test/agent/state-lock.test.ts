import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { writeFile } from 'node:fs/promises'
import { ConfigError } from '../../agent/src/config/config.js'
import { lockState } from '../../agent/src/state-lock.js'
import { openTempFolder } from '../support/temp-folder.js'

/** Listens on a socket and dies as by SIGKILL: the file of the socket stays. */
const LISTEN_AND_DIE = `
require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`

describe('the lock of the state folder', () => {
  let temp: Awaited<ReturnType<typeof openTempFolder>>
  let stateDir: string
  beforeEach(async () => {
    temp = await openTempFolder()
    stateDir = join(temp.path, 'a folder whose path is longer than that of a socket '.repeat(4), 'state')
  })
  afterEach(() => temp.remove())

  it('is taken by one agent at a time', async () => {
    const unlock = await lockState(stateDir)
    await expect(lockState(stateDir)).rejects.toThrow(`another agent uses ${stateDir}`)
    await unlock()
    await (
      await lockState(stateDir)
    )()
  })

  it('names the key and the remedy where the folder cannot be used', async () => {
    const file = join(temp.path, 'file')
    await writeFile(file, '')
    const fault = await lockState(join(file, 'state')).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(ConfigError)
    expect((fault as Error).message).toMatch(
      /^agent\.state_dir \(\/.*\/file\/state\) cannot be used: ENOTDIR.*; create it for this user, or set another one$/
    )
  })

  it('names them where no folder can be made', async () => {
    for (const folder of ['/proc/alidade', '/proc/alidade/state']) {
      const fault = await lockState(folder).catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(ConfigError)
      expect((fault as Error).message).toMatch(/^agent\.state_dir \(\/proc\/alidade.*\) cannot be used: E/)
    }
  })

  it('names them where a file has its name', async () => {
    const file = join(temp.path, 'file')
    await writeFile(file, '')
    await expect(lockState(file)).rejects.toThrow(`agent.state_dir (${file}) cannot be used: EEXIST`)
  })

  it('ends with its process', async () => {
    const folder = join(temp.path, 'state')
    await (
      await lockState(folder)
    )()
    const { signal } = spawnSync(process.execPath, ['-e', LISTEN_AND_DIE, join(folder, 'lock')])
    expect(signal).toBe('SIGKILL')
    await (
      await lockState(folder)
    )()
  })
})
