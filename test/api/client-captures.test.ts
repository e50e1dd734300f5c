import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { loadOtlpTypes } from '../differential/otlp-protos.js'
import { referenceLogs, referencePoints } from '../differential/otlp-reference.js'
import { describeWithSuite } from '../support/suite-cases.js'
import { type LastingNamespace, makeLastingNamespace } from '../support/lasting-namespace.js'
import { suitePath } from '../support/suite-path.js'
import { instantQuery } from '../support/prometheus-api.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

// First requests of real programs, from a folder next to the repository: each is taken as it was sent, and read back.

const CAPTURES = 'clients/'
const types = loadOtlpTypes()

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service.close())

interface Sent {
  readonly ns: LastingNamespace
  readonly reply: Response
  readonly body: Buffer
}

/** Sends a capture to a namespace of its own with the headers that identify it. */
async function send(capture: string, path: string, type?: string): Promise<Sent> {
  const file = suitePath(CAPTURES) + capture
  const { headers } = JSON.parse(readFileSync(`${file}.headers.json`, 'utf8')) as { headers: Record<string, string> }
  const body = readFileSync(`${file}.body`)
  const ns = await makeLastingNamespace(service, service.session, capture.replaceAll(/_+/g, '-'))
  const encoding = headers['content-encoding']
  const reply = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': ns.ingestKey,
      ...((type ?? headers['content-type']) && { 'content-type': type ?? headers['content-type']! }),
      ...(encoding && { 'content-encoding': encoding })
    },
    body: new Uint8Array(body)
  })
  await service.settle()
  return { ns, reply, body }
}

async function messages({ reader }: LastingNamespace): Promise<readonly string[]> {
  const json = { start: 0, end: 'now', limit: 1_000 }
  const response = await service.api('/api/v1/logs/query', { method: 'POST', headers: reader, json })
  return (response.json['logs'] as { message: string }[]).map(({ message }) => message).toSorted()
}

/** How many series there are that have a sample. */
async function countSeries({ reader }: LastingNamespace): Promise<number> {
  const [one] = await instantQuery(service, reader, 'count(last_over_time({__name__=~".+"}[5y]))')
  return Number(one?.value[1])
}

describeWithSuite(CAPTURES, 'the captured request of', () => {
  it.each(['prometheus_api_v1_write', 'vmagent_api_v1_write', 'fluentbit_api_v1_write'])('%s', async capture => {
    const { ns, reply } = await send(capture, '/api/v1/write')
    expect([reply.status, await reply.text()]).toEqual([204, ''])
    const written = Number(reply.headers.get('x-prometheus-remote-write-samples-written'))
    expect(written).toBeGreaterThan(10)
    // A sample of each series.
    expect(await countSeries(ns)).toBe(written)
  })

  it('fluentbit_v1_metrics', async () => {
    const { ns, reply, body } = await send('fluentbit_v1_metrics', '/v1/metrics')
    // Its histograms do not state their temporality, and their buckets are sums already: no histogram of OTLP.
    const points = referencePoints(types!.metrics.decode(body) as never)
    const numbers = points.filter(({ kind }) => kind === 'sum' || kind === 'gauge')
    const response = Buffer.from(await reply.arrayBuffer())
    expect([reply.status, response[3]]).toEqual([200, points.length - numbers.length])
    expect(response.toString()).toContain('aggregation_temporality must be delta or cumulative')
    expect(numbers.length).toBeGreaterThan(100)
    expect(await countSeries(ns)).toBe(numbers.length)
  })

  it('fluentbit_v1_logs', async () => {
    const { ns, reply, body } = await send('fluentbit_v1_logs', '/v1/logs')
    expect([reply.status, await reply.text()]).toEqual([200, ''])
    const strings = referenceLogs(types!.logs.decode(body) as never).map(({ body: text }) => {
      return typeof text === 'string' ? text : JSON.stringify(text)
    })
    expect(strings.length).toBeGreaterThan(10)
    expect(await messages(ns)).toEqual(strings.toSorted())
  })

  it.each(['fluentbit_http-json', 'fluentbit_http-json-lines'])('%s', async capture => {
    const { ns, reply, body } = await send(capture, '/api/v1/logs/batch')
    const text = (capture.endsWith('lines') ? body : gunzipSync(body)).toString()
    const records = (
      capture.endsWith('lines')
        ? text
            .split('\n')
            .filter(Boolean)
            .map(line => JSON.parse(line) as object)
        : (JSON.parse(text) as object[])
    ) as { log: string }[]
    expect(await reply.json()).toMatchObject({ status: 'ok', accepted: records.length })
    expect(await messages(ns)).toEqual(records.map(({ log }) => log).toSorted())
  })
})
