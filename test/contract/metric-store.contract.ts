import { expect, it } from '@jest/globals'
import type { LabelMatcher } from '../../src/ports/metric-store.js'
import { briefly, NAMED_CPU, select, type Sketch, store } from './metric-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

/** Nanoseconds; further than any engine's bounds of a series reach beyond its samples. */
const LONG_AGO = 3 * 3_600_000_000_000

const HOSTS: readonly Sketch[] = [
  { labels: { host: 'b', core: '0' }, at: 2, value: 20 },
  { labels: { host: 'a', core: '1' }, at: 1, value: 11 },
  { labels: { host: 'a', core: '0' }, at: 3, value: 10 },
  { labels: {}, at: 1, value: 0 },
  { name: 'memory', labels: { host: 'a' }, at: 1, value: 99 }
]

/** Points, series and the catalog of metrics. */
export function metricStoreContract(name: string, open: OpenStores): void {
  describeStores(`${name}: MetricStore`, open, of => {
    it('gives samples sorted by series and time', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, HOSTS)
      await store(of().metrics, ns, [{ labels: { host: 'a', core: '0' }, at: 1, value: 9 }])
      expect(briefly(await select(of().metrics, ns))).toEqual([
        ['', [1], [0]],
        ['core=0,host=a', [1, 3], [9, 10]],
        ['core=0,host=b', [2], [20]],
        ['core=1,host=a', [1], [11]]
      ])
    })

    it.each<[string, LabelMatcher, readonly number[]]>([
      ['eq', { name: 'host', op: 'eq', value: 'a' }, [10, 11]],
      ['neq', { name: 'host', op: 'neq', value: 'a' }, [0, 20]],
      ['eq of an absent label', { name: 'host', op: 'eq', value: '' }, [0]],
      ['regex on the whole value', { name: 'core', op: 'regex', value: '[01]' }, [10, 11, 20]],
      ['regex that finds a part only', { name: 'core', op: 'regex', value: '' }, [0]],
      ['not_regex', { name: 'core', op: 'not_regex', value: '0|' }, [11]],
      ['the name as a label', { name: '__name__', op: 'regex', value: 'c.u' }, [0, 10, 11, 20]]
    ])('matches by %s', async (_title, matcher, expected) => {
      const ns = newNamespace()
      await store(of().metrics, ns, HOSTS)
      const found = await select(of().metrics, ns, { matchers: [...NAMED_CPU, matcher] })
      expect(found.flatMap(({ values }) => [...values]).sort((a, b) => a - b)).toEqual(expected)
    })

    it('lets the last value of one series and time win', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, [
        { at: 1, value: 1 },
        { at: 2, value: 5 }
      ])
      await store(of().metrics, ns, [{ at: 1, value: 2 }])
      await store(of().metrics, ns, [{ at: 1, value: 3 }])
      expect(briefly(await select(of().metrics, ns))).toEqual([['', [1, 2], [3, 5]]])
    })

    it('stores the same ingest id once', async () => {
      const ns = newNamespace()
      const ingestId = newIngestId()
      await store(of().metrics, ns, [{ at: 1, value: 1 }], ingestId)
      await store(of().metrics, ns, [{ at: 1, value: 2 }])
      expect(await store(of().metrics, ns, [{ at: 1, value: 1 }], ingestId)).toMatchObject({ accepted: 0, deduplicated: 1 })
      expect(briefly(await select(of().metrics, ns))).toEqual([['', [1], [2]]])
    })

    it('keeps every double', async () => {
      const ns = newNamespace()
      const values = [NaN, Infinity, -Infinity, -0, 5e-324, 1.7976931348623157e308, 0.1]
      await store(
        of().metrics,
        ns,
        values.map((value, at) => ({ at, value }))
      )
      const [series] = await select(of().metrics, ns)
      expect([...series!.values]).toEqual(values)
      expect(Object.is(series!.values[3], -0)).toBe(true)
    })

    it('keeps to the range, its start inside and its end outside', async () => {
      const ns = newNamespace()
      await store(
        of().metrics,
        ns,
        [1, 2, 3, 4].map(at => ({ at, value: at }))
      )
      const range = { startNs: BASE_NS + 2n, endNs: BASE_NS + 4n }
      expect(briefly(await select(of().metrics, ns, { range }))).toEqual([['', [2, 3], [2, 3]]])
      const later = { startNs: BASE_NS + 5n, endNs: BASE_NS + 9n }
      expect(await select(of().metrics, ns, { range: later })).toEqual([])
    })

    it('refuses more series or samples than requested, and takes exactly as many', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, HOSTS)
      expect(await select(of().metrics, ns, { maxSeries: 4, maxSamples: 4 })).toHaveLength(4)
      await expect(select(of().metrics, ns, { maxSeries: 3 })).rejects.toMatchObject({ code: 'query_unsupported' })
      await expect(select(of().metrics, ns, { maxSamples: 3 })).rejects.toMatchObject({ code: 'query_unsupported' })
      await store(of().metrics, ns, [HOSTS[0]!])
      expect(await select(of().metrics, ns, { maxSamples: 4 })).toHaveLength(4)
    })

    it('lists series and the catalog of metrics page by page', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, [...HOSTS, { name: 'requests.Total', type: 'counter', at: 9 }])
      const two = await of().metrics.series(ns, NAMED_CPU, EVERY_TIME, 2)
      expect(two.hasMore).toBe(true)
      expect(two.series.map(({ labels }) => labels.length)).toEqual([0, 2])
      const all = await of().metrics.series(ns, [], EVERY_TIME, 6)
      expect(all).toMatchObject({ hasMore: false, series: { length: 6 } })
      const { metrics } = await of().metrics.metrics(ns, { limit: 10 })
      expect(metrics.map(metric => `${metric.name} ${metric.type} ${metric.seriesCount}`)).toEqual([
        'cpu gauge 4',
        'memory gauge 1',
        'requests.Total counter 1'
      ])
      expect(metrics.map(({ lastSeenNs }) => lastSeenNs - BASE_NS)).toEqual([3n, 1n, 9n])
      const found = await of().metrics.metrics(ns, { contains: 'TOTAL', limit: 10 })
      expect(found.metrics.map(metric => metric.name)).toEqual(['requests.Total'])
      const page = await of().metrics.metrics(ns, { after: 'cpu', limit: 1 })
      expect(page).toMatchObject({ metrics: [{ name: 'memory' }], hasMore: true })
    })

    it('lists names of labels, and values of one, of the series that match', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, [...HOSTS, { name: 'old', labels: { host: 'c' }, at: -LONG_AGO }])
      const range = { startNs: BASE_NS, endNs: BASE_NS + 10n }
      const list = (matchers: readonly LabelMatcher[], label?: string, limit = 10) =>
        of().metrics.labels(ns, { matchers, range, limit, ...(label !== undefined && { label }) }, NEVER)
      expect(await list([])).toEqual({ values: ['__name__', 'core', 'host'], hasMore: false })
      expect(await list([], 'host')).toEqual({ values: ['a', 'b'], hasMore: false })
      expect(await list([], '__name__')).toEqual({ values: ['cpu', 'memory'], hasMore: false })
      expect(await list([], '__name__', 1)).toEqual({ values: ['cpu'], hasMore: true })
      expect(await list([], 'absent')).toEqual({ values: [], hasMore: false })
      expect((await list([...NAMED_CPU, { name: 'core', op: 'regex', value: '1|2' }], 'host')).values).toEqual(['a'])
      expect((await list([{ name: '__name__', op: 'eq', value: 'memory' }])).values).toEqual(['__name__', 'host'])
    })

    it('lists the labels that contain a string, and when they were last seen', async () => {
      const ns = newNamespace()
      const long = 'x'.repeat(1_000)
      await store(of().metrics, ns, [
        ...HOSTS,
        { name: 'disk', labels: { host: 'a' }, at: 7 },
        { labels: { host: 'A' }, at: 2 },
        { labels: { host: `Straße ${long}` }, at: 4 },
        { name: 'old', labels: { host: 'aged' }, at: -LONG_AGO }
      ])
      const range = { startNs: BASE_NS, endNs: BASE_NS + 10n }
      const list = (contains: string, matchers: readonly LabelMatcher[] = [], limit = 10) =>
        of().metrics.labels(ns, { label: 'host', matchers, range, limit, contains, lastSeen: true }, NEVER)
      const at = (...times: readonly number[]) => times.map(time => BASE_NS + BigInt(time))
      expect(await list('')).toEqual({ values: ['A', `Straße ${long}`, 'a', 'b'], hasMore: false, lastSeenNs: at(2, 4, 7, 2) })
      expect(await list('a')).toMatchObject({ values: ['A', `Straße ${long}`, 'a'], lastSeenNs: at(2, 4, 7) })
      expect(await list('RASSE')).toMatchObject({ values: [] })
      expect(await list(`raße ${long.toUpperCase()}`)).toMatchObject({ lastSeenNs: at(4) })
      expect(await list('a', NAMED_CPU)).toMatchObject({ values: ['A', `Straße ${long}`, 'a'], lastSeenNs: at(2, 4, 3) })
      expect(await list('', [], 2)).toEqual({ values: ['A', `Straße ${long}`], hasMore: true, lastSeenNs: at(2, 4) })
      expect(await list('absent')).toEqual({ values: [], hasMore: false, lastSeenNs: [] })
      expect(
        await of().metrics.labels(newNamespace(), { label: 'host', matchers: [], range, limit: 2, lastSeen: true }, NEVER)
      ).toEqual({ values: [], hasMore: false, lastSeenNs: [] })
      const names = { matchers: [], range, limit: 9, contains: 'CP', lastSeen: true }
      expect(await of().metrics.labels(ns, { ...names, label: '__name__' }, NEVER)).toMatchObject({ values: ['cpu'] })
    })

    it('keeps namespaces apart and removes only what is requested', async () => {
      const a = newNamespace()
      const b = `${a}b` as typeof a
      for (const ns of [a, b])
        await store(of().metrics, ns, [
          { at: 1, value: 1 },
          { at: 5, value: ns === a ? 5 : 6 }
        ])
      expect(briefly(await select(of().metrics, b))).toEqual([['', [1, 5], [1, 6]]])
      await of().metrics.deleteBefore(a, BASE_NS + 3n)
      expect(briefly(await select(of().metrics, a))).toEqual([['', [5], [5]]])
      await of().metrics.dropNamespace(a)
      expect(await select(of().metrics, a)).toEqual([])
      expect((await of().metrics.metrics(a, { limit: 5 })).metrics).toEqual([])
      expect(briefly(await select(of().metrics, b))).toEqual([['', [1, 5], [1, 6]]])
      await expect(store(of().metrics, a, [{}])).rejects.toMatchObject({ code: 'namespace_deleted' })
    })

    it('handles a namespace that was never written, and an aborted reader', async () => {
      const ns = newNamespace()
      expect(await select(of().metrics, ns)).toEqual([])
      expect(await of().metrics.series(ns, [], EVERY_TIME, 5)).toEqual({ series: [], hasMore: false })
      expect(await of().metrics.metrics(ns, { limit: 5 })).toEqual({ metrics: [], hasMore: false })
      const reason = new Error('gone')
      const gone = AbortSignal.abort(reason)
      await expect(select(of().metrics, ns, {}, gone)).rejects.toBe(reason)
      await expect(of().metrics.series(ns, [], EVERY_TIME, 5, gone)).rejects.toBe(reason)
      await expect(of().metrics.metrics(ns, { limit: 5 }, gone)).rejects.toBe(reason)
      await expect(of().metrics.labels(ns, { matchers: [], range: EVERY_TIME, limit: 5 }, gone)).rejects.toBe(reason)
    })

    it('ends a search for series while it is in flight', async () => {
      const ns = newNamespace()
      const sketches = Array.from({ length: 400 }, (_, i) => ({ labels: { id: `${'ab'.repeat(200)}${i}` } }))
      await store(of().metrics, ns, sketches)
      // A regex that takes its time over each of them.
      const matchers = [{ name: 'id', op: 'regex', value: '(a|b|ab|ba){1,100}(x|y)' }] as const
      const reason = new Error('gone')
      for (const search of [
        (signal: AbortSignal) => of().metrics.series(ns, matchers, EVERY_TIME, 5, signal),
        (signal: AbortSignal) => of().metrics.labels(ns, { label: 'id', matchers, range: EVERY_TIME, limit: 5 }, signal)
      ]) {
        const leaving = new AbortController()
        const searching = search(leaving.signal)
        setImmediate(() => leaving.abort(reason))
        await expect(searching).rejects.toBe(reason)
      }
    })

    it('reads 100,000 samples of many series', async () => {
      const ns = newNamespace()
      for (let batch = 0; batch < 10; batch++) {
        const sketches = Array.from({ length: 10_000 }, (_, i) => ({
          labels: { id: String(i % 50).padStart(2, '0') },
          at: batch * 1_000 + Math.floor(i / 50),
          value: batch * 10_000 + i
        }))
        await store(of().metrics, ns, sketches)
      }
      const found = await select(of().metrics, ns, { maxSamples: 100_000 })
      expect(found).toHaveLength(50)
      for (const [i, { values, timestampsNs }] of found.entries()) {
        expect(values).toHaveLength(2_000)
        expect([values[0], values[1_999]]).toEqual([i, 90_000 + 9_950 + i])
        expect(timestampsNs[1_999]! - BASE_NS).toBe(9_199n)
      }
    })
  })
}
