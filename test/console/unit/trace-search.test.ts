import { describe, expect, it } from '@jest/globals'
import { durationBars, positionOf } from '../../../console/src/charts/duration-buckets.js'
import { durationText, parseDurationText } from '../../../console/src/format/duration-text.js'
import { toggled } from '../../../console/src/query/facet-choice.js'
import { readTraceFilter } from '../../../console/src/traces/trace-filter.js'

describe('the filter of a trace search', () => {
  it('is empty for an address without conditions', () => {
    expect(readTraceFilter({ from: 'now-1h', zzz: '1' })).toEqual({
      filter: {},
      orderBy: 'START_TIME',
      problems: [],
      view: 'list'
    })
  })

  it('has the values of the address in any capitalisation', () => {
    const { filter, orderBy, problems } = readTraceFilter({
      ...{ q: 'name:x', service: ['a', 'b'], operation: 'GET /', kind: 'Server', status: ['error', 'OK'] },
      ...{ min: '50ms', max: '1.5s', scope: 'SPAN', sort: 'duration' }
    })
    expect(filter).toEqual({
      ...{ query: 'name:x', services: ['a', 'b'], operations: ['GET /'], kinds: ['SERVER'], statuses: ['ERROR', 'OK'] },
      ...{ minDuration: '50ms', maxDuration: '1.5s', scope: 'SPAN' }
    })
    expect(orderBy).toBe('DURATION')
    expect(problems).toEqual([])
  })

  it('leaves out what it cannot use, and names it', () => {
    const { filter, problems } = readTraceFilter({ kind: 'loud', min: '-1ms', max: '5 parsecs', scope: 'all', sort: '__proto__' })
    expect(filter).toEqual({})
    expect(problems.map(({ key }) => key).toSorted()).toEqual(['kind', 'max', 'min', 'scope', 'sort'])
  })
})

describe('a duration as text', () => {
  it.each([
    ['50ms', 50],
    ['1.5s', 1_500],
    ['1h30m', 5_400_000],
    ['250us', 0.25],
    ['0s', 0]
  ])('%s is %d ms', (text, ms) => {
    expect(parseDurationText(text)).toBeCloseTo(ms)
  })

  it.each(['', '5', 'ms', '1 s', '-1s', '1sx', '1e3ms'])('"%s" is not read', text => {
    expect(parseDurationText(text)).toBeNull()
  })

  it.each([0.000_123_4, 0.5, 12.345, 999.9, 1_234.5, 3_600_000])('of %d ms comes back within four digits', ms => {
    expect(parseDurationText(durationText(ms))! / ms).toBeCloseTo(1, 3)
  })
})

describe('a histogram of durations', () => {
  const boundsMs = Array.from({ length: 200 }, (_, i) => 0.001 * 10 ** ((i * 9) / 199))
  const counts = (filled: Readonly<Record<number, number>>): number[] => Array.from({ length: 201 }, (_, i) => filled[i] ?? 0)

  it('has no bars without spans', () => {
    expect(durationBars({ boundsMs, counts: counts({}) })).toEqual([])
    expect(durationBars({ boundsMs: [], counts: [] })).toEqual([])
  })

  it('shows the neighbourhood of a single duration', () => {
    const bars = durationBars({ boundsMs, counts: counts({ 100: 7 }) })
    expect(bars).toHaveLength(13)
    expect(bars[6]).toEqual({ fromMs: boundsMs[99], toMs: boundsMs[100], count: 7 })
  })

  it('merges what would be too narrow, and loses no span', () => {
    const bars = durationBars({ boundsMs, counts: counts({ 0: 1, 57: 2, 200: 3 }) })
    expect(bars.length).toBeLessThanOrEqual(60)
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(6)
    for (const [index, bar] of bars.entries()) {
      expect(bar.toMs).toBeGreaterThan(bar.fromMs)
      if (index > 0) expect(bar.fromMs).toBe(bars[index - 1]?.toMs)
    }
  })

  it('places durations on a logarithmic axis', () => {
    const bars = [
      { fromMs: 1, toMs: 10, count: 1 },
      { fromMs: 10, toMs: 100, count: 1 }
    ]
    expect(positionOf(bars, 10)).toBeCloseTo(0.5)
    expect(positionOf(bars, 0)).toBe(0)
    expect(positionOf(bars, 1e9)).toBe(1)
  })
})

it('a value of a facet is chosen once: words in any capitalisation, names as they are written', () => {
  expect(toggled('status', [], 'error')).toEqual(['error'])
  expect(toggled('status', ['ERROR', 'ok'], 'error')).toEqual(['ok'])
  expect(toggled('service', ['API'], 'api')).toEqual(['API', 'api'])
  expect(toggled('service', ['API', 'api'], 'API')).toEqual(['api'])
})
