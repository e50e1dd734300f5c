import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: RunningService

beforeAll(async () => {
  folder = await openTempFolder()
  service = await startService({ dataDir: join(folder.path, 'data') })
})
afterAll(async () => {
  await service?.close()
  await folder.remove()
})

function admin(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [ADMIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

async function messages(of: RunningService, auth: Record<string, string>): Promise<readonly string[]> {
  const found = await of.api('/api/v1/logs/query', { method: 'POST', json: {}, headers: auth })
  return (found.json['logs'] as { message: string }[]).map(log => log.message)
}

function send(message: string): Promise<unknown> {
  return service.ingest('/api/v1/logs', { method: 'POST', json: { message }, headers: { 'x-api-key': service.first.ingestKey } })
}

describe('administration commands', () => {
  it('open no door to whoever cannot read the data folder', async () => {
    const path = join(service.dataDir, 'admin.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { url } = JSON.parse(await readFile(path, 'utf8')) as { url: string }
    const refused = await fetch(`${url}/reset-password`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer wrong' }
    })
    expect(refused.status).toBe(401)
  })

  it('copy everything while the service runs, and the copy starts elsewhere', async () => {
    await send('before the backup')
    const copy = join(folder.path, 'copy')
    const restored = join(folder.path, 'restored')
    expect(await admin('backup', copy, '--data-dir', service.dataDir)).toMatchObject({ code: 0 })
    await send('after the backup')
    expect(await admin('backup', copy, '--data-dir', service.dataDir)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty')
    })
    expect(await admin('restore', copy, '--data-dir', restored)).toMatchObject({ code: 0 })
    expect(await admin('restore', copy, '--data-dir', restored)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty')
    })
    const second = await startService({ dataDir: restored })
    try {
      expect(await messages(second, await second.login(service.first.email, service.first.password!))).toEqual([
        'before the backup'
      ])
    } finally {
      await second.close()
    }
  })

  it('give a user a new password and end the sessions', async () => {
    const old = await service.login()
    const { stdout } = await admin('reset-password', service.first.email, '--data-dir', service.dataDir)
    const password = /: (\S+)\n$/.exec(stdout)![1]!
    await expect(service.login()).rejects.toThrow('invalid_credential')
    const fresh = await service.login(service.first.email, password)
    expect((await service.api('/api/v1/namespaces', { headers: fresh })).status).toBe(200)
    expect((await service.api('/api/v1/namespaces', { headers: old })).status).toBe(401)
  })

  it('print what went wrong', async () => {
    expect(await admin('reset-password', 'missing@example.com', '--data-dir', service.dataDir)).toMatchObject({ code: 1 })
    expect(await admin('restore', join(folder.path, 'nothing'), '--data-dir', join(folder.path, 'x'))).toMatchObject({ code: 1 })
    expect((await admin('backup')).stderr).toMatch(/backup needs its folder\n\nUsage/)
    expect((await admin('bakcup', 'x')).stderr).toContain('unknown command bakcup')
    expect(await admin('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage') })
    expect(await admin('reset-password', 'a@b.c', '--data-dir', join(folder.path, 'none'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not contain an Alidade data folder')
    })
  })
})
