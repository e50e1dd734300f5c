import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { describeWithSuite } from '../support/suite-cases.js'
import { suitePath } from '../support/suite-path.js'
import { instantQuery } from '../support/prometheus-api.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

// InfluxDB's write routes, 2.x and 1.x.

const CAPTURES = 'clients/'
const NOW_S = Math.floor(Date.now() / 1000)

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service.close())

async function write(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Token ${service.first.ingestKey}`, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body)
  })
}

const request = (query: string) => instantQuery(service, service.session, query)

describe('writing line protocol', () => {
  it.each([
    ['/api/v2/write?org=acme&bucket=telegraf', `${NOW_S}000000000`],
    ['/api/v2/write?org=acme&bucket=telegraf&precision=us', `${NOW_S}000000`],
    ['/api/v1/influx/api/v2/write?precision=ms', `${NOW_S}000`],
    ['/write?db=telegraf&precision=s', `${NOW_S}`],
    ['/api/v1/influx/write?precision=%C2%B5', `${NOW_S}000000`]
  ])('%s stores a sample for each number', async (path, time) => {
    const name = `m${path.replace(/\W/g, '')}`
    const line = `${name},host=web-1,dc.name=a\\ b usage=1.5,up=true,n=3i,of=4u,what="x" ${time}\n`
    const reply = await write(path, gzipSync(line), { 'content-encoding': 'gzip' })
    expect([reply.status, reply.headers.get('x-ignored-values')]).toEqual([204, '1'])
    const found = await request(`{__name__=~"${name}_.+"}`)
    const labels = { host: 'web-1', dc_name: 'a b' }
    expect(found.map(({ metric }) => metric)).toEqual(
      ['n', 'of', 'up', 'usage'].map(field => ({ __name__: `${name}_${field}`, ...labels }))
    )
    expect(found.map(({ value }) => value[1])).toEqual(['3', '4', '1', '1.5'])
    expect(await request(`timestamp(${name}_usage)`)).toMatchObject([{ value: [expect.any(Number), String(NOW_S)] }])
  })

  it('counts strings that it leaves out, also when there is nothing else', async () => {
    const reply = await write('/api/v2/write', 'log message="a",text="b"\n')
    expect([reply.status, reply.headers.get('x-ignored-values')]).toEqual([204, '2'])
  })

  it('gives what Telegraf scraped its own names, and others names that PromQL takes', async () => {
    expect((await write('/api/v2/write', 'prometheus,job=x go_threads=7\n9cpu-x,9t=v a.b=1\n')).status).toBe(204)
    expect(await request('go_threads{job="x"}')).toHaveLength(1)
    expect(await request('_9cpu_x_a_b{_9t="v"}')).toHaveLength(1)
  })

  it('stores what is good next to lines that are not, which it reports in the shape of each version', async () => {
    const body = 'part,a=1 v=1\npart v=\npart,a=2 v=2\n'
    const message = 'invalid_field: partial write: line 2: missing field value; 2 values written, 1 lines rejected'
    const second = await write('/api/v2/write', body)
    expect([second.status, await second.json()]).toEqual([400, { code: 'invalid', message, line: 2 }])
    expect(await request('part_v')).toHaveLength(2)
    const first = await write('/write', body)
    expect([first.status, await first.json()]).toEqual([400, { error: message }])
  })

  it('returns 422 when lines are refused for their time only', async () => {
    const reply = await write('/api/v2/write?precision=s', 'old v=1 1\n')
    expect([reply.status, await reply.json()]).toMatchObject([
      422,
      { code: 'unprocessable entity', message: expect.stringContaining('line 1: timestamp is before') }
    ])
  })

  it.each<[string, { path?: string; body?: string; headers?: Record<string, string> }, number, string]>([
    ['nothing acceptable', { body: 'x' }, 400, 'invalid'],
    ['two fields of one name', { body: 'm a.b=1,a_b=2' }, 400, 'invalid'],
    ['a tag that comes twice', { body: 'm,a=1,a=2 v=1' }, 400, 'invalid'],
    ['a precision of the other version', { path: '/api/v2/write?precision=h' }, 400, 'invalid'],
    ['no credential', { headers: { authorization: '' } }, 401, 'unauthorized'],
    ['an unknown token', { headers: { authorization: 'Token nope' } }, 401, 'unauthorized'],
    ['a namespace that is not of the key', { path: '/api/v2/write?namespace=other' }, 403, 'forbidden'],
    ['what is not gzip', { headers: { 'content-encoding': 'gzip' } }, 400, 'invalid'],
    ['too large a body', { body: `m v=1 ${' '.repeat(10 * 1024 * 1024)}` }, 413, 'request too large']
  ])('refuses %s', async (_, { path = '/api/v2/write', body = 'm v=1', headers = {} }, status, code) => {
    const reply = await write(path, body, headers)
    expect([reply.status, await reply.json()]).toMatchObject([status, { code }])
  })
})

describeWithSuite(CAPTURES, 'the captured request of Fluent Bit', () => {
  it('is stored and found', async () => {
    await service.api(`/api/v1/namespaces/${service.first.namespaceId}`, {
      method: 'PATCH',
      headers: service.session,
      json: { retention: { metrics: 'forever' } }
    })
    const body = readFileSync(`${suitePath(CAPTURES)}fluentbit_api_v2_write.body`)
    expect((await write('/api/v2/write', body)).status).toBe(204)
    expect(await request('last_over_time(cpu_cpu0_p_cpu[1y])')).toMatchObject([
      { metric: { _seq: '0' }, value: [expect.any(Number), '20'] }
    ])
  })
})
