import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ByteBudget } from '../../src/ingest/byte-budget.js'
import { DRAIN_IDLE_MS, MAX_DRAIN_BYTES } from '../../src/http/linger.js'
import { takeRawBodies } from '../../src/http/request-body.js'
import { addScope } from '../../src/http/scope.js'
import { GatewayError } from '../../src/domain/errors.js'
import { ManualTime } from '../support/manual-time.js'
import { type ServedRoutes, serveRoutes } from '../support/serve-routes.js'

const MIB = 1024 * 1024
const LIMIT = MIB
const run = promisify(execFile)

let served: ServedRoutes
const time = new ManualTime()
beforeAll(async () => {
  const budget = new ByteBudget(256 * MIB, time)
  served = await serveRoutes(
    app =>
      addScope(app, 'raw', scope => {
        takeRawBodies(scope, LIMIT)
        scope.post('/api/v1/raw', async req => ({ bytes: (req.body as Buffer).length }))
        const refuse = async (): Promise<never> => {
          throw new GatewayError('missing_credential', 'no')
        }
        scope.post('/api/v1/refused', { onRequest: refuse }, async () => ({}))
      }),
    undefined,
    { budget, timers: time }
  )
})
afterAll(() => served.close())

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** Sends a body with Python's own client, which reads nothing before all is sent. Returns the status. */
async function urllib(path: string, bytes: number, isChunked: boolean): Promise<string> {
  const script = `
import sys, urllib.request, urllib.error
size, chunked = int(sys.argv[2]), sys.argv[3] == 'true'
def parts():
    for _ in range(size // 65536): yield b'x' * 65536
data = parts() if chunked else b'x' * size
try: print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], data=data, headers={'Content-Type': 'application/json'})).status)
except urllib.error.HTTPError as e: print(e.code, len(e.read()) > 0)
`
  const { stdout } = await run('python3', ['-c', script, served.url + path, String(bytes), String(isChunked)])
  return stdout.trim()
}

describe('a body that is refused before it was read', () => {
  const isRequired = process.env['REQUIRE_PROGRAMS'] === '1'
  const python = isRequired || has('python3') ? it : it.skip
  python.each([false, true])('leaves its response to urllib of Python (chunked: %s)', async isChunked => {
    for (let i = 0; i < 5; i++) expect(await urllib('/api/v1/raw', 12 * MIB, isChunked)).toBe('413 True')
    expect(await urllib('/api/v1/refused', 4 * MIB, isChunked)).toBe('401 True')
  })

  const curl = isRequired || has('curl') ? it : it.skip
  curl.each([[[]], [['-H', 'Transfer-Encoding: chunked']], [['-H', 'Expect:']], [['--http1.0']]])(
    'leaves its response to curl %j',
    async flags => {
      const args = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', 'Content-Type: application/json', ...flags]
      const call = run('curl', [...args, '--data-binary', '@-', `${served.url}/api/v1/raw`])
      call.child.stdin!.on('error', () => undefined)
      call.child.stdin!.end(Buffer.alloc(12 * MIB, 'x'))
      expect((await call).stdout).toBe('413')
    }
  )

  it.each([false, true])("leaves its response to Node's fetch (chunked: %s)", async isChunked => {
    const bytes = Buffer.alloc(12 * MIB, 'x')
    const body = isChunked ? new Blob([bytes]).stream() : bytes
    const headers = { 'content-type': 'application/json' }
    const result = await fetch(`${served.url}/api/v1/raw`, { method: 'POST', headers, body, duplex: 'half' })
    expect([result.status, ((await result.json()) as { code: string }).code]).toEqual([413, 'payload_too_large'])
  })

  it('leaves its response to a client that sends all, then reads', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    const size = 8 * MIB
    socket.write(`POST /api/v1/raw HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`)
    await new Promise<void>(resolve => socket.write(Buffer.alloc(size, 'x'), () => resolve()))
    socket.resume()
    let text = ''
    for await (const chunk of socket) text += (chunk as Buffer).toString()
    expect(text).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s)
  })

  it('is not requested when the client waits for 100 Continue', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(2 * MIB), expect: '100-continue' }
    const call = request(`${served.url}/api/v1/raw`, { method: 'POST', headers })
    let isContinued = false
    call.on('continue', () => (isContinued = true))
    call.flushHeaders()
    const [response] = (await once(call, 'response')) as [{ statusCode: number; headers: Record<string, string> }]
    expect([response.statusCode, isContinued, response.headers['connection']]).toEqual([413, false, 'close'])
    call.destroy()
  })

  it('is requested when it will be read', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '3', expect: '100-continue' }
    const call = request(`${served.url}/api/v1/raw`, { method: 'POST', headers })
    call.flushHeaders()
    await once(call, 'continue')
    call.end('123')
    const [response] = (await once(call, 'response')) as [{ statusCode: number }]
    expect(response.statusCode).toBe(200)
  })

  it('gets a response before it has arrived', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(10 * MIB) }
    const call = request(`${served.url}/api/v1/refused`, { method: 'POST', headers })
    call.on('error', () => undefined)
    call.flushHeaders()
    const [response] = (await once(call, 'response')) as [{ statusCode: number }]
    expect(response.statusCode).toBe(401)
    call.destroy()
  })

  it('is read to a bound and no further', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    socket.resume()
    const size = MAX_DRAIN_BYTES * 4
    socket.write(`POST /api/v1/raw HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`)
    const chunk = Buffer.alloc(MIB)
    const send = (): void => void (socket.writable && socket.write(chunk, send))
    send()
    await new Promise(resolve => socket.once('close', resolve))
    expect(socket.bytesWritten).toBeLessThan(size)
  })

  it('holds its connection only while it brings bytes', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST /api/v1/raw HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n')
    const [result] = (await once(socket, 'data')) as [Buffer]
    expect(result.toString()).toContain('413')
    await time.dueIn(DRAIN_IDLE_MS)
    time.pass(DRAIN_IDLE_MS)
    await once(socket, 'end')
    socket.destroy()
  })
})
