import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { checkConfig } from '../../agent/src/check.js'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { openTempFolder } from '../support/temp-folder.js'

const KEY = { SERVICE_API_KEY: 'key' }

/** Lines about what is read of files and others. */
function withoutFacts(lines: readonly string[]): readonly string[] {
  const facts = /^(service|namespace|host|host id|state|API key|metrics|listeners) {2,}/
  return lines.filter(line => !facts.test(line)).map(line => line.replace(/ {2,}/g, ' '))
}

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
  const config = parseConfig(JSON.stringify({ agent: { state_dir: temp.path }, logs: { files } }), KEY)
  const { lines, isReadable } = await checkConfig(config)
  expect(isReadable).toBe(true)
  expect(withoutFacts(lines).map(line => line.replaceAll(temp.path, ''))).toEqual([
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

it('fails when the folder of a pattern cannot be read', async () => {
  await symlink(join(temp.path, 'loop'), join(temp.path, 'loop'))
  const files = [{ path: join(temp.path, 'loop', '*.log') }]
  const { lines, isReadable } = await checkConfig(parseConfig(JSON.stringify({ logs: { files } }), KEY))
  expect(isReadable).toBe(false)
  expect(withoutFacts(lines).map(line => line.replaceAll(temp.path, ''))).toEqual([
    'files /loop/*.log (plain): 0 found',
    ' /loop: not readable (ELOOP)'
  ])
})

it('fails when the state folder cannot be made, and leaves nothing where it can', async () => {
  const stateLine = async (folder: string): Promise<unknown> => {
    const { lines, isReadable } = await checkConfig(parseConfig(JSON.stringify({ agent: { state_dir: folder } }), KEY))
    return [lines.find(line => line.startsWith('state ')), isReadable]
  }
  expect(await stateLine('/proc/alidade/state')).toEqual([
    expect.stringMatching(/^state {6}\/proc\/alidade\/state: not writable \(E[A-Z]+\)$/),
    false
  ])
  const folder = join(temp.path, 'a', 'state')
  expect(await stateLine(folder)).toEqual([`state      ${folder}`, true])
  expect(await readdir(temp.path)).toEqual([])
})

it('states that the file of the API key can be read by all users', async () => {
  const path = join(temp.path, 'agent.key')
  await writeFile(path, 'key\n', { mode: 0o640 })
  const config = parseConfig('', { SERVICE_API_KEY_FILE: path })
  const found = async () => (await checkConfig(config)).lines.filter(line => line.startsWith('API key'))
  await expect(found()).resolves.toEqual([])
  await chmod(path, 0o644)
  await expect(found()).resolves.toEqual([`API key    ${path} can be read by all users: run chmod o-rwx ${path}`])
  await rm(path)
  await expect(found()).resolves.toEqual([])
})

it('states what is off', async () => {
  const files = [{ path: join(temp.path, 'none.log') }]
  const off = { metrics: { enabled: false }, listeners: { enabled: false }, logs: { enabled: false, files } }
  const { lines } = await checkConfig(parseConfig(JSON.stringify(off), KEY))
  expect(lines.slice(-3)).toEqual([
    'metrics    off (metrics.enabled)',
    'listeners  off (listeners.enabled)',
    'logs       off (logs.enabled)'
  ])
  const { lines: others } = await checkConfig(parseConfig('metrics: {interval: 30s}', KEY))
  expect(others.slice(-3)).toEqual([
    'metrics    each 30 s',
    expect.stringMatching(/^listeners  each 60 s, /),
    'logs       no files, journal or containers are configured'
  ])
})

it('states whether the state folder can be written, and where the id of the machine is from', async () => {
  const of = async (stateDir: string) => {
    const { lines, isReadable } = await checkConfig(parseConfig(JSON.stringify({ agent: { state_dir: stateDir } }), KEY))
    return [lines.find(line => line.startsWith('state'))?.replace(temp.path, ''), isReadable]
  }
  await writeFile(join(temp.path, 'file'), '')
  await expect(of(join(temp.path, 'new/state'))).resolves.toEqual(['state      /new/state', true])
  await expect(of(join(temp.path, 'file/state'))).resolves.toEqual(['state      /file/state: not writable (ENOTDIR)', false])
  const { lines } = await checkConfig(parseConfig('', KEY))
  expect(lines).toContainEqual(expect.stringMatching(/^host id {4}[0-9a-f]{32}, of (\/etc\/machine-id|the host name)$/))
})
