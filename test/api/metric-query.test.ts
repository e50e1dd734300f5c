import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

type Point = readonly [number | string, number | string | null]
interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly points: readonly Point[]
}

const START_S = Math.floor(Date.now() / 1000 / 60) * 60 - 600
const NS = 1_000_000_000n
let service: ReadingService

function point(name: string, second: number, value: number | string, labels = {}) {
  return { name, value, labels, timestamp_ns: String(BigInt(START_S + second) * NS) }
}

const counter = (sample: object) => ({ ...sample, type: 'counter' })

beforeAll(async () => {
  service = await startReadingService()
  const seconds = Array.from({ length: 12 }, (_, i) => i * 10)
  await service.write('/api/v1/ingest/batch', {
    metrics: [
      ...seconds.map(s => point('temp', s, s, { host: 'a', room: 'x' })),
      ...seconds.map(s => point('temp', s, -s, { host: 'b', room: 'x' })),
      ...seconds.map(s => point('requests', s, s < 60 ? 100 + s : s - 60, { host: 'a' })).map(counter),
      ...seconds.map(s => point('requests', s, 2 * s, { host: 'b' })).map(counter),
      point('odd', 0, 'NaN'),
      point('odd', 60, '+Inf'),
      point('odd', 120, '-Inf'),
      point('gaps', 0, 5),
      point('gaps', 120, 7)
    ]
  })
})
afterAll(() => service.close())

const WINDOW = { start: START_S, end: START_S + 120, step: 60 }

async function query(request: object): Promise<{ series: readonly Series[]; [member: string]: unknown }> {
  return (await service.ok(service.post('/api/v1/query', request))) as unknown as { series: readonly Series[] }
}

async function values(request: object): Promise<readonly unknown[]> {
  return (await query({ ...WINDOW, ...request })).series.map(({ points }) => points.map(([, value]) => value))
}

describe('POST /api/v1/query', () => {
  it('gives every series by itself, sorted by its labels', async () => {
    const response = await query({ metric: 'temp', ...WINDOW })
    expect(response).toMatchObject({ metric: 'temp', type: 'gauge', unit: null, step_s: 60, complete: true, total: { value: 2 } })
    expect(response.series).toEqual([
      {
        labels: { host: 'a', room: 'x' },
        points: [
          [START_S, 25],
          [START_S + 60, 85]
        ]
      },
      {
        labels: { host: 'b', room: 'x' },
        points: [
          [START_S, -25],
          [START_S + 60, -85]
        ]
      }
    ])
  })

  it.each<[string, readonly number[]]>([
    ['avg', [25, 85]],
    ['sum', [150, 510]],
    ['min', [0, 60]],
    ['max', [50, 110]],
    ['count', [6, 6]],
    ['last', [50, 110]],
    ['p50', [25, 85]],
    ['p90', [45, 105]],
    ['p95', [47.5, 107.5]],
    ['p99', [49.5, 109.5]]
  ])('computes %s over the samples of a bucket', async (agg, expected) => {
    expect(await values({ metric: 'temp', agg, labels: { host: 'a' } })).toEqual([
      expected.map(value => expect.closeTo(value, 9))
    ])
  })
})

describe('groups and rates of POST /api/v1/query', () => {
  it('groups by labels: one series a group, over all samples of the group', async () => {
    expect(await values({ metric: 'temp', agg: 'max', group_by: ['room'] })).toEqual([[50, 110]])
    expect(await values({ metric: 'temp', agg: 'count', group_by: [] })).toEqual([[12, 12]])
    expect((await query({ metric: 'temp', ...WINDOW, group_by: ['room'] })).series[0]!.labels).toEqual({ room: 'x' })
  })

  it('reports why nothing was found', async () => {
    const warnings = async (request: object) => (await query({ ...WINDOW, ...request }))['warnings']
    expect(await warnings({ metric: 'request' })).toEqual([expect.stringContaining('did you mean requests?')])
    expect(await warnings({ metric: 'requests', agg: 'rate', step: 1 })).toEqual([expect.stringContaining('a longer step')])
    expect(await warnings({ metric: 'temp', group_by: ['hots'] })).toEqual([expect.stringContaining('"hots"')])
    expect(await warnings({ metric: 'temp', group_by: ['host'] })).toEqual([])
  })

  it("computes Prometheus's rate per series, across a reset, and sums it over the group", async () => {
    const [a, b] = (await values({ metric: 'requests', agg: 'rate' })) as readonly (readonly number[])[]
    expect(a![0]).toBeCloseTo((150 - 110 + 0) / 50 + 0, 9)
    expect(b).toEqual([expect.closeTo(2, 9), expect.closeTo(2, 9)])
    const [sum] = (await values({ metric: 'requests', agg: 'rate', group_by: [] })) as readonly (readonly number[])[]
    expect(sum![0]).toBeCloseTo(a![0]! + b![0]!, 9)
    const [increase] = (await values({
      metric: 'requests',
      agg: 'increase',
      labels: { host: 'b' }
    })) as readonly (readonly number[])[]
    expect(increase![0]).toBeCloseTo(120, 9)
  })

  it('selects by labels, one value or many', async () => {
    expect(await values({ metric: 'temp', labels: { host: ['a', 'b'] }, group_by: [], agg: 'count' })).toEqual([[12, 12]])
    expect(await values({ metric: 'temp', labels: { host: ['.*'] } })).toEqual([])
    expect(await values({ metric: 'temp', labels: { host: 'c' } })).toEqual([])
    expect(await values({ metric: 'temp', agg: 'count', group_by: [], labels: { host: [] } })).toEqual([[12, 12]])
  })
})

