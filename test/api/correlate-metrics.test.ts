import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { INCIDENT_S, logId, startWithIncident } from '../support/incident.js'
import type { ReadingService } from '../support/reading-service.js'

interface Series {
  readonly metric: string
  readonly form: string
  readonly labels: Readonly<Record<string, string>>
  readonly link: { readonly basis: string; readonly value: string; readonly confidence: string }
  readonly points: readonly (readonly [number | string, number])[]
  readonly change: { readonly direction: string; readonly q: number; readonly ratio: number | null }
  readonly reason: string
}
interface Result {
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

let service: ReadingService
beforeAll(async () => {
  service = await startWithIncident()
})
afterAll(() => service.close())

const request = async (body: object) => (await service.ok(service.post(PATH, body))) as unknown as Result
const moment = { service: 'checkout', at: INCIDENT_S + 150 }

describe('POST /api/v1/logs/correlate/metrics', () => {
  it('names what moved with the service at that moment, and nothing else', async () => {
    const response = await request({ anchor: moment })
    expect(response).toMatchObject({ verdict: 'moved', tested: 25, complete: true, warnings: [] })
    expect(response.missing).toMatchObject([{ signal: 'traces', reason: 'never_seen' }])
    expect(response.series.map(({ metric, form, change }) => `${metric} ${form} ${change.direction}`).toSorted()).toEqual([
      'errors_total rate up',
      'pool_in_use value up',
      'request_seconds mean up'
    ])
    expect(response.series[0]).toMatchObject({ link: { basis: 'service', value: 'checkout', confidence: 'medium' }, unit: null })
    for (const series of response.series) {
      expect(series.change.q).toBeLessThan(0.001)
      expect(series.reason).toMatch(/^median rose from .* 20 points against 1\d\d, q = /)
    }
    const mean = response.series.find(({ form }) => form === 'mean')!
    expect(mean.change.ratio).toBeCloseTo(20, 5)
    expect(mean.points[0]![0]).toBeLessThan(INCIDENT_S)
    expect(mean.points.at(-1)![1]).toBeCloseTo(2, 5)
  })

  it('reports series that are on one side only without weighing them', async () => {
    const response = await request({ anchor: moment })
    expect(response.appeared.map(({ metric }) => metric)).toEqual(['circuit_open'])
    expect(response.vanished.map(({ metric }) => metric)).toEqual(['heartbeat'])
  })

  it('takes a log by its id: its container first, then its service and its host', async () => {
    const response = await request({ anchor: { log_id: await logId(service, 'pool exhausted') } })
    expect(response.links).toEqual([
      { basis: 'container', value: 'checkout-7f', confidence: 'high', series: 1 },
      { basis: 'service', value: 'checkout', confidence: 'medium', series: 26 },
      { basis: 'host', value: 'web-1', confidence: 'low', series: 1 }
    ])
    expect(response.series.map(({ metric }) => metric)).toEqual(expect.arrayContaining(['cpu', 'pool_in_use', 'node_load']))
    expect(response.anchor).toMatchObject({ kind: 'log', found: true })
  })

  it('takes a trace, of which only logs are known', async () => {
    const response = await request({ anchor: { trace_id: 'F'.repeat(32) } })
    expect(response.anchor).toMatchObject({ kind: 'trace', found: true, logs: 1 })
    expect(response.series.map(({ metric }) => metric)).toContain('pool_in_use')
  })

  it('takes logs that match', async () => {
    const query = { query: '"pool exhausted"', start: INCIDENT_S, end: INCIDENT_S + 300 }
    const response = await request({ anchor: query, top: 1 })
    expect(response.anchor).toMatchObject({ kind: 'query', found: true, logs: 2 })
    expect(response).toMatchObject({ page: { has_more: true, limit: 1 }, total: { value: response.moved } })
    expect(response.series).toHaveLength(1)
  })

  it('reports that nothing moved when nothing did', async () => {
    expect(await request({ anchor: { service: 'calm', at: INCIDENT_S + 150 } })).toMatchObject({
      ...{ verdict: 'nothing_moved', tested: 1, moved: 0, series: [], complete: true }
    })
    const before = await request({ anchor: { service: 'checkout', at: INCIDENT_S - 200 }, window_s: 200 })
    expect(before).toMatchObject({ verdict: 'nothing_moved', series: [] })
  })

  it('looks only at the metrics that were named', async () => {
    expect(await request({ anchor: moment, metrics: ['quiet_*', 'pool_in_use'] })).toMatchObject({ tested: 21, moved: 1 })
    expect((await request({ anchor: moment, metrics: ['request_seconds'] })).series).toMatchObject([{ form: 'mean' }])
  })

  it('reports that the retention cut the baseline', async () => {
    const response = await request({ anchor: { service: 'checkout', at: 'now-43195m' }, window_s: 300 })
    expect(response).toMatchObject({ complete: false, warnings: [expect.stringContaining('baseline is short')] })
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
