import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId } from '../support/otlp-spans.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Series {
  readonly metric: string
  readonly form: string
  readonly labels: Readonly<Record<string, string>>
  readonly link: { readonly basis: string; readonly value: string; readonly confidence: string }
  readonly points: readonly (readonly [number | string, number])[]
  readonly change: { readonly direction: string; readonly q: number; readonly ratio: number | null }
  readonly reason: string
}
interface Answer {
  readonly verdict: string
  readonly tested: number
  readonly moved: number
  readonly series: readonly Series[]
  readonly appeared: readonly { readonly metric: string }[]
  readonly vanished: readonly { readonly metric: string }[]
  readonly links: readonly { readonly basis: string; readonly value: string; readonly series: number }[]
  readonly missing: readonly { readonly signal: string; readonly reason: string }[]
  readonly complete: boolean
  readonly warnings: readonly string[]
  readonly anchor: { readonly kind: string; readonly found: boolean; readonly start: string }
}

const PATH = '/api/v1/logs/correlate/metrics'
const STEP_S = 15
const POINTS = 160
/** Seconds; the incident begins here, an hour ago, 140 points after the first sample. */
const INCIDENT_S = Math.floor(Date.now() / 1000) - 3600
const FIRST_S = INCIDENT_S - 140 * STEP_S

let service: ReadingService