describe('points of POST /api/v1/query', () => {
  it.each<[string | undefined, readonly unknown[]]>([
    [undefined, [5, 7]],
    ['null', [5, null, 7]],
    ['zero', [5, 0, 7]],
    ['previous', [5, 5, 7]]
  ])('fills empty buckets with %s', async (fill, expected) => {
    expect(await values({ metric: 'gaps', fill, end: START_S + 180 })).toEqual([expected])
  })

  it('writes NaN and infinities as strings', async () => {
    expect(await values({ metric: 'odd', end: START_S + 180 })).toEqual([['NaN', '+Inf', '-Inf']])
  })

  it.each<[string, unknown, unknown, number | string]>([
    ['s', START_S, START_S + 60, START_S],
    ['ms', START_S * 1000, START_S * 1000 + 60_000, START_S * 1000],
    ['ns', `${START_S}000000000`, `${START_S + 60}000000000`, `${START_S}000000000`],
    [
      'rfc3339',
      new Date(START_S * 1000).toISOString(),
      'now',
      `${new Date(START_S * 1000).toISOString().slice(0, 19)}.000000000Z`
    ]
  ])('responds in the unit of the query (%s)', async (unit, start, end, first) => {
    const response = await query({ metric: 'temp', start, end, step: '1m' })
    expect(response['window']).toMatchObject({ unit_detected: unit })
    expect(response.series[0]!.points[0]![0]).toBe(first)
  })

  it('chooses a step when none is given, and keeps its buckets when the window moves on', async () => {
    const response = await query({ metric: 'temp', start: 'now-1h' })
    expect(response['step_s']).toBe(15)
    for (const [time] of response.series[0]!.points) expect(Number(time) % 15).toBe(0)
  })

  it('reports how many series the limit left out', async () => {
    expect(await query({ metric: 'temp', ...WINDOW, limit: 1 })).toMatchObject({
      complete: false,
      total: { value: 2 },
      page: { has_more: true }
    })
  })

  it('responds to an unknown metric with no series', async () => {
    expect(await query({ metric: 'absent', ...WINDOW })).toMatchObject({ series: [], type: null, complete: true })
  })
})

describe('faults of POST /api/v1/query', () => {
  it.each<[object, number, string]>([
    [{}, 400, 'missing_field'],
    [{ metric: 'temp', agg: 'median' }, 400, 'invalid_field'],
    [{ metric: 'temp', start: START_S - 11_001, end: START_S, step: 1 }, 400, 'invalid_field'],
    [{ metric: 'temp', step: '0s' }, 400, 'invalid_field'],
    [{ metric: 'temp', step: 'soon' }, 400, 'invalid_field'],
    [{ metric: 'temp', limit: 0 }, 400, 'invalid_field'],
    [{ metric: 'temp', start: 2, end: 1 }, 400, 'invalid_time_range'],
    [{ metric: 'temp', namespace: 'absent' }, 403, 'namespace_not_allowed']
  ])('refuses %j', async (request, status, code) => {
    expect(await service.fault(service.post('/api/v1/query', request))).toEqual([status, code])
  })

  it('names the shortest step that would do', async () => {
    const response = await service.post('/api/v1/query', { metric: 'temp', start: START_S - 11_001, end: START_S, step: 1 })
    expect(response.json).toMatchObject({ detail: expect.stringMatching(/11000 points/), suggestions: ['2'] })
    expect((await query({ metric: 'temp', start: START_S - 11_000, end: START_S, step: 1 }))['step_s']).toBe(1)
  })

  it("handles Prometheus's own call, a form, as Prometheus does", async () => {
    const auth = await service.login()
    const headers = { ...auth, 'content-type': 'application/x-www-form-urlencoded' }
    const send = (body: string) => fetch(`${service.url}/api/v1/query`, { method: 'POST', body, headers })
    expect(await (await send('query=1%2B1&time=5')).json()).toEqual({
      status: 'success',
      data: { resultType: 'scalar', result: [5, '2'] }
    })
    const wrong = await send('query=up+%2B')
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      expect.objectContaining({ status: 'error', errorType: 'bad_data', error: expect.stringContaining('parse error') })
    ])
  })
})
