import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'

const MAIN = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url))
const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
let folder: Awaited<ReturnType<typeof openTempFolder>>

beforeAll(async () => {
  folder = await openTempFolder()
})
afterAll(() => folder.remove())

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, '--otlp-http-port', '0', '--otlp-grpc-port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder.path
  })
}

async function finish(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', chunk => (stdout += String(chunk)))
  child.stderr!.on('data', chunk => (stderr += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** Resolves with the address once the process reports that it is ready. */
async function addressOf(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk.toString()
    const address = /listens on (\S+)/.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`the process ended: ${text}`)
}

describe('the process', () => {
  it('lists every problem of its settings and ends', async () => {
    const { code, stderr, stdout } = await finish(start(['--prot', '1', '--host=', '--log-level', 'loud']))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--prot is not a setting: did you mean --port?')
    expect(stderr).toContain('host (--host, ALIDADE_HOST)')
    expect(stderr).toContain('log_level (--log-level, ALIDADE_LOG_LEVEL): "loud" is not one of')
  })

  it('prints its version on --version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
    const { code, stdout } = await finish(start(['--version']))
    expect([code, stdout]).toEqual([0, `${version}\n`])
    const admin = spawn(process.execPath, [ADMIN, '--version'], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder.path })
    expect(await finish(admin)).toMatchObject({ code: 0, stdout: `${version}\n` })
  })

  it('prints its settings on --help', async () => {
    const { code, stdout } = await finish(start(['--help']))
    expect([code, stdout.includes('--ingest-port, ALIDADE_INGEST_PORT')]).toEqual([0, true])
  })

  it('serves until it is stopped, and reports why a second one cannot start', async () => {
    const data = `${folder.path}/data`
    const first = start(['--port', '0', '--data-dir', data, '--log-level', 'warn'])
    const ended = once(first, 'close')
    const url = await addressOf(first)
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    const taken = await finish(start(['--port', new URL(url).port, '--data-dir', `${folder.path}/other`]))
    expect(taken.code).toBe(1)
    expect(taken.stderr).toContain('EADDRINUSE')
    expect(taken.stderr).toContain('--port')
    expect(taken.stdout).toContain('password')
    first.kill('SIGTERM')
    expect(((await ended) as [number | null])[0]).toBe(0)
  })

  it('reports at a later start where the credentials of the first one are', async () => {
    const settings = ['--port', '0', '--data-dir', `${folder.path}/data`, '--log-level', 'warn']
    const later = start(settings)
    let text = ''
    for await (const chunk of later.stdout as AsyncIterable<Buffer>) {
      text += chunk.toString()
      if (text.includes('first-run.txt')) break
    }
    expect(text).toContain(`${folder.path}/data/first-run.txt`)
    const ended = once(later, 'close')
    later.kill('SIGTERM')
    await ended
  })
})
