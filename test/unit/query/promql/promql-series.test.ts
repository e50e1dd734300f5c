import { expect, it } from '@jest/globals'
import type { Namespace } from '../../../../src/domain/namespace.js'
import { DEFAULT_RETENTION } from '../../../../src/domain/namespace.js'
import { PromqlSeries } from '../../../../src/query/promql/promql-series.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'

it('reads no further selector once nobody waits for the answer', async () => {
  const leaving = new AbortController()
  let reads = 0
  const metrics = {
    metrics: async () => ({ metrics: [], hasMore: false }),
    labels: async () => ({ values: [], hasMore: false }),
    series: async () => {
      if (++reads === 2) leaving.abort(new Error('the client has left'))
      return { series: [], hasMore: false }
    }
  }
  const clock = { nowMs: () => 0, nowNs: () => 0n, monotonicMs: () => 0 }
  const found = new PromqlSeries({ metrics, clock, settings: DEFAULT_QUERY_SETTINGS })
  const question = { selectors: ['a', 'b', 'c', 'd'], range: { startNs: 0n, endNs: 1n } }
  const ns = { id: 'promql', retention: DEFAULT_RETENTION } as unknown as Namespace
  await expect(found.find(ns, question, leaving.signal)).rejects.toThrow('the client has left')
  expect(reads).toBe(2)
})
