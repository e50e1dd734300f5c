import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const run = promisify(execFile)
let folder: Awaited<ReturnType<typeof openTempFolder>>

beforeAll(async () => {
  folder = await openTempFolder()
})
afterAll(() => folder.remove())

/** A logger that keeps its lines. */
function recording(): { readonly logger: pino.Logger; readonly lines: string[] } {
  const lines: string[] = []
  return { logger: pino({ level: 'trace' }, { write: line => void lines.push(line) }), lines }
}

describe('the first start', () => {
  it('prints credentials once, logs none of them, and its three commands work when pasted', async () => {
    const printed: string[] = []
    const { logger, lines } = recording()
    const service = await startService({ dataDir: folder.path, app: { print: text => printed.push(text), logger } })
    try {
      expect(printed).toHaveLength(1)
      const text = printed[0]!
      const commands = text.split('\n').filter(line => /^ {2}(?:curl|TOKEN=)/.test(line))
      expect(commands).toHaveLength(3)
      const { stdout } = await run('sh', ['-c', commands.join('\n')])
      expect(stdout).toContain('"accepted":1')
      expect(stdout).toContain('"message":"hello, alidade"')

      const file = join(folder.path, 'first-run.txt')
      expect(await readFile(file, 'utf8')).toBe(text)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      for (const secret of [service.first.password!, service.first.ingestKey]) {
        expect(text).toContain(secret)
        expect(lines.join('')).not.toContain(secret)
      }
    } finally {
      await service.close()
    }
  })

  it('never prints them again, and they still work', async () => {
    const printed: string[] = []
    const text = await readFile(join(folder.path, 'first-run.txt'), 'utf8')
    const email = /operator +(\S+)/.exec(text)![1]!
    const password = /password +(\S+)/.exec(text)![1]!
    const service = await startService({ dataDir: folder.path, app: { print: line => printed.push(line) } })
    try {
      expect([printed, service.app.firstCredentials]).toEqual([[], null])
      const auth = await service.login(email, password)
      const found = await service.api('/api/v1/logs/query', { method: 'POST', json: { query: 'hello' }, headers: auth })
      expect(found.json).toMatchObject({ logs: [{ message: 'hello, alidade' }] })
    } finally {
      await service.close()
    }
  })
})

it('does not print a password that the installation chose', async () => {
  const printed: string[] = []
  const own = await openTempFolder()
  const { writeFile } = await import('node:fs/promises')
  const { createApp } = await import('../../src/app.js')
  const { loadConfig } = await import('../../src/config/config.js')
  const { readFileSync } = await import('node:fs')
  await writeFile(join(own.path, 'pw'), 'correct horse battery staple\n')
  const ports = ['--port', '0', '--otlp-http-port', '0', '--otlp-grpc-port', '0']
  const flags = [...ports, '--data-dir', join(own.path, 'data'), '--admin-password-file', join(own.path, 'pw')]
  const config = loadConfig(flags, {}, path => readFileSync(path, 'utf8'))
  const app = await createApp(config, {
    logger: pino({ level: 'silent' }),
    print: line => printed.push(line)
  })
  try {
    await app.listen()
    expect(printed.join('')).not.toContain('correct horse')
    const body = JSON.stringify({ email: app.firstCredentials!.email, password: 'correct horse battery staple' })
    const login = await fetch(`${app.url}/api/v1/auth/login`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' }
    })
    expect(login.status).toBe(200)
  } finally {
    await app.close()
    await own.remove()
  }
})
