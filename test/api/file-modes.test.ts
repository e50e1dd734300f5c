import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'

const MAIN = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url))
const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
const SERVICE_FLAGS = ['--port', '0', '--otlp-http-port', '0', '--otlp-grpc-port', '0', '--log-level', 'warn']

const started: ReturnType<typeof spawn>[] = []
let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeAll(async () => {
  folder = await openTempFolder()
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await folder.remove()
})

/** Paths below `path` that anybody but the owner may do something with. */
async function openPaths(path: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await readdir(path, { recursive: true })) {
    const { mode } = await lstat(join(path, name))
    if ((mode & 0o077) !== 0) found.push(`${name} ${(mode & 0o777).toString(8)}`)
  }
  return found
}

function underOpenUmask(entry: string, args: readonly string[]): ReturnType<typeof spawn> {
  const script = 'umask 000; exec "$0" "$@"'
  const child = spawn('sh', ['-c', script, process.execPath, entry, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder.path
  })
  started.push(child)
  return child
}

it('files of every store are the owner’s alone, whatever the umask, in backups too', async () => {
  const data = join(folder.path, 'data')
  const service = underOpenUmask(MAIN, [...SERVICE_FLAGS, '--data-dir', data])
  const ended = once(service, 'close')
  let text = ''
  for await (const chunk of service.stdout as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (text.includes('listens on')) break
  }
  const url = /listens on (\S+)/.exec(text)![1]!
  const key = /ali_ingest_\S+/.exec(await readFile(join(data, 'first-run.txt'), 'utf8'))![0].replace(/'.*$/, '')
  const stored = await fetch(`${url}/api/v1/logs?ack=searchable`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'hello' })
  })
  expect(stored.status).toBe(200)
  const backup = join(folder.path, 'backup')
  const [code] = (await once(underOpenUmask(ADMIN, ['backup', backup, '--data-dir', data]), 'close')) as [number]
  expect(code).toBe(0)
  expect(await readdir(data, { recursive: true })).toEqual(expect.arrayContaining(['control/control.db', 'telemetry/hot.duckdb']))
  expect([await openPaths(data), await openPaths(backup)]).toEqual([[], []])
  expect((await lstat(data)).mode & 0o777).toBe(0o700)
  service.kill('SIGTERM')
  await ended
  expect(await openPaths(data)).toEqual([])
})
