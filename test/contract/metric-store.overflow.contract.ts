import { expect, it } from '@jest/globals'
import type { EncodedHistogram } from '../../src/domain/native-histogram/encode.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { MAX_OVERFLOW_SERIES, OVERFLOW_LABEL } from '../../src/domain/overflow.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { briefly, select, type Sketch, store } from './metric-fixtures.js'
import { BASE_NS, describeStores, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

const MS = 1_000_000
const MAX_SERIES = 2

async function overflow(metrics: MetricStore, ns: NamespaceId, name = 'hits'): Promise<unknown> {
  const matchers = [
    { name: '__name__', op: 'eq', value: name },
    { name: OVERFLOW_LABEL, op: 'eq', value: 'true' }
  ] as const
  return briefly(await select(metrics, ns, { matchers }))
}

function hits(user: string, ms: number, value: number): Sketch {
  return { name: 'hits', type: 'counter', labels: { user }, at: ms * MS, value }
}

/** Two series that fill the budget. */
const FULL = [hits('a', 0, 1), hits('b', 0, 1)]

/** What becomes of points beyond the budget of series. `openWith` opens stores with so many series a namespace. */
export function overflowContract(name: string, openWith: (maxSeries: number) => OpenStores): void {
  describeStores(`${name}: points beyond the budget of series`, openWith(MAX_SERIES), of => {
    it('adds up how much counters rise, over time and within one request', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const first = await store(metrics, ns, [...FULL, hits('c', 1, 100), hits('d', 1, 50)])
      expect(first).toMatchObject({
        accepted: 4,
        failures: [],
        overflow: { points: 2, maxSeries: 2, offender: { label: 'user', values: 2 } }
      })
      await store(metrics, ns, [hits('a', 2, 5), hits('c', 2, 103), hits('d', 2, 57)])
      // d begins again, e comes late, c is repeated.
      await store(metrics, ns, [hits('c', 2, 103), hits('d', 3, 4), hits('e', 1, 9), hits('e', 4, 10)])
      expect(await overflow(metrics, ns)).toEqual([
        [`${OVERFLOW_LABEL}=true`, [0, MS, 2 * MS, 3 * MS, 4 * MS], [0, 0, 10, 14, 15]]
      ])
      const { series } = await metrics.series(ns, [], { startNs: BASE_NS, endNs: BASE_NS + 1_000_000_000n }, 10)
      expect(series.map(({ labels }) => labels.map(label => label.value).join())).toEqual(['true', 'a', 'b'])
    })

    it('has places for overflow series that are not those of the budget, and a thousand of them', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const marked = Array.from({ length: MAX_OVERFLOW_SERIES + 1 }, (_, i): Sketch => ({
        name: `m${i}`,
        labels: { [OVERFLOW_LABEL]: 'true' }
      }))
      const { accepted, failures } = await store(metrics, ns, marked)
      expect([accepted, failures.map(({ index }) => index)]).toEqual([MAX_OVERFLOW_SERIES, [MAX_OVERFLOW_SERIES]])
      const within = await store(metrics, ns, FULL)
      expect(within).toMatchObject({ accepted: 2, failures: [] })
      expect(within).not.toHaveProperty('overflow')
      expect(await store(metrics, ns, [hits('c', 1, 1)])).toMatchObject({ accepted: 0, failures: [{ index: 0 }] })
    })

    it('refuses native histograms, which no total can hold, and folds the numbers next to them', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const histogram = 'AQ==' as EncodedHistogram
      const { accepted, failures } = await store(metrics, ns, [...FULL, { ...hits('c', 1, 0), histogram }, hits('d', 1, 5)])
      expect([accepted, failures.map(({ index }) => index)]).toEqual([3, [2]])
      expect(await overflow(metrics, ns)).toMatchObject([
        [`${OVERFLOW_LABEL}=true`, expect.anything(), expect.not.arrayContaining([Number.NaN])]
      ])
    })

    it('sums gauges, several of one time among them, and leaves out what has ended', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const depth = (queue: string, ms: number, value: number): Sketch => ({
        name: 'hits',
        labels: { queue },
        at: ms * MS,
        value
      })
      await store(metrics, ns, [...FULL, depth('c', 1, 10), depth('d', 1, 5), depth('e', 2, 1)])
      await store(metrics, ns, [depth('c', 3, 2)])
      await store(metrics, ns, [depth('d', 4, Number.NaN)])
      await store(metrics, ns, [depth('e', 400_000, 7)])
      expect(await overflow(metrics, ns)).toEqual([
        [`${OVERFLOW_LABEL}=true`, [1, 2, 3, 4, 400_000].map(ms => ms * MS), [15, 16, 8, 3, 7]]
      ])
    })

    it('keeps buckets of histograms apart', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const bucket = (le: string, ms: number, value: number): Sketch => ({
        ...{ name: 'hits', type: 'counter', at: ms * MS, value },
        labels: { le, user: 'c' }
      })
      await store(metrics, ns, [...FULL, bucket('1', 1, 0), bucket('+Inf', 1, 0)])
      await store(metrics, ns, [bucket('1', 2, 3), bucket('+Inf', 2, 4)])
      expect(await overflow(metrics, ns)).toEqual([
        [`${OVERFLOW_LABEL}=true,le=+Inf`, [0, MS, 2 * MS], [0, 0, 4]],
        [`${OVERFLOW_LABEL}=true,le=1`, [0, MS, 2 * MS], [0, 0, 3]]
      ])
    })

    it('counts a first value whole when its counter began since it is watched', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      await store(metrics, ns, FULL)
      const nowNs = BigInt(Date.now()) * 1_000_000n
      const [point] = [{ index: 0, name: 'hits', type: 'counter', timestampNs: BASE_NS + 5n, value: 7 } as const]
      const items = [
        { ...point, labels: [{ name: 'user', value: 'c' }], startNs: nowNs + 1_000_000n },
        { ...point, index: 1, labels: [{ name: 'user', value: 'd' }], startNs: BASE_NS }
      ]
      await metrics.append(ns, { ingestId: newIngestId(), items })
      expect(await overflow(metrics, ns)).toEqual([[`${OVERFLOW_LABEL}=true`, [5 - MS, 5], [0, 7]]])
    })

    it('takes a repeat for one', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const ingestId = newIngestId()
      const sketches = [...FULL, hits('c', 1, 100)]
      await store(metrics, ns, sketches, ingestId)
      await store(metrics, ns, [hits('c', 2, 105)])
      expect(await store(metrics, ns, sketches, ingestId)).toMatchObject({ accepted: 0, deduplicated: 3, failures: [] })
      expect(await overflow(metrics, ns)).toEqual([[`${OVERFLOW_LABEL}=true`, [0, MS, 2 * MS], [0, 0, 5]]])
    })

    it('takes a repeat of which everything overflowed for one', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      await store(metrics, ns, FULL)
      const ingestId = newIngestId()
      const overflowed = { overflow: { points: 2 }, failures: [] }
      const sketches = [hits('c', 1, 100), hits('d', 1, 50)]
      expect(await store(metrics, ns, sketches, ingestId)).toMatchObject({ accepted: 2, deduplicated: 0, ...overflowed })
      expect(await store(metrics, ns, sketches, ingestId)).toMatchObject({ accepted: 0, deduplicated: 2, ...overflowed })
    })

    it('loses nothing of many requests at once', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      await store(metrics, ns, FULL)
      const users = Array.from({ length: 20 }, (_, i) => `u${i}`)
      await Promise.all(users.map(user => store(metrics, ns, [hits(user, 1, 10)])))
      await Promise.all(users.map((user, i) => store(metrics, ns, [hits(user, 2, 10 + i)])))
      expect(await overflow(metrics, ns)).toEqual([[`${OVERFLOW_LABEL}=true`, [0, MS, 2 * MS], [0, 0, 190]]])
    })

    it('keeps namespaces apart', async () => {
      const { metrics } = of()
      const ns = newNamespace()
      const other = newNamespace()
      await store(metrics, ns, [...FULL, hits('c', 1, 1)])
      await store(metrics, other, FULL)
      expect(await overflow(metrics, other)).toEqual([])
      await metrics.dropNamespace(ns)
      expect(await overflow(metrics, ns)).toEqual([])
    })
  })
}
