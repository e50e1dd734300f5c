import { describe, expect, it } from '@jest/globals'
import { readServiceFilter } from '../../../console/src/apm/service-filter.js'
import { changeText } from '../../../console/src/apm/change-text.js'
import { readErrorFilter } from '../../../console/src/errors/error-filter.js'
import { trimHistogram } from '../../../console/src/errors/trim-histogram.js'
import { readHostFilter } from '../../../console/src/hosts/host-filter.js'
import { serviceColours } from '../../../console/src/charts/service-colour.js'
import { formatAgeMs, formatFactor, formatRate, formatShare, formatWholeShare } from '../../../console/src/format/number.js'
import { readDimension, readRumFilter } from '../../../console/src/rum/rum-filter.js'
import { formatVital, isSparse, readVital, thresholdLines } from '../../../console/src/rum/vitals.js'
import { pageSearch } from '../../../console/src/url/page-search.js'

describe('the address of the page of services', () => {
  it('has a part of a name and an order', () => {
    expect(readServiceFilter({ q: 'pay', sort: 'P95' })).toEqual({ contains: 'pay', sort: 'p95', orderBy: 'P95', problems: [] })
  })

  it('with an unknown order is reported', () => {
    const { orderBy, problems } = readServiceFilter({ sort: '__proto__' })
    expect(orderBy).toBe('RATE')
    expect(problems).toEqual([{ key: 'sort', value: '__proto__', instead: '"Most requests"' }])
  })
})

describe('the address of the page of exceptions', () => {
  it('has services and case-insensitive states', () => {
    expect(readErrorFilter({ q: 'x', service: ['a', 'b'], status: 'Open' })).toEqual({
      query: 'x',
      services: ['a', 'b'],
      states: ['OPEN'],
      problems: []
    })
  })

  it('with an unknown state is reported, and the state left out', () => {
    const { states, problems } = readErrorFilter({ status: ['open', 'closed'] })
    expect(states).toEqual(['OPEN'])
    expect(problems).toEqual([{ key: 'status', value: 'closed', instead: 'the other states' }])
  })
})

describe('the address of the page of hosts', () => {
  it('has a part of a name and case-insensitive states', () => {
    expect(readHostFilter({ q: 'web', status: ['Active', 'gone'] })).toEqual({
      contains: 'web',
      states: ['ACTIVE', 'GONE'],
      problems: []
    })
    expect(readHostFilter({})).toEqual({ contains: null, states: null, problems: [] })
  })

  it('with an unknown state or a long name is reported', () => {
    expect(readHostFilter({ status: 'asleep' })).toMatchObject({
      states: null,
      problems: [{ key: 'status', value: 'asleep', instead: 'all states' }]
    })
    expect(readHostFilter({ q: 'x'.repeat(257) })).toMatchObject({
      contains: 'x'.repeat(256),
      problems: [{ key: 'q', instead: 'its first 256 characters' }]
    })
  })
})

describe('the address of the page of page views', () => {
  it('is read as the filter of the API', () => {
    expect(readRumFilter({ q: 'cart', browser: 'Firefox', country: ['DE', 'FR'], release: '2.1', session: 's-1' })).toEqual({
      query: 'cart',
      browsers: ['Firefox'],
      countries: ['DE', 'FR'],
      sessionId: 's-1',
      where: [{ field: 'release', op: 'IN', values: ['2.1'] }]
    })
    expect(readRumFilter({})).toEqual({})
  })

  it('with unknown values shows pages and LCP, and reports them', () => {
    expect(readDimension({ by: 'shoe' }).info.key).toBe('page')
    expect(readDimension({ by: 'shoe' }).problems).toEqual([{ key: 'by', value: 'shoe', instead: 'pages' }])
    expect(readVital({ vital: 'shoe' }).info.vital).toBe('LCP')
    expect(readVital({ vital: 'cls' })).toMatchObject({ info: { vital: 'CLS' }, problems: [] })
  })
})

