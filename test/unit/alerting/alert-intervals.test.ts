import { describe, expect, it } from '@jest/globals'
import { AlertIntervals, MAX_INTERVAL_EVENTS, MAX_INTERVALS } from '../../../src/alerting/rules/alert-intervals.js'
import type { AlertEvent, AlertInstance } from '../../../src/domain/alerts/alert-state.js'
import { alertInstance, alertRule, alertTransition } from '../../contract/alert-fixtures.js'
import { namespace } from '../../contract/control-fixtures.js'

const NOW_MS = Date.parse('2026-11-24T12:00:00Z')
const MINUTE_MS = 60_000
const SHOP = namespace('shop')

const labelsOf = (service: string): AlertInstance['labels'] => [
  { name: 'alertname', value: 'A' },
  { name: 'service', value: service }
]

function event(fingerprint: string, minutesAgo: number, to: 'firing' | 'resolved', service = 'pay'): AlertEvent {
  const states = { from: to === 'firing' ? 'inactive' : 'firing', to } as const
  const stored = { seq: 1, namespaceId: SHOP.id, ruleId: 'r', ruleVersion: 1, isLate: false }
  return {
    ...alertTransition(fingerprint),
    ...states,
    ...stored,
    labels: labelsOf(service),
    atMs: NOW_MS - minutesAgo * MINUTE_MS
  }
}

function intervals(newestFirst: readonly AlertEvent[], present: readonly AlertInstance[] = []): AlertIntervals {
  const state = {
    lastEvalMs: NOW_MS,
    instances: new Map(present.map(one => [one.fingerprint, one])),
    error: null,
    errorsInRow: 0
  }
  const store = {
    alertRules: { rules: async () => [alertRule('r')] },
    alertStates: {
      states: async () => new Map([['r', state]]),
      events: async (_ns: unknown, { fromMs, limit }: { fromMs: number; limit: number }) =>
        newestFirst.filter(({ atMs }) => atMs >= fromMs).slice(0, limit)
    }
  }
  const clock = { nowMs: () => NOW_MS, nowNs: () => BigInt(NOW_MS) * 1_000_000n }
  return new AlertIntervals({ store: store as never, clock })
}

const minutes = (fromMs: number): number => (NOW_MS - fromMs) / MINUTE_MS

describe('intervals in which alerts fired', () => {
  it('are those of a service, cut to the window, also of an alert that fired all the time', async () => {
    const events = [event('a', 10, 'resolved'), event('a', 20, 'firing'), event('b', 15, 'firing', 'other')]
    const lasting = alertInstance('c', { state: 'firing', labels: labelsOf('pay') })
    const found = await intervals(events, [lasting]).firing(SHOP, { start: 'now-30m', service: 'pay' })
    expect(found.complete).toBe(true)
    expect(found.intervals[0]).toMatchObject({ isOpenAtStart: true, isOpenAtEnd: true })
    expect(found.intervals.map(({ fromMs, toMs }) => [minutes(fromMs), minutes(toMs)])).toEqual([
      [30, expect.closeTo(0, 3)],
      [20, 10]
    ])
    expect((await intervals(events).firing(SHOP, { start: 'now-30m' })).intervals).toHaveLength(2)
  })

  it('are open where the alert fired before the window, or fires after it', async () => {
    const events = [event('a', 5, 'resolved'), event('b', 20, 'resolved'), event('b', 25, 'firing'), event('a', 40, 'firing')]
    const openOf = async (start: string, end: string): Promise<unknown> =>
      (await intervals(events).firing(SHOP, { start, end })).intervals.map(each => [each.isOpenAtStart, each.isOpenAtEnd])
    expect(await openOf('now-30m', 'now-10m')).toEqual([
      [true, true],
      [false, false]
    ])
    expect(await openOf('now-50m', 'now')).toEqual([
      [false, false],
      [false, false]
    ])
  })

  it('of too many events are known from the oldest one that was read', async () => {
    const events = Array.from({ length: MAX_INTERVAL_EVENTS + 1 }, (_, at) =>
      event('a', at / 1_000, at % 2 === 0 ? 'resolved' : 'firing')
    )
    const found = await intervals(events).firing(SHOP, { start: 'now-1h' })
    expect(found.complete).toBe(false)
    expect(minutes(found.knownFromMs)).toBeCloseTo((MAX_INTERVAL_EVENTS - 1) / 1_000, 3)
    expect(found.intervals).toHaveLength(MAX_INTERVALS)
    const exact = await intervals(events.slice(1)).firing(SHOP, { start: 'now-1h' })
    expect(minutes(exact.knownFromMs)).toBe(60)
  })

  it('beyond the limit are counted as left out', async () => {
    const events = Array.from({ length: MAX_INTERVALS + 1 }, (_, at) => event(`f${at}`, 10, 'firing'))
    expect(await intervals(events).firing(SHOP, {})).toMatchObject({ complete: false })
    expect(await intervals(events.slice(1)).firing(SHOP, {})).toMatchObject({ complete: true })
  })
})
