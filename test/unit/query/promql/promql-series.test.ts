import { expect, it } from '@jest/globals'
import type { Namespace } from '../../../../src/domain/namespace.js'
import { DEFAULT_RETENTION } from '../../../../src/domain/namespace.js'
import { PromqlSeries } from '../../../../src/query/promql/promql-series.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'

it('reads no further selector once no one waits for the response', async () => {
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
  const request = { selectors: ['a', 'b', 'c', 'd'], range: { startNs: 0n, endNs: 1n } }
  const ns = { id: 'promql', retention: DEFAULT_RETENTION } as unknown as Namespace
  await expect(found.find(ns, request, leaving.signal)).rejects.toThrow('the client has left')
  expect(reads).toBe(2)
})

it('bounds the regexes of all selectors of a request together', async () => {
  const metrics = { labels: async () => ({ values: [], hasMore: false }), series: async () => ({ series: [], hasMore: false }) }
  const clock = { nowMs: () => 0, nowNs: () => 0n, monotonicMs: () => 0 }
  const found = new PromqlSeries({ metrics, clock, settings: DEFAULT_QUERY_SETTINGS })
  const ns = { id: 'promql', retention: DEFAULT_RETENTION } as unknown as Namespace
  const send = (count: number) => {
    const selectors = Array.from({ length: count }, (_, i) => `{a=~"${'(a|b)*'.repeat(120)}${i}"}`)
    return found.labels(ns, { selectors, range: { startNs: 0n, endNs: 1n } }, undefined, new AbortController().signal)
  }
  await expect(send(10)).resolves.toEqual({ values: [], hasMore: false })
  await expect(send(20)).rejects.toThrow('the regexes of a query must not exceed 10000 characters in total')
})

it('lets other work have its turn while long selectors are read, and ends once no one waits', async () => {
  const metrics = { labels: async () => ({ values: [], hasMore: false }), series: async () => ({ series: [], hasMore: false }) }
  const clock = { nowMs: () => 0, nowNs: () => 0n, monotonicMs: () => 0 }
  const found = new PromqlSeries({ metrics, clock, settings: DEFAULT_QUERY_SETTINGS })
  const ns = { id: 'promql', retention: DEFAULT_RETENTION } as unknown as Namespace
  const selectors = Array.from({ length: 50 }, () => `x{${'a!="",'.repeat(3_000)}}`)
  const leaving = new AbortController()
  setImmediate(() => leaving.abort(new Error('the client has left')))
  const response = found.find(ns, { selectors, range: { startNs: 0n, endNs: 1n } }, leaving.signal)
  await expect(response).rejects.toThrow('the client has left')
})
