import { expect, it } from '@jest/globals'
import type { IngestId, NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import { isOverflow } from '../../../src/domain/overflow.js'
import type { AppendResult } from '../../../src/ports/append.js'
import type { MetricStore } from '../../../src/ports/metric-store.js'
import { overflowMetrics } from '../../../src/stores/metrics/overflow-metrics.js'
import { ManualTime } from '../../support/manual-time.js'

const NS = 'n1' as NamespaceId
const NOW_MS = 1_000_000_000
const clock = new ManualTime(NOW_MS)

/** A full store: nothing but overflow series has a place. Their samples by time, and whether they fail next. */
class FullStore {
  readonly samples = new Map<bigint, number>()
  trouble: 'down' | 'full' | null = null

  append: MetricStore['append'] = async (_ns, { items }): Promise<AppendResult> => {
    const beyond = (place: number) => ({ index: items[place]!.index, reason: 'full', overBudgetAt: place })
    if (!items.some(({ labels }) => isOverflow(labels))) {
      return { accepted: 0, deduplicated: 0, failures: items.map((_, place) => beyond(place)) }
    }
    if (this.trouble === 'down') throw new Error('down')
    if (this.trouble === 'full') return { accepted: 0, deduplicated: 0, failures: items.map((_, place) => beyond(place)) }
    for (const { timestampNs, value } of items) this.samples.set(timestampNs, value)
    return { accepted: items.length, deduplicated: 0, failures: [] }
  }

  series: MetricStore['series'] = async () => ({ series: [], hasMore: false })
}

function open() {
  const store = new FullStore()
  const overflow = overflowMetrics(store as unknown as MetricStore, { clock, maxSeries: 1 })
  const append = (items: readonly MetricPoint[]) => overflow.metrics.append(NS, { ingestId: 'id' as IngestId, items })
  return { store, append, gauges: () => overflow.gauges() }
}

function hits(user: string, timestampNs: bigint, value: number): MetricPoint {
  return { index: 0, name: 'hits', type: 'counter', labels: [{ name: 'user', value: user }], timestampNs, value }
}

it('aggregates two hundred thousand points of one request', async () => {
  const { append } = open()
  const { accepted } = await append(Array.from({ length: 200_000 }, (_, i) => hits('a', BigInt(i), i)))
  expect(accepted).toBe(200_000)
})

it('writes the zero with which a counter begins once it can be written', async () => {
  const { store, append } = open()
  store.trouble = 'down'
  const items = [hits('a', 10_000_000n, 5), hits('a', 30_000_000n, 9)]
  await expect(append(items)).rejects.toThrow('down')
  store.trouble = null
  expect(await append(items)).toMatchObject({ accepted: 2, failures: [] })
  // As if the first attempt had been stored after all: it is the same zero.
  expect([...store.samples]).toEqual([
    [9_000_000n, 0],
    [30_000_000n, 4]
  ])
  await append([hits('a', 40_000_000n, 12)])
  expect([...store.samples].slice(2)).toEqual([[40_000_000n, 7]])
})

it('remembers nothing of an overflow series that has no place', async () => {
  const { store, append, gauges } = open()
  store.trouble = 'full'
  expect(await append([hits('a', 10_000_000n, 5)])).toMatchObject({ accepted: 0, failures: [{ overBudgetAt: 0 }] })
  expect(gauges()).toEqual({ folded_points: 0, folded_refused: 1, folded_series: 0 })
  store.trouble = null
  await append([hits('a', 20_000_000n, 9)])
  expect([...store.samples.values()]).toEqual([0, 0])
})