/** A number between 0 and 1 that is the same in every run. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453
  return x - Math.floor(x)
}

type Value = (i: number, isIncident: boolean) => number | null

function pointsOf(name: string, type: string, labels: object, value: Value): readonly object[] {
  return Array.from({ length: POINTS }, (_, i) => ({ i, value: value(i, i >= 140) }))
    .filter(point => point.value !== null)
    .map(point => ({ name, type, labels, value: point.value, timestamp: FIRST_S + point.i * STEP_S }))
}

async function send(...series: readonly (readonly object[])[]): Promise<void> {
  await service.write('/api/v1/ingest/batch?ack=searchable', { metrics: series.flat() })
}

beforeAll(async () => {
  service = await startReadingService()
  let errors = 0
  let [sum, count] = [0, 0]
  const checkout = { service: 'checkout', host: 'web-1' }
  await send(
    pointsOf('pool_in_use', 'gauge', checkout, (i, isIncident) => (isIncident ? 40 : 5) + 3 * noise(i)),
    pointsOf(
      'errors_total',
      'counter',
      checkout,
      (i, isIncident) => (errors += isIncident ? 20 + noise(i) : noise(i) > 0.9 ? 1 : 0)
    ),
    pointsOf(
      'request_seconds_sum',
      'counter',
      checkout,
      (i, isIncident) => (sum += (isIncident ? 2 : 0.1) * (10 + 3 * noise(i)))
    ),
    pointsOf('request_seconds_count', 'counter', checkout, i => (count += 10 + 3 * noise(i))),
    pointsOf('request_seconds_bucket', 'counter', { ...checkout, le: '1' }, i => i),
    pointsOf('circuit_open', 'gauge', checkout, (_, isIncident) => (isIncident ? 1 : null)),
    pointsOf('heartbeat', 'gauge', checkout, (_, isIncident) => (isIncident ? null : 1)),
    ...Array.from({ length: 20 }, (_, k) => pointsOf(`quiet_${k}`, 'gauge', checkout, i => noise(1000 * k + i))),
    pointsOf('node_load', 'gauge', { instance: 'web-1:9100' }, (i, isIncident) => (isIncident ? 8 : 1) + noise(i + 7)),
    pointsOf('calm', 'gauge', { service: 'calm' }, i => noise(i + 3)),
    pointsOf('cpu', 'gauge', { container_name: 'checkout-7f' }, (i, isIncident) => (isIncident ? 90 : 20) + noise(i)),
    pointsOf('foreign', 'gauge', { service: 'other' }, (i, isIncident) => (isIncident ? 90 : 20) + noise(i))
  )
  const at = new Date((INCIDENT_S + 150) * 1000).toISOString()
  const common = { service: 'checkout', host: 'web-1', level: 'error', timestamp: at }
  await service.write('/api/v1/logs/batch?ack=searchable', {
    logs: [
      { ...common, message: 'pool exhausted', trace_id: 'f'.repeat(32), log_fields: { container: { name: 'checkout-7f' } } },
      { ...common, message: 'pool exhausted again' },
      { message: 'nobody knows where', timestamp: at }
    ]
  })
})
afterAll(() => service.close())

const ask = async (body: object) => (await service.ok(service.post(PATH, body))) as unknown as Answer
const moment = { service: 'checkout', at: INCIDENT_S + 150 }

async function sendOtlp(signal: 'logs' | 'traces', json: object): Promise<void> {
  const headers = { 'x-api-key': service.first.ingestKey }
  const answer = await service.api(`/api/v1/otlp/v1/${signal}`, { method: 'POST', json, headers })
  expect([answer.status, answer.text]).toEqual([200, '{}'])
  await service.settle()
}

async function logId(message: string, start = 'now-2h'): Promise<string> {
  const { logs } = await service.ok(service.post('/api/v1/logs/query', { query: `"${message}"`, start }))
  return (logs as readonly { id: string; message: string }[]).find(log => log.message === message)!.id
}

describe('POST /api/v1/logs/correlate/metrics', () => {
  it('names what moved with the service at that moment, and nothing else', async () => {
    const answer = await ask({ anchor: moment })
    expect(answer).toMatchObject({ verdict: 'moved', tested: 24, complete: true, warnings: [] })
    expect(answer.missing).toMatchObject([{ signal: 'traces', reason: 'never_seen' }])
    expect(answer.series.map(({ metric, form, change }) => `${metric} ${form} ${change.direction}`).toSorted()).toEqual([
      'errors_total rate up',
      'pool_in_use value up',
      'request_seconds mean up'
    ])
    expect(answer.series[0]).toMatchObject({ link: { basis: 'service', value: 'checkout', confidence: 'medium' }, unit: null })
    for (const series of answer.series) {
      expect(series.change.q).toBeLessThan(0.001)
      expect(series.reason).toMatch(/^median rose from .* 20 points against 1\d\d, q = /)
    }
    const mean = answer.series.find(({ form }) => form === 'mean')!
    expect(mean.change.ratio).toBeCloseTo(20, 5)
    expect(mean.points[0]![0]).toBeLessThan(INCIDENT_S)
    expect(mean.points.at(-1)![1]).toBeCloseTo(2, 5)
  })

  it('tells of series that are on one side only without weighing them', async () => {
    const answer = await ask({ anchor: moment })
    expect(answer.appeared.map(({ metric }) => metric)).toEqual(['circuit_open'])
    expect(answer.vanished.map(({ metric }) => metric)).toEqual(['heartbeat'])
  })

  it('takes a log by its id: its container first, then its service and its host', async () => {
    const answer = await ask({ anchor: { log_id: await logId('pool exhausted') } })
    expect(answer.links).toEqual([
      { basis: 'container', value: 'checkout-7f', confidence: 'high', series: 1 },
      { basis: 'service', value: 'checkout', confidence: 'medium', series: 26 },
      { basis: 'host', value: 'web-1', confidence: 'low', series: 1 }
    ])
    expect(answer.series.map(({ metric }) => metric)).toEqual(expect.arrayContaining(['cpu', 'pool_in_use', 'node_load']))
    expect(answer.anchor).toMatchObject({ kind: 'log', found: true })
  })

  it('takes a trace, of which only logs are known', async () => {
    const answer = await ask({ anchor: { trace_id: 'F'.repeat(32) } })
    expect(answer.anchor).toMatchObject({ kind: 'trace', found: true, logs: 1 })
    expect(answer.series.map(({ metric }) => metric)).toContain('pool_in_use')
  })

  it('takes logs that match', async () => {
    const query = { query: '"pool exhausted"', start: INCIDENT_S, end: INCIDENT_S + 300 }
    const answer = await ask({ anchor: query, top: 1 })
    expect(answer.anchor).toMatchObject({ kind: 'query', found: true, logs: 2 })
    expect(answer).toMatchObject({ page: { has_more: true, limit: 1 }, total: { value: answer.moved } })
    expect(answer.series).toHaveLength(1)
  })

  it('says that nothing moved when nothing did', async () => {
    expect(await ask({ anchor: { service: 'calm', at: INCIDENT_S + 150 } })).toMatchObject({
      ...{ verdict: 'nothing_moved', tested: 1, moved: 0, series: [], complete: true }
    })
    const before = await ask({ anchor: { service: 'checkout', at: INCIDENT_S - 200 }, window_s: 200 })
    expect(before).toMatchObject({ verdict: 'nothing_moved', series: [] })
  })

  it('looks only at the metrics that were named', async () => {
    expect(await ask({ anchor: moment, metrics: ['quiet_*', 'pool_in_use'] })).toMatchObject({ tested: 21, moved: 1 })
    expect((await ask({ anchor: moment, metrics: ['request_seconds'] })).series).toMatchObject([{ form: 'mean' }])
  })

  const ends = async (anchor: object) => (await ask({ anchor })).missing.map(({ signal, reason }) => `${signal} ${reason}`)

  it('says why there is no series, no log and no trace', async () => {
    expect(await ends({ service: 'unknown', at: INCIDENT_S })).toEqual([
      ...['logs never_seen', 'traces never_seen', 'metrics never_seen']
    ])
    expect(await ends({ service: 'unknown' })).toEqual(['logs not_arrived', 'traces not_arrived', 'metrics not_arrived'])
    expect(await ends({ service: 'unknown', at: 'now-60d' })).toEqual(['logs expired', 'traces expired', 'metrics expired'])
    expect(await ends({ host: 'unknown', at: INCIDENT_S })).toEqual([
      ...['logs never_seen', 'traces no_origin', 'metrics never_seen']
    ])
    expect(await ends({ log_id: await logId('nobody knows where') })).toEqual(['traces no_origin', 'metrics no_origin'])
    expect(await ends({ trace_id: 'nothing' })).toEqual(['logs never_seen', 'traces never_seen', 'metrics no_origin'])
    expect(await ask({ anchor: { trace_id: 'nothing' } })).toMatchObject({ anchor: { found: false }, verdict: 'nothing_to_test' })
  })

  it('says what became of the trace that a log names', async () => {
    const [unsampled, old, young, traced] = [newTraceId(), newTraceId(), newTraceId(), newTraceId()]
    const log = (trace_id: string, message: string, more: object = {}) => ({ message, trace_id, service: 'calm', ...more })
    const at = INCIDENT_S * 1000
    const spans = [{ trace: traced, service: 'calm', startMs: at, tookMs: 5 }]
    await sendOtlp('traces', exportOf(spans))
    const record = { traceId: unsampled, flags: 0, timeUnixNano: `${at}000000`, body: { stringValue: 'not sampled, by OTLP' } }
    await sendOtlp('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
    await service.write('/api/v1/logs/batch?ack=searchable', {
      logs: [
        log(newTraceId(), 'not sampled, by text', { timestamp: at, log_fields: { trace_flags: '02' } }),
        log(newTraceId(), 'sampled and lost', { timestamp: at, log_fields: { trace_flags: '01' } }),
        log(old, 'ten days ago', { timestamp: Date.now() - 10 * 86_400_000 }),
        log(young, 'just now'),
        log(traced, 'traced', { timestamp: at })
      ]
    })
    const ofTrace = async (message: string, start = 'now-2h') =>
      (await ends({ log_id: await logId(message, start) })).filter(end => end.startsWith('traces'))
    expect(await ofTrace('not sampled, by OTLP')).toEqual(['traces sampled_out'])
    expect(await ofTrace('not sampled, by text')).toEqual(['traces sampled_out'])
    expect(await ofTrace('sampled and lost')).toEqual(['traces never_seen'])
    expect(await ofTrace('ten days ago', 'now-12d')).toEqual(['traces expired'])
    expect(await ofTrace('just now')).toEqual(['traces not_arrived'])
    expect(await ofTrace('traced')).toEqual([])
    expect((await ends({ trace_id: unsampled })).filter(end => end.startsWith('traces'))).toEqual(['traces sampled_out'])
  })

  it('says that no log names a trace', async () => {
    const trace = newTraceId()
    await sendOtlp('traces', exportOf([{ trace, service: 'calm', startMs: INCIDENT_S * 1000 }]))
    expect(await ends({ trace_id: trace })).toEqual(['logs never_seen'])
  })

  it('says that the retention cut the baseline', async () => {
    const answer = await ask({ anchor: { service: 'checkout', at: 'now-43195m' }, window_s: 300 })
    expect(answer).toMatchObject({ complete: false, warnings: [expect.stringContaining('baseline is short')] })
  })

  it.each<[string, object, number, string]>([
    ['no anchor', {}, 400, 'missing_field'],
    ['an empty anchor', { anchor: {} }, 400, 'invalid_field'],
    ['two anchors', { anchor: { trace_id: 'a', service: 'b' } }, 400, 'invalid_field'],
    ['a time without a place', { anchor: { trace_id: 'a', at: 1 } }, 400, 'invalid_field'],
    ['an unknown log', { anchor: { log_id: '01J00000000000000000000000-1' } }, 404, 'not_found'],
    ['a short window', { anchor: moment, window_s: 29 }, 400, 'invalid_field'],
    ['a long window', { anchor: moment, window_s: 21_601 }, 400, 'invalid_field'],
    ['a long anchor', { anchor: { query: '', start: 'now-7h' } }, 400, 'invalid_time_range'],
    ['too many series', { anchor: moment, top: 101 }, 400, 'invalid_field'],
    ['too many names', { anchor: moment, metrics: Array(51).fill('a') }, 400, 'invalid_field'],
    ['an empty name', { anchor: moment, metrics: [''] }, 400, 'invalid_field'],
    ['a search that does not parse', { anchor: { query: '(' } }, 400, 'invalid_query']
  ])('refuses %s', async (_, body, status, code) => {
    expect(await service.fault(service.post(PATH, body))).toEqual([status, code])
  })
})

describe('correlate of GraphQL', () => {
  const graphql = async (query: string) => {
    const answer = await service.ok(service.post('/api/v1/graphql', { query }))
    return (answer['data'] as { correlate: Readonly<Record<string, unknown>> }).correlate
  }

  it('finds logs, series and the rest from a log, and says by what', async () => {
    const found = await graphql(`{ correlate(input: { logId: "${await logId('pool exhausted')}" }) {
      found via { basis confidence } links { basis confidence } verdict tested
      metrics { series { metric values } grid { length } link { basis } effect q reason }
      logs { total { value } } traces { total { value } } exceptions { id } rum { id } missing { signal reason }
    } }`)
    expect(found).toMatchObject({
      ...{ found: true, via: { basis: 'TRACE_ID', confidence: 'CERTAIN' }, verdict: 'MOVED' },
      missing: [{ signal: 'SPANS', reason: 'NEVER_SEEN' }],
      links: [{ basis: 'CONTAINER' }, { basis: 'SERVICE' }, { basis: 'HOST' }],
      ...{ logs: { total: { value: 1 } }, traces: { total: { value: 0 } }, exceptions: [], rum: [] }
    })
    expect((found['metrics'] as readonly { series: { metric: string } }[]).map(({ series }) => series.metric)).toContain(
      'pool_in_use'
    )
  })

  it('finds them from a moment, and says why there are no series', async () => {
    const at = new Date((INCIDENT_S + 150) * 1000).toISOString()
    expect(
      await graphql(`{ correlate(input: { service: "checkout", at: "${at}" }) { via { basis value } logs { total { value } } } }`)
    ).toEqual({
      via: { basis: 'SERVICE', value: 'checkout' },
      logs: { total: { value: 2 } }
    })
    expect(await graphql('{ correlate(input: { traceId: "abc" }) { found verdict missing { signal reason } } }')).toEqual({
      ...{ found: false, verdict: 'NOTHING_TO_TEST' },
      missing: [
        { signal: 'LOGS', reason: 'NEVER_SEEN' },
        { signal: 'SPANS', reason: 'NEVER_SEEN' },
        { signal: 'METRICS', reason: 'NO_ORIGIN' }
      ]
    })
  })

  it('finds page views and errors of the trace, however their senders write its id', async () => {
    const trace = `0000000000${newTraceId().slice(10)}`
    const short = trace.replace(/^0+/, '').toUpperCase()
    const startMs = INCIDENT_S * 1000
    await sendOtlp('traces', exportOf([{ trace, service: 'seen', startMs }]))
    for (const trace_id of [trace, short]) {
      const error = { service: 'seen', message: 'broke', type: `E${trace_id.length}`, trace_id, timestamp: startMs }
      await service.write('/api/v1/apm/errors?ack=searchable', error)
      const view = { page_url: `https://shop.example/${trace_id.length}`, trace_id, timestamp: startMs }
      await service.write('/api/v1/apm/rum?ack=searchable', view)
    }
    const found = await graphql(`{ correlate(input: { traceId: "${trace}" }) {
      via { basis confidence } rum { pageUrl traceId } exceptions { type }
    } }`)
    expect(found['via']).toEqual({ basis: 'TRACE_ID', confidence: 'CERTAIN' })
    const views = (found['rum'] as { pageUrl: string; traceId: string }[]).toSorted((a, b) => (a.pageUrl < b.pageUrl ? -1 : 1))
    expect(views).toEqual(
      [short.toLowerCase(), trace].map(traceId => ({ pageUrl: `https://shop.example/${traceId.length}`, traceId }))
    )
    expect((found['exceptions'] as { type: string }[]).map(({ type }) => type).toSorted()).toEqual(
      ['E32', `E${short.length}`].toSorted()
    )
  })

  it('narrows logs by level and span, traces by status, and series by number', async () => {
    const [trace, span] = [newTraceId(), newSpanId()]
    const startMs = INCIDENT_S * 1000
    await sendOtlp('traces', exportOf([{ trace, id: span, service: 'narrow', startMs, isError: true }]))
    const common = { trace_id: trace, timestamp: startMs, service: 'narrow' }
    await service.write('/api/v1/logs/batch?ack=searchable', {
      logs: [
        { ...common, message: 'in the span', level: 'error', span_id: span },
        { ...common, message: 'beside it', level: 'info' }
      ]
    })
    const found = await graphql(`{ correlate(input: { traceId: "${trace}" }) {
      all: logs { nodes { message } } errors: logs(levels: [ERROR]) { nodes { message } }
      failed: traces(statuses: [ERROR]) { nodes { traceId } } fine: traces(statuses: [OK]) { nodes { traceId } } missing { signal }
    } }`)
    expect(found).toMatchObject({
      all: { nodes: [{}, {}] },
      errors: { nodes: [{ message: 'in the span' }] },
      failed: { nodes: [{ traceId: trace }] },
      fine: { nodes: [] },
      missing: [{ signal: 'METRICS' }]
    })
    expect(
      await graphql(
        `{ correlate(input: { traceId: "${trace}", spanId: "${span.toUpperCase()}" }) { logs { nodes { message } } } }`
      )
    ).toEqual({
      logs: { nodes: [{ message: 'in the span' }] }
    })
    const at = new Date((INCIDENT_S + 150) * 1000).toISOString()
    const few = await graphql(`{ correlate(input: { service: "checkout", at: "${at}" }) { metrics(limit: 1) { q } } }`)
    expect(few['metrics']).toHaveLength(1)
  })
})
