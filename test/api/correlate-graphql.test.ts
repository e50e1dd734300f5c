import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { INCIDENT_S, logId, sendOtlp, startWithIncident } from '../support/incident.js'
import { exportOf, newSpanId, newTraceId } from '../support/otlp-spans.js'
import type { ReadingService } from '../support/reading-service.js'

let service: ReadingService
beforeAll(async () => {
  service = await startWithIncident()
})
afterAll(() => service.close())

describe('correlate of GraphQL', () => {
  const graphql = async (query: string) => {
    const response = await service.ok(service.post('/api/v1/graphql', { query }))
    return (response['data'] as { correlate: Readonly<Record<string, unknown>> }).correlate
  }

  it('finds logs, series and the rest from a log, and reports by what', async () => {
    const found = await graphql(`{ correlate(input: { logId: "${await logId(service, 'pool exhausted')}" }) {
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

  it('finds them from a moment, and reports why there are no series', async () => {
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
    await sendOtlp(service, 'traces', exportOf([{ trace, service: 'seen', startMs }]))
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
    await sendOtlp(service, 'traces', exportOf([{ trace, id: span, service: 'narrow', startMs, isError: true }]))
    const common = { trace_id: trace, timestamp: startMs, service: 'narrow' }
    await service.write('/api/v1/logs/batch?ack=searchable', {
      logs: [
        { ...common, message: 'in the span', level: 'error', span_id: span },
        { ...common, message: 'close to it', level: 'info' }
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
