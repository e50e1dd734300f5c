import { expect, it } from '@jest/globals'
import { alertHash } from '../../../src/domain/alerts/shard.js'
import type { AlertEvent, AlertInstance, RuleState } from '../../../src/domain/alerts/alert-state.js'
import { isStaleMarker } from '../../../src/domain/stale-marker.js'
import type { LabelMatcher, MetricStore } from '../../../src/ports/metric-store.js'
import { withAlertMetrics } from '../../../src/stores/virtual/alert-metrics.js'
import { alertGroup, alertInstance, alertRule, alertTransition, SHOP } from '../../contract/alert-fixtures.js'

const INTERVAL_MS = 10_000
const OFFSET_MS = alertHash('r') % INTERVAL_MS
/** The time of a step. */
const step = (k: number): number => 1_763_700_000_000 + OFFSET_MS + k * INTERVAL_MS
const LABELS = [{ name: 'alertname', value: 'A' }]

function named(value: string, ...more: readonly LabelMatcher[]): readonly LabelMatcher[] {
  return [{ name: '__name__', op: 'eq', value }, ...more]
}

function event(from: AlertEvent['from'], to: AlertEvent['to'], k: number): AlertEvent {
  const transition = alertTransition('f', { from, to, atMs: step(k), startsAtMs: step(1), labels: LABELS })
  return { ...transition, seq: k, namespaceId: SHOP, ruleId: 'r', ruleVersion: 1, isLate: false }
}

interface Alerts {
  readonly events?: readonly AlertEvent[]
  readonly instances?: readonly AlertInstance[]
}

function storeOf({ events = [], instances = [] }: Alerts): MetricStore {
  const stored = {
    select: async () => [],
    series: async () => ({ series: [], hasMore: false }),
    labels: async () => ({ values: [], hasMore: false })
  } as unknown as MetricStore
  const state: RuleState = {
    lastEvalMs: step(20),
    instances: new Map(instances.map(one => [one.fingerprint, one])),
    error: null,
    errorsInRow: 0
  }
  return withAlertMetrics({
    metrics: stored,
    rules: { groups: async () => [alertGroup('g', { intervalMs: INTERVAL_MS })], rules: async () => [alertRule('r')] },
    states: {
      states: async () => new Map([['r', state]]),
      events: async (_, { fromMs, toMs }) => events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).toReversed()
    },
    clock: { nowMs: () => step(20) }
  })
}

/** Samples by label `alertstate` as [step, value], `null` for a stale marker. */
async function read(alerts: Alerts, name: string, from: number, to: number, maxSamples = 1_000): Promise<object> {
  const range = { startNs: BigInt(step(from)) * 1_000_000n, endNs: BigInt(step(to)) * 1_000_000n + 1n }
  const request = { matchers: named(name), range, maxSeries: 10, maxSamples }
  const found = await storeOf(alerts).select(SHOP, request, new AbortController().signal)
  return Object.fromEntries(
    found.map(({ labels, timestampsNs, values }) => [
      labels.find(label => label.name === 'alertstate')?.value ?? '',
      [...values].map((value, at) => [
        (Number(timestampsNs[at]! / 1_000_000n) - step(0)) / INTERVAL_MS,
        isStaleMarker(value) ? null : value
      ])
    ])
  )
}

const RUN = [event('inactive', 'pending', 1), event('pending', 'firing', 3), event('firing', 'resolved', 5)]

it('has a sample at each evaluation of a pending or firing alert, and a stale marker where that ends', async () => {
  expect(await read({ events: RUN }, 'ALERTS', 0, 9)).toEqual({
    pending: [
      [1, 1],
      [2, 1],
      [3, null]
    ],
    firing: [
      [3, 1],
      [4, 1],
      [5, null]
    ]
  })
})

it('has since when the condition is met, over both states', async () => {
  const since = Math.floor(step(1) / 1_000)
  expect(await read({ events: RUN }, 'ALERTS_FOR_STATE', 0, 9)).toEqual({
    '': [
      [1, since],
      [2, since],
      [3, since],
      [4, since],
      [5, null]
    ]
  })
})

it('knows the state before the first event of a range, and that of alerts without any', async () => {
  expect(await read({ events: RUN }, 'ALERTS', 2, 4)).toEqual({
    pending: [
      [2, 1],
      [3, null]
    ],
    firing: [
      [3, 1],
      [4, 1]
    ]
  })
  expect(await read({ events: RUN }, 'ALERTS', 6, 9)).toEqual({})
  const instances = [alertInstance('f', { labels: LABELS })]
  expect(await read({ instances }, 'ALERTS', 18, 30)).toEqual({
    firing: [
      [18, 1],
      [19, 1],
      [20, 1]
    ]
  })
})

it('refuses what exceeds the limit of samples before it makes any', async () => {
  const instances = [alertInstance('f', { labels: LABELS })]
  await expect(read({ instances }, 'ALERTS', 0, 20, 10)).rejects.toMatchObject({ code: 'query_unsupported' })
})

it('lists series and label values by conditions, and nothing for a query that names no such metric', async () => {
  const range = { startNs: BigInt(step(0)) * 1_000_000n, endNs: BigInt(step(9)) * 1_000_000n }
  const store = storeOf({ events: RUN })
  const signal = new AbortController().signal
  const firing = { name: 'alertstate', op: 'eq', value: 'firing' } as const
  const { series } = await store.series(SHOP, named('ALERTS', firing), range, 10, signal)
  expect(series).toMatchObject([{ name: 'ALERTS', labels: [{ value: 'A' }, { name: 'alertstate', value: 'firing' }] }])
  const request = { label: 'alertstate', matchers: named('ALERTS'), range, limit: 10 }
  expect((await store.labels(SHOP, request, signal)).values).toEqual(['firing', 'pending'])
  const all = [{ name: 'alertname', op: 'neq', value: '' }] as const
  expect((await store.series(SHOP, all, range, 10, signal)).series).toEqual([])
})
