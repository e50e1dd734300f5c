import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { instantQuery, prometheusData } from '../support/prometheus-api.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

// Metrics as text: `/api/v1/import/prometheus` and the paths of Pushgateway.

const NOW_MS = Math.floor(Date.now() / 1000) * 1000
const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service.close())

interface Sent {
  readonly status: number
  readonly json: Record<string, unknown>
}

async function send(
  path: string,
  body: string | Buffer,
  init: { method?: string; headers?: Record<string, string> } = {}
): Promise<Sent> {
  const headers = { 'x-api-key': service.first.ingestKey, 'content-type': 'text/plain; version=0.0.4', ...init.headers }
  const reply = await fetch(service.url + path, {
    method: init.method ?? 'POST',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body)
  })
  return { status: reply.status, json: (await reply.json()) as Record<string, unknown> }
}

const request = (query: string) => instantQuery(service, service.session, query)
const prometheus = (endpoint: string, params: Record<string, string>) =>
  prometheusData(service, service.session, endpoint, params)

describe('import of text formats', () => {
  it('stores the text format, the metadata of families, and the types of samples', async () => {
    const text = `# HELP jobs_total Jobs done.\n# TYPE jobs_total counter\njobs_total{queue="a"} 3 ${NOW_MS}\nload 0.5\n`
    const { status, json } = await send('/api/v1/import/prometheus', text)
    expect([status, json]).toMatchObject([200, { status: 'ok', accepted: 2, rejected: 0, namespace_source: 'api_key' }])
    expect(await request('jobs_total')).toEqual([
      { metric: { __name__: 'jobs_total', queue: 'a' }, value: [expect.any(Number), '3'] }
    ])
    expect(await request('load')).toHaveLength(1)
    expect(await prometheus('metadata', { metric: 'jobs_total' })).toEqual({
      jobs_total: [{ type: 'counter', help: 'Jobs done.', unit: '' }]
    })
  })

  it('stores OpenMetrics with seconds, units and exemplars', async () => {
    const seconds = NOW_MS / 1000
    const text = [
      '# TYPE run_seconds histogram',
      '# UNIT run_seconds seconds',
      `run_seconds_bucket{le="1"} 1 ${seconds}.25 # {trace_id="abc"} 0.5 ${seconds}`,
      `run_seconds_count 1 ${seconds}.25`,
      '# EOF\n'
    ].join('\n')
    const { status, json } = await send('/api/v1/import/prometheus', gzipSync(text), {
      headers: { 'content-type': OPENMETRICS, 'content-encoding': 'gzip' }
    })
    expect([status, json]).toMatchObject([200, { accepted: 2, exemplars: { accepted: 1, rejected: 0 } }])
    expect(await request('timestamp(run_seconds_count)')).toMatchObject([{ value: [expect.any(Number), `${seconds}.25`] }])
    expect(await prometheus('query_exemplars', { query: 'run_seconds_bucket' })).toEqual([
      {
        seriesLabels: { __name__: 'run_seconds_bucket', le: '1' },
        exemplars: [{ labels: { trace_id: 'abc' }, value: '0.5', timestamp: seconds }]
      }
    ])
    expect(await prometheus('metadata', { metric: 'run_seconds' })).toEqual({
      run_seconds: [{ type: 'histogram', help: '', unit: 'seconds' }]
    })
  })

  it('stores what is good next to lines that are not, which it names', async () => {
    const { status, json } = await send('/api/v1/import/prometheus', `partly 1\npartly{a="1"} x\npartly{a="2"} 2 1000\n`)
    expect([status, json]).toMatchObject([
      200,
      {
        ...{ status: 'partial', accepted: 1, rejected: 2 },
        rejected_by_code: { invalid_field: 1, timestamp_too_old: 1 },
        errors: [
          { index: 1, detail: 'line 2: "x" is not a number' },
          { index: 2, detail: expect.stringContaining('line 3: timestamp is before') }
        ]
      }
    ])
    expect(await request('partly')).toHaveLength(1)
  })

  it.each<[string, string, Record<string, string>, readonly [number, string]]>([
    ['nothing acceptable', 'a x\n', {}, [400, 'line 1']],
    ['OpenMetrics that was cut off', 'cut 1\n', { 'content-type': OPENMETRICS }, [400, '# EOF']],
    ['the protobuf of Go clients', '', { 'content-type': 'application/vnd.google.protobuf' }, [415, 'push the text format']],
    ['JSON', '{}', { 'content-type': 'application/json' }, [415, 'text/plain']],
    ['an unknown key', 'a 1\n', { 'x-api-key': 'nope' }, [401, '']],
    ['a namespace that is not of the key', 'a 1\n', { 'x-service-namespace': 'other' }, [403, '']]
  ])('refuses %s', async (_, body, headers, [status, detail]) => {
    const sent = await send('/api/v1/import/prometheus', body, { headers })
    expect([sent.status, sent.json['detail']]).toEqual([status, expect.stringContaining(detail)])
  })

  it('shows what it would store', async () => {
    const { json } = await send('/api/v1/import/prometheus?dry_run=true', 'dry{a="b"} 1\n')
    expect(json).toMatchObject({ dry_run: true, accepted: 1, records: [{ name: 'dry', labels: { a: 'b' } }] })
    expect(await request('dry')).toEqual([])
  })
})

