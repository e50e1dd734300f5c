import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Group {
  readonly key: string | null
  readonly samples: number
  readonly sessions: number
  readonly metrics: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
interface ErrorGroup {
  readonly fingerprint: string
  readonly count: number
  readonly message: string
}

let service: ReadingService

beforeAll(async () => {
  service = await startReadingService()
  for (const [i, lcp] of [1000, 2000, 2400, 5000].entries()) {
    await service.write('/api/v1/apm/rum', {
      page_url: `https://shop.example/item/${i}?from=mail`,
      largest_contentful_paint_ms: lcp,
      cumulative_layout_shift: i === 3 ? 0.3 : 0.05,
      browser: i < 3 ? 'Firefox' : 'Chrome',
      country: 'DE',
      session_id: `s${i % 2}`,
      tags: { plan: i === 0 ? 'pro' : 'free' }
    })
  }
  await service.write('/api/v1/apm/rum', { page_url: 'https://shop.example/cart', load_time_ms: 700, country: 'FR' })
  for (const order of [17, 18, 19])
    await service.write('/api/v1/apm/errors', { service: 'pay', type: 'CardError', message: `card declined for order ${order}` })
  await service.write('/api/v1/apm/errors', { service: 'cart', message: 'boom', trace_id: 'abc', tags: { region: 'eu' } })
  await service.write('/api/v1/apm/metrics', { service: 'pay', name: 'latency', value: 12, tags: { route: '/pay' } })
  await service.write('/api/v1/apm/metrics', { service: 'cart', name: 'latency', value: 3 })
  await service.write('/api/v1/ingest', { name: 'plain', value: 1 })
})
afterAll(() => service.close())

const rum = async (request = '') => (await service.ok(service.get(`/api/v1/apm/rum${request}`)))['groups'] as readonly Group[]
const errors = async (request = '') => service.ok(service.get(`/api/v1/apm/errors${request}`))

describe('GET /api/v1/apm/rum', () => {
  it('judges all events together at the 75th percentile', async () => {
    const [all, ...more] = await rum()
    expect(more).toEqual([])
    expect(all).toMatchObject({ key: null, samples: 5, sessions: 2 })
    expect(all!.metrics['lcp']).toEqual({
      ...{ samples: 4, p50: 2200, p75: 3050, p95: expect.closeTo(4610, 6), rating: 'needs_improvement' },
      ...{ good: 3, needs_improvement: 0, poor: 1 }
    })
    expect(all!.metrics['load']).toMatchObject({ samples: 1, p75: 700, rating: null })
    expect(all!.metrics['inp']).toMatchObject({ samples: 0, p75: null, rating: null })
  })

  it('groups pages by their group, most events first', async () => {
    expect((await rum('?group_by=page')).map(({ key, samples }) => [key, samples])).toEqual([
      ['https://shop.example/item/:id', 4],
      ['https://shop.example/cart', 1]
    ])
    expect((await rum('?group_by=browser')).map(({ key, samples }) => [key, samples])).toEqual([
      ['Firefox', 3],
      ['Chrome', 1],
      [null, 1]
    ])
  })

  it.each([
    ['?country=FR', 1],
    ['?country=FR&country=DE', 5],
    ['?page_url=https://shop.example/item/1?from=mail', 1],
    ['?page_url=https://shop.example/item/:id', 4],
    ['?query=plan:pro', 1],
    ['?query=cart', 1],
    ['?browser=Chrome&country=FR', 0]
  ])('counts by %s', async (request, samples) => expect((await rum(request))[0]?.samples ?? 0).toBe(samples))

  it('refuses groups that it does not know and reports when there are more', async () => {
    expect(await service.fault(service.get('/api/v1/apm/rum?group_by=color'))).toEqual([400, 'invalid_field'])
    expect(await service.ok(service.get('/api/v1/apm/rum?group_by=country&limit=1'))).toMatchObject({
      ...{ page: { has_more: true }, complete: false },
      warnings: [expect.stringContaining('there are more')]
    })
    expect(await service.ok(service.get('/api/v1/apm/rum?group_by=country&limit=2'))).toMatchObject({
      complete: true,
      warnings: []
    })
  })
})

describe('GET /api/v1/apm/errors', () => {
  it('groups what differs only in its changing parts', async () => {
    const groups = (await errors())['groups'] as readonly ErrorGroup[]
    expect(groups.map(({ count, message }) => [count, message])).toEqual([
      [1, 'boom'],
      [3, 'card declined for order 19']
    ])
  })

  it('filters groups', async () => {
    expect((await errors('?service=pay'))['groups']).toHaveLength(1)
    expect((await errors('?query=region:eu'))['groups']).toHaveLength(1)
    expect((await errors('?trace_id=ABC'))['groups']).toHaveLength(1)
    expect((await errors('?type=Nope'))['groups']).toEqual([])
  })

  it('reports when the limit cut groups or series, and takes no cursor for them', async () => {
    const cut = { page: { has_more: true, next_cursor: null }, complete: false, warnings: [expect.any(String)] }
    const whole = { page: { has_more: false }, complete: true, warnings: [] }
    expect(await errors('?limit=1')).toMatchObject(cut)
    expect(await errors('?limit=2')).toMatchObject(whole)
    expect(await service.ok(service.get('/api/v1/apm/metrics?limit=1'))).toMatchObject(cut)
    expect(await service.ok(service.get('/api/v1/apm/metrics?limit=2'))).toMatchObject(whole)
    expect(await service.fault(service.get('/api/v1/apm/errors?cursor=x'))).toEqual([400, 'invalid_field'])
  })

  it('pages through the events of one group', async () => {
    const [{ fingerprint }] = (await errors('?service=pay'))['groups'] as readonly [ErrorGroup]
    const first = await errors(`?fingerprint=${fingerprint}&limit=2`)
    expect(first).toMatchObject({ total: { value: 3 }, page: { has_more: true } })
    const { next_cursor: cursor } = first['page'] as { next_cursor: string }
    const second = await errors(`?fingerprint=${fingerprint}&limit=2&cursor=${cursor}`)
    const messages = [first, second].flatMap(page => (page['events'] as readonly ErrorGroup[]).map(event => event.message))
    expect(messages).toEqual([19, 18, 17].map(order => `card declined for order ${order}`))
  })
})

describe('GET /api/v1/apm/metrics', () => {
  it('lists the series that services wrote', async () => {
    const { metrics } = await service.ok(service.get('/api/v1/apm/metrics'))
    expect(metrics).toMatchObject([
      { name: 'latency', service: 'pay', labels: { route: '/pay' } },
      { name: 'latency', service: 'cart', labels: {} }
    ])
    expect((await service.ok(service.get('/api/v1/apm/metrics?service=pay')))['metrics']).toHaveLength(1)
  })

  it('gives the points of one', async () => {
    const { series } = await service.ok(service.get('/api/v1/apm/metrics?name=latency&service=pay&step=1h'))
    expect(series).toMatchObject([{ labels: { service: 'pay', route: '/pay' }, points: [[expect.any(Number), 12]] }])
  })
})