describe('a page timing', () => {
  it('has its unit; CLS has none', () => {
    expect(formatVital('LCP', 2_935.25)).toBe('2.94 s')
    expect(formatVital('CLS', 0.12081)).toBe('0.121')
    expect(formatVital('INP', null)).toBe('–')
  })

  it('has too few samples below 30, and none is not few', () => {
    expect([0, 1, 29, 30].map(isSparse)).toEqual([false, true, true, false])
  })

  it('has thresholds as lines, and load time has none', () => {
    expect(thresholdLines(readVital({ vital: 'inp' }).info).map(({ value }) => value)).toEqual([200, 500])
    expect(thresholdLines(readVital({ vital: 'load' }).info)).toEqual([])
  })
})

describe('figures of services', () => {
  it.each([
    [0, '0 %'],
    [0.00001, '< 0.01 %'],
    [0.01271, '1.27 %'],
    [1, '100 %']
  ])('shows the share %d', (share, text) => {
    expect(formatShare(share)).toBe(text)
  })

  it.each([
    [0, '0 %'],
    [0.001, '<1 %'],
    [0.1667, '17 %'],
    [0.996, '>99 %'],
    [1, '100 %']
  ])('writes the share %d in whole percent as %s', (share, text) => {
    expect(formatWholeShare(share)).toBe(text)
  })

  it.each([
    [0, '0/s'],
    [0.05, '3/min'],
    [5.874, '5.87/s'],
    [12_300, '12.3K/s']
  ])('shows the rate %d', (rate, text) => {
    expect(formatRate(rate)).toBe(text)
  })

  it.each([
    [1, '±0 %'],
    [1.2, '+20 %'],
    [0.5, '−50 %'],
    [46.2, '×46']
  ])('shows the change by %d', (factor, text) => {
    expect(formatFactor(factor)).toBe(text)
  })

  it.each([
    [999, '999 ms'],
    [61_900, '1 min'],
    [3_599_999, '59 min'],
    [90_000_000, '1 d']
  ])('shows the age of %d ms in whole units', (ms, text) => {
    expect(formatAgeMs(ms)).toBe(text)
  })

  it('colours services alike in whatever order they come', () => {
    const services = ['gateway', 'catalog', 'images', 'inventory', 'search', 'cart', 'checkout', 'payments', 'notify']
    const colours = serviceColours(services)
    for (const service of services) expect(serviceColours(services.toReversed()).get(service)).toBe(colours.get(service))
    expect(new Set(services.slice(0, 8).map(service => colours.get(service))).size).toBeGreaterThan(6)
  })

  it('shows what changed against the window before, and why nothing is known', () => {
    expect(changeText({ requests: 1.5, errorRate: 0.08, p95: 0.5 })).toBe('err +8 pt · p95 −50 % · req +50 %')
    expect(changeText({ requests: 1, errorRate: 0, p95: 1 })).toBe('req ±0 %')
    expect(changeText({ requests: null, errorRate: null, p95: null })).toBe('new')
    expect(changeText(null)).toBe('not stored')
  })
})

describe('a histogram over the retention', () => {
  const grid = { start: '2026-11-01T00:00:00Z', stepMs: 3_600_000, length: 48 }
  const counts = (at: number): number[] => Array.from({ length: 48 }, (_, index) => (index === at ? 5 : 0))

  it('begins with the first error', () => {
    const trimmed = trimHistogram({ grid, series: [{ counts: counts(30) }] })
    expect(trimmed.grid).toEqual({ start: '2026-11-02T06:00:00Z', stepMs: 3_600_000, length: 18 })
    expect(trimmed.series[0].counts[0]).toBe(5)
  })

  it('keeps some time before an error that is new', () => {
    expect(trimHistogram({ grid, series: [{ counts: counts(47) }] }).grid.length).toBe(12)
  })
})

describe('a link to another page', () => {
  it('keeps window and zone, and leaves the filter of this page behind', () => {
    const search = { from: 'now-6h', tz: 'utc', q: 'x', service: ['a', 'b'] }
    expect(pageSearch(search, { service: 'a', span: null })).toEqual({ from: 'now-6h', tz: 'utc', service: 'a' })
    expect(pageSearch(search, { from: null })).toEqual({ tz: 'utc' })
  })
})
