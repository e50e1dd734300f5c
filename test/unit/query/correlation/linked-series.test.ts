import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../../src/domain/errors.js'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import type { Namespace } from '../../../../src/domain/namespace.js'
import type { MetricStore } from '../../../../src/ports/metric-store.js'
import { LinkedSeriesReader } from '../../../../src/query/correlation/linked-series.js'
import { anchorLinks } from '../../../../src/query/correlation/origins.js'
import { fixedMetrics } from '../../../support/fixed-metrics.js'

const series = ['a', 'b', 'c', 'd'].map((name, i) => ({
  labels: { __name__: name, service: 'pay' },
  samples: Array.from({ length: i === 2 ? 50 : 10 }, (_, ms) => [ms, 1] as const)
}))

/** A store that refuses, as all do, what is beyond the bounds of a select. */
function boundedStore(): MetricStore {
  const inner = fixedMetrics(series)
  const select: MetricStore['select'] = async (ns, request, signal) => {
    const found = await inner.select(ns, request, signal)
    const samples = found.reduce((sum, { values }) => sum + values.length, 0)
    if (found.length > request.maxSeries || samples > request.maxSamples) throw new GatewayError('query_unsupported', 'too much')
    return found
  }
  const list: MetricStore['series'] = async (ns, matchers, range, limit) => {
    const request = { matchers, range, maxSeries: Infinity, maxSamples: Infinity }
    const found = await select(ns, request, new AbortController().signal)
    const infos = found.map(({ name, type, labels }) => ({ name, type, labels, firstSeenNs: 0n, lastSeenNs: 0n }))
    return { series: infos.slice(0, limit), hasMore: infos.length > limit }
  }
  return { select, series: list } as MetricStore
}

async function read(budget: { maxSeries: number; maxSamples: number }) {
  const { found, warnings } = await new LinkedSeriesReader(boundedStore(), budget).read({
    ns: { id: 'n' as NamespaceId } as Namespace,
    links: anchorLinks('service', ['pay']),
    range: { startNs: 0n, endNs: 1_000_000_000n },
    isRequested: () => true,
    stepMs: 10_000,
    signal: new AbortController().signal
  })
  return { names: found.flatMap(({ series: of }) => of.map(({ name }) => name)), warnings }
}

describe('LinkedSeriesReader', () => {
  it('ends the search for series with the query, and reports why what is counted out of logs and spans was left out', async () => {
    const signals: unknown[] = []
    const list: MetricStore['series'] = async (_ns, _matchers, _range, _limit, signal) => {
      signals.push(signal)
      return { series: [], hasMore: false }
    }
    const refuse: MetricStore['select'] = async () => {
      throw new GatewayError('query_unsupported', 'cannot be counted completely')
    }
    const { signal } = new AbortController()
    const lookup = {
      links: anchorLinks('service', ['pay']),
      range: { startNs: 0n, endNs: 1n },
      isRequested: () => true,
      stepMs: 10_000,
      signal
    }
    const reader = new LinkedSeriesReader({ series: list, select: refuse } as MetricStore, { maxSeries: 1, maxSamples: 1 })
    const { warnings } = await reader.read({ ...lookup, ns: { id: 'n' as NamespaceId } as Namespace })
    expect(warnings).toEqual([
      '4 metrics were left out (log_records_total, spans_total, span_duration_seconds_sum, span_duration_seconds_count): cannot be counted completely'
    ])
    expect(signals.length).toBeGreaterThan(0)
    expect(new Set(signals)).toEqual(new Set([signal]))
  })

  it('reads all that the budget allows for', async () => {
    expect(await read({ maxSeries: 4, maxSamples: 80 })).toEqual({ names: ['a', 'b', 'c', 'd'], warnings: [] })
  })

  it('reports that there are more series than it looks at', async () => {
    expect(await read({ maxSeries: 3, maxSamples: 80 })).toEqual({
      names: ['a', 'b', 'c'],
      warnings: [expect.stringContaining('exceed the limit of 3 of one request')]
    })
  })

  it('leaves out the metric that has too many points, and names it', async () => {
    expect(await read({ maxSeries: 4, maxSamples: 79 })).toEqual({
      names: ['a', 'b', 'c'],
      warnings: [expect.stringContaining('1 metrics were left out (d): a request reads at most 4 series and 79 points')]
    })
    expect(await read({ maxSeries: 4, maxSamples: 49 })).toEqual({
      names: ['a', 'b', 'd'],
      warnings: [expect.stringContaining('1 metrics were left out (c): a request reads')]
    })
  })
})
