import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { freePort } from '../../bench/service/free-port.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

type Line = Readonly<Record<string, unknown>>

/** Lines of a log, and a promise for the next line of a request. */
class RequestLines {
  readonly strings: string[] = []
  readonly #waiting: ((line: Line) => void)[] = []
  readonly logger = pino({ level: 'warn' }, { write: text => this.#note(text) })

  get requests(): Line[] {
    return this.strings.map(text => JSON.parse(text) as Line).filter(line => line['msg'] === 'request')
  }

  next(): Promise<Line> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  #note(text: string): void {
    this.strings.push(text)
    const line = JSON.parse(text) as Line
    if (line['msg'] === 'request') this.#waiting.shift()?.(line)
  }
}

const SECRET = 'planted-secret-7f3a'
const FIELDS = [
  'bytes_in',
  'bytes_out',
  'client',
  'duration_ms',
  'key_prefix',
  'method',
  'namespace',
  'request_id',
  'route',
  'status'
]

function fieldsOf({ level: _level, time: _time, pid: _pid, hostname: _hostname, msg: _msg, ...fields }: Line): Line {
  return fields
}

describe('the request log of all requests', () => {
  const lines = new RequestLines()
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ flags: ['--log-requests', 'all', '--otlp-grpc-port', '0'], app: { logger: lines.logger } })
  })
  afterAll(() => service?.close())

  it('has one line with the route, namespace, sizes and the beginning of the key, whatever log_level is', async () => {
    const logged = lines.next()
    const body = JSON.stringify({ message: 'hello' })
    const headers = { 'x-api-key': service.first.ingestKey, 'content-type': 'application/json' }
    const response = await service.ingest('/api/v1/logs', { method: 'POST', body, headers })
    const line = await logged
    expect(Object.keys(fieldsOf(line)).toSorted()).toEqual(FIELDS)
    expect(line).toMatchObject({
      method: 'POST',
      route: '/api/v1/logs',
      status: 200,
      bytes_in: body.length,
      namespace: response.headers.get('x-resolved-namespace'),
      request_id: response.headers.get('x-request-id'),
      client: '127.0.0.1'
    })
    expect(line['bytes_out']).toBeGreaterThan(response.text.length)
    const prefix = String(line['key_prefix'])
    expect(service.first.ingestKey.startsWith(prefix)).toBe(true)
    expect(prefix.length).toBeLessThan(service.first.ingestKey.length / 2)
  })

  it('holds nothing of the query, the headers, the body, or the path beyond its pattern', async () => {
    const auth = await service.login()
    const headers = { ...auth, 'x-secret': SECRET, cookie: SECRET, 'user-agent': SECRET, referer: `http://a/${SECRET}` }
    const json = { query: SECRET }
    const sent: [string, RequestInit & { json?: unknown }][] = [
      [`/api/v1/logs/query?key=${SECRET}`, { method: 'POST', json, headers }],
      [`/api/v1/traces/${SECRET}`, { headers }],
      [`/${SECRET}/${SECRET}?a=${SECRET}`, { headers }],
      ['/api/v1/logs', { method: 'POST', json, headers: { 'x-api-key': `ali_ingest_${SECRET}` } }],
      ['/graphql', { method: 'POST', json: { query: `{ logs(query: "${SECRET}") { rows { id } } }` }, headers }]
    ]
    for (const [path, init] of sent) {
      const logged = lines.next()
      await service.api(path, init)
      await logged
    }
    expect(lines.requests.map(({ route }) => route)).toContain('unmatched')
    expect(lines.requests.map(({ route }) => route)).toContain('/api/v1/traces/:trace_id')
    expect(lines.strings.join('')).not.toContain(SECRET)
  })

  it('has a line for a client that left before the reply', async () => {
    const logged = lines.next()
    const { hostname, port } = new URL(service.url)
    const headers = { 'x-api-key': service.first.ingestKey, 'content-type': 'application/json', 'content-length': '1000' }
    const left = request({ hostname, port, path: '/api/v1/logs', method: 'POST', headers })
    left.on('error', () => undefined)
    left.write('{', () => setImmediate(() => left.destroy()))
    expect(await logged).toMatchObject({ route: '/api/v1/logs', status: 499, bytes_in: 1000 })
  })
})

describe('the request log of errors', () => {
  const lines = new RequestLines()
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ flags: ['--log-requests', 'errors'], app: { logger: lines.logger } })
  })
  afterAll(() => service?.close())

  it('leaves out what went well', async () => {
    await service.api('/health/live')
    const logged = lines.next()
    await service.api('/nowhere')
    expect(await logged).toMatchObject({ status: 404, route: 'unmatched' })
    expect(lines.requests).toHaveLength(1)
  })
})

describe('without a request log', () => {
  it('nothing is written of requests', async () => {
    const lines = new RequestLines()
    const service = await startService({ app: { logger: lines.logger } })
    await service.api('/nowhere')
    await service.close()
    expect(lines.requests).toEqual([])
  })
})

describe('the request log of gRPC calls', () => {
  const lines = new RequestLines()
  let service: RunningService
  let grpc: OtlpGrpcClient
  beforeAll(async () => {
    service = await startService({
      flags: ['--log-requests', 'all', '--otlp-grpc-port', String(await freePort())],
      app: { logger: lines.logger }
    })
    grpc = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
  })
  afterAll(async () => {
    grpc?.close()
    await service?.close()
  })

  it('has a line for a call that succeeded and for one that was refused, without their metadata', async () => {
    const metadata = { 'x-secret': SECRET }
    const good = lines.next()
    await grpc.export('logs', Buffer.alloc(0), { ...metadata, 'x-api-key': service.first.ingestKey })
    expect(await good).toMatchObject({
      method: 'POST',
      route: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
      status: 200,
      bytes_in: 0,
      namespace: service.first.namespace,
      client: '127.0.0.1'
    })
    const refused = lines.next()
    await grpc.export('logs', Buffer.alloc(0), { ...metadata, 'x-api-key': `ali_ingest_${SECRET}` })
    expect(await refused).toMatchObject({ status: 401, namespace: null, key_prefix: null })
    for (const line of lines.requests) expect(Object.keys(fieldsOf(line)).toSorted()).toEqual(FIELDS)
    expect(lines.strings.join('')).not.toContain(SECRET)
  })
})