describe('the paths of Pushgateway', () => {
  it.each([
    ['POST', '/metrics/job/backup', { job: 'backup' }],
    ['PUT', '/metrics/job/backup2/instance/db-1', { job: 'backup2', instance: 'db-1' }],
    ['POST', '/api/v1/metrics/job/backup3/path/a%2Fb%20c', { job: 'backup3', path: 'a/b c' }],
    ['POST', '/metrics/job@base64/L3Zhci90bXA', { job: '/var/tmp' }],
    ['POST', '/metrics/job/backup4/path@base64/L3Zhci90bXA=/empty@base64/=', { job: 'backup4', path: '/var/tmp' }],
    ['POST', '/api/v1/import/prometheus/metrics/job/backup5/', { job: 'backup5' }]
  ])('%s %s gives its labels to every sample, before their own', async (method, path, labels) => {
    const name = `pushed_${Object.values(labels)[0]!.replace(/\W/g, '')}`
    const sent = await send(path, `${name}{job="own",other="x"} 1\n`, { method })
    expect([sent.status, sent.json]).toMatchObject([200, { accepted: 1 }])
    expect((await request(name)).map(({ metric }) => metric)).toEqual([{ __name__: name, other: 'x', ...labels }])
  })

  it.each([
    ['/metrics/job/a/b', 'alternate'],
    ['/metrics/job/a/__name__/x', 'cannot name a label'],
    ['/metrics/job/a/b-c/x', 'cannot name a label'],
    ['/metrics/job/a/job/b', 'twice'],
    ['/metrics/job@base64/!!', 'not base64'],
    ['/metrics/job@base64/=', 'must not be empty']
  ])('refuses %s', async (path, detail) => {
    const sent = await send(path, 'a 1\n')
    expect([sent.status, sent.json['detail']]).toEqual([400, expect.stringContaining(detail)])
  })

  it('takes the key as the password of Basic, with what curl sends by default', async () => {
    const reply = await fetch(`${service.url}/metrics/job/cron`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`anyone:${service.first.ingestKey}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded'
      },
      body: 'cron_done 1\n'
    })
    expect(reply.status).toBe(200)
    expect(await request('cron_done{job="cron"}')).toHaveLength(1)
  })

  it('has nothing to delete: samples are kept for their retention', async () => {
    const reply = await fetch(`${service.url}/metrics/job/cron`, {
      method: 'DELETE',
      headers: { 'x-api-key': service.first.ingestKey }
    })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'OPTIONS, POST, PUT'])
  })
})
