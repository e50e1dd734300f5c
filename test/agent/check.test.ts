import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { checkConfig } from '../../agent/src/check.js'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { openTempFolder } from '../support/temp-folder.js'

const KEY = { SERVICE_API_KEY: 'key' }

let temp: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  temp = await openTempFolder()
})
afterEach(() => temp.remove())

it('states which of the paths can be read', async () => {
  await writeFile(join(temp.path, 'a.log'), '')
  await mkdir(join(temp.path, 'b.log'))
  await writeFile(join(temp.path, 'c.log.zst'), '')
  const files = ['*.log', 'none.log', 'c.log.zst'].map(name => ({ path: join(temp.path, name) }))
  const config = parseConfig(JSON.stringify({ logs: { files } }), KEY)
  const { lines, isReadable } = await checkConfig(config)
  expect(isReadable).toBe(true)
  expect(lines.map(line => line.replaceAll(temp.path, '').replace(/ {2,}/g, ' ')).slice(4)).toEqual([
    'files /*.log (plain): 2 found',
    ' /a.log: readable',
    ' /b.log: a folder, which is not read; its files are those of a pattern such as *.log',
    'files /none.log (plain): none yet',
    'files /c.log.zst (plain): 1 found',
    ' /c.log.zst: compressed with zst, and not read'
  ])
})

it('fails when something cannot be read', async () => {
  const config = parseConfig(JSON.stringify({ logs: { docker: { socket: join(temp.path, 'none.sock') } } }), KEY)
  const { lines, isReadable } = await checkConfig(config)
  expect([lines.at(-1), isReadable]).toEqual([expect.stringMatching(/^docker {5}.*none\.sock: not readable \(.*ENOENT/), false])
})

it('states that the file of the API key can be read by all users', async () => {
  const path = join(temp.path, 'agent.key')
  await writeFile(path, 'key\n', { mode: 0o640 })
  const config = parseConfig('', { SERVICE_API_KEY_FILE: path })
  const last = async (): Promise<string | undefined> => (await checkConfig(config)).lines.at(-1)
  await expect(last()).resolves.toMatch(/^state /)
  await chmod(path, 0o644)
  await expect(last()).resolves.toBe(`API key    ${path} can be read by all users: run chmod o-rwx ${path}`)
  await rm(path)
  await expect(last()).resolves.toMatch(/^state /)
})
