import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { INCIDENT_S, logId, sendOtlp, startWithIncident } from '../support/incident.js'
import { exportOf, newTraceId } from '../support/otlp-spans.js'
import type { ReadingService } from '../support/reading-service.js'

interface Result {
  readonly missing: readonly { readonly signal: string; readonly reason: string }[]
}

let service: ReadingService
beforeAll(async () => {
  service = await startWithIncident()
})
afterAll(() => service.close())

const request = async (body: object) =>
  (await service.ok(service.post('/api/v1/logs/correlate/metrics', body))) as unknown as Result

describe('what POST /api/v1/logs/correlate/metrics does not find', () => {
  const ends = async (anchor: object) => (await request({ anchor })).missing.map(({ signal, reason }) => `${signal} ${reason}`)

  it('reports why there is no series, no log and no trace', async () => {
    expect(await ends({ service: 'unknown', at: INCIDENT_S })).toEqual([
      ...['logs never_seen', 'traces never_seen', 'metrics never_seen']
    ])
    expect(await ends({ service: 'unknown' })).toEqual(['logs not_arrived', 'traces not_arrived', 'metrics not_arrived'])
    expect(await ends({ service: 'unknown', at: 'now-60d' })).toEqual(['logs expired', 'traces expired', 'metrics expired'])
    expect(await ends({ host: 'unknown', at: INCIDENT_S })).toEqual([
      ...['logs never_seen', 'traces no_origin', 'metrics never_seen']
    ])
    expect(await ends({ log_id: await logId(service, 'from an unknown place') })).toEqual([
      'traces no_origin',
      'metrics no_origin'
    ])
    expect(await ends({ trace_id: 'nothing' })).toEqual(['logs never_seen', 'traces never_seen', 'metrics no_origin'])
    expect(await request({ anchor: { trace_id: 'nothing' } })).toMatchObject({
      anchor: { found: false },
      verdict: 'nothing_to_test'
    })
  })

  it('reports what became of the trace that a log names', async () => {
    const [unsampled, old, young, traced] = [newTraceId(), newTraceId(), newTraceId(), newTraceId()]
    const log = (trace_id: string, message: string, more: object = {}) => ({ message, trace_id, service: 'calm', ...more })
    const at = INCIDENT_S * 1000
    const spans = [{ trace: traced, service: 'calm', startMs: at, tookMs: 5 }]
    await sendOtlp(service, 'traces', exportOf(spans))
    const record = { traceId: unsampled, flags: 0, timeUnixNano: `${at}000000`, body: { stringValue: 'not sampled, by OTLP' } }
    await sendOtlp(service, 'logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
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
      (await ends({ log_id: await logId(service, message, start) })).filter(end => end.startsWith('traces'))
    expect(await ofTrace('not sampled, by OTLP')).toEqual(['traces sampled_out'])
    expect(await ofTrace('not sampled, by text')).toEqual(['traces sampled_out'])
    expect(await ofTrace('sampled and lost')).toEqual(['traces never_seen'])
    expect(await ofTrace('ten days ago', 'now-12d')).toEqual(['traces expired'])
    expect(await ofTrace('just now')).toEqual(['traces not_arrived'])
    expect(await ofTrace('traced')).toEqual([])
    expect((await ends({ trace_id: unsampled })).filter(end => end.startsWith('traces'))).toEqual(['traces sampled_out'])
  })

  it('reports that no log names a trace', async () => {
    const trace = newTraceId()
    await sendOtlp(service, 'traces', exportOf([{ trace, service: 'calm', startMs: INCIDENT_S * 1000 }]))
    expect(await ends({ trace_id: trace })).toEqual(['logs never_seen'])
  })
})
