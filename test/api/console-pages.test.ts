import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SCRIPT, writeConsoleBuild } from '../support/console-build.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const PAGES = ['/login', '/register', '/invite', '/n/prod/logs', '/n/prod/trace/4bf9?span=1', '/n/']
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

interface RawResult {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: RunningService
beforeAll(async () => {
  folder = await openTempFolder()
  const consoleFolder = await writeConsoleBuild(folder.path)
  service = await startService({ flags: ['--ingest-port', '0'], app: { consoleFolder } })
})
afterAll(async () => {
  await service?.close()
  await folder?.remove()
})

/** As sent: `fetch` decodes bodies and normalizes paths. */
function raw(url: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResult> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject).end()
  })
}
const get = (path: string, headers: Record<string, string> = {}): Promise<RawResult> => raw(service.url, path, headers)
const codeOf = ({ body }: RawResult): unknown => (JSON.parse(body.toString()) as Record<string, unknown>)['code']

describe('pages of the console', () => {
  it.each(PAGES)('serve the application at %s, without a credential', async path => {
    const { status, headers, body } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body.toString()).toBe('<!doctype html><base href="/" /><title>Alidade</title>')
  })

  it('are what a browser gets at the root, and other clients get the pointer', async () => {
    const page = await get('/', BROWSER)
    expect([page.status, page.headers['content-type'], page.headers['vary']]).toEqual([200, 'text/html; charset=utf-8', 'accept'])
    for (const accept of ['', '*/*', 'application/json, text/html;q=0.5']) {
      const pointer = await get('/', { accept })
      expect([pointer.status, pointer.headers['location'], pointer.headers['vary']]).toEqual([302, '/graphql', 'accept'])
      expect(JSON.parse(pointer.body.toString())).toEqual({
        graphql: '/graphql',
        openapi: '/api/v1/openapi.json',
        health: '/health/ready'
      })
    }
  })

  it.each(['/', '/login', '/assets/main-B7x2.js'])('carry the policy and the other headers at %s', async path => {
    const { headers } = await get(path, BROWSER)
    expect(headers).toMatchObject({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': path.startsWith('/assets') ? 'public, max-age=31536000, immutable' : 'no-cache'
    })
  })

  it('are checked again by their tag', async () => {
    const first = await get('/login')
    const tag = String(first.headers['etag'])
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get('/n/prod/logs', { 'if-none-match': named })
      expect([again.status, again.body.length, again.headers['etag'], again.headers['cache-control']]).toEqual([
        304,
        0,
        tag,
        'no-cache'
      ])
    }
    expect((await get('/login', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('are not those of the ingest port, and leave other paths their meaning', async () => {
    for (const path of ['/', '/login', '/assets/main-B7x2.js'])
      expect((await raw(service.ingestUrl, path, BROWSER)).status).toBe(404)
    expect((await get('/health/live', BROWSER)).headers['content-type']).toMatch(/^application\/json/)
    expect((await get('/graphql', BROWSER)).body.toString()).toContain('Alidade GraphQL')
    expect([(await get('/nothing', BROWSER)).status, codeOf(await get('/n', BROWSER))]).toEqual([404, 'not_found'])
  })
})

describe('files of the console', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip;q=1.0, br;q=0.5', 'gzip', gunzipSync]
  ])('are sent as stored to a client that accepts %s', async (accepted, coding, decode) => {
    const { status, headers, body } = await get('/assets/main-B7x2.js', { 'accept-encoding': accepted })
    expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, coding, 'accept-encoding'])
    expect([headers['content-type'], headers['content-length']]).toEqual(['text/javascript; charset=utf-8', String(body.length)])
    expect(body.length).toBeLessThan(SCRIPT.length)
    expect(decode(body).toString()).toBe(SCRIPT)
  })

  it('are sent plain to other clients, under another tag', async () => {
    const plain = await get('/assets/main-B7x2.js')
    const coded = await get('/assets/main-B7x2.js', { 'accept-encoding': 'br' })
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, SCRIPT])
    expect(plain.headers['etag']).not.toBe(coded.headers['etag'])
    const picture = await get('/assets/mark-A1b2.svg', { 'accept-encoding': 'br' })
    expect([picture.headers['content-type'], picture.headers['content-encoding']]).toEqual(['image/svg+xml', undefined])
  })

  it('handle HEAD and 304 without a body', async () => {
    const head = await raw(service.url, '/assets/main-B7x2.js', { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.status, head.headers['content-encoding'], head.body.length]).toEqual([200, 'gzip', 0])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
    const again = await get('/assets/main-B7x2.js', { 'accept-encoding': 'gzip', 'if-none-match': String(head.headers['etag']) })
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect((await raw(service.url, '/', BROWSER, 'HEAD')).headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it.each([
    '/assets/',
    '/assets/unknown.js',
    '/assets/main-B7x2.js.br',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/..%5cindex.html',
    '/assets/%2fetc/passwd',
    '/assets//main-B7x2.js',
    '/assets/main-B7x2.js%00',
    '/assets/__proto__',
    '/assets/constructor'
  ])('are those of the build alone: %s is a problem', async path => {
    const response = await get(path, BROWSER)
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/problem+json'])
    expect([codeOf(response), response.headers['cache-control']]).toEqual(['not_found', 'no-store'])
  })

  it('refuse other methods', async () => {
    const response = await raw(service.url, '/assets/main-B7x2.js', {}, 'DELETE')
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('a service without the console', () => {
  async function rootAndLogin(options: Parameters<typeof startService>[0]): Promise<readonly unknown[]> {
    const other = await startService(options)
    try {
      const root = await raw(other.url, '/', BROWSER)
      return [root.status, root.headers['location'], (await raw(other.url, '/login', BROWSER)).status]
    } finally {
      await other.close()
    }
  }

  it('leads browsers to the sandbox and returns 404 at its pages when it is not installed', async () => {
    expect(await rootAndLogin({ app: { consoleFolder: `${folder.path}/absent` } })).toEqual([302, '/graphql', 404])
  })

  it('does the same when it is switched off or its build is incomplete', async () => {
    const off = { flags: ['--console', 'false'], app: { consoleFolder: folder.path } }
    expect(await rootAndLogin(off)).toEqual([302, '/graphql', 404])
    expect(await rootAndLogin({ app: { consoleFolder: `${folder.path}/assets` } })).toEqual([302, '/graphql', 404])
  })

  it('has nothing at the root without the sandbox', async () => {
    const options = { flags: ['--console', 'false', '--graphql-sandbox', 'false'] }
    expect(await rootAndLogin(options)).toEqual([404, undefined, 404])
  })
})

it('fills the base with the path of the public URL', async () => {
  const flags = ['--public-url', 'https://example.com/watch', '--graphql-sandbox', 'false']
  const behind = await startService({ flags, app: { consoleFolder: folder.path } })
  try {
    expect((await raw(behind.url, '/login')).body.toString()).toContain('<base href="/watch/" />')
    // Without the sandbox there is no page to lead to.
    const pointer = await raw(behind.url, '/')
    expect([pointer.status, pointer.headers['location']]).toEqual([200, undefined])
  } finally {
    await behind.close()
  }
})
