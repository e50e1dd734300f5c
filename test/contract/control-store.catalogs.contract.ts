import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { IndexGeneration } from '../../src/ports/index-catalog.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { CatalogSeries } from '../../src/ports/series-catalog.js'
import type { WaitingCount } from '../../src/ports/waiting-board.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')
// Doubles cannot distinguish it from its neighbors.
const SEEN_NS = 1_795_176_000_100_002_499n

/** Indices of search stores. */
export function controlIndicesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  function generation(number: number, changes: Partial<IndexGeneration> = {}): IndexGeneration {
    return {
      owner: SHOP,
      kind: 'logs',
      number,
      index: `logs-alidade.app-${SHOP}-00000${number}`,
      fromMs: number === 1 ? 0 : NOW_MS + number,
      search: 'exact',
      createdAtMs: NOW_MS,
      madeAtMs: null,
      lostAtMs: null,
      ...changes
    }
  }

  describe('indices', () => {
    it('gives generations back as added, by number, apart by owner and kind', async () => {
      const second = generation(2, { search: 'approximate' })
      const spans = generation(1, { kind: 'spans', index: 'spans-1' })
      const pooled = generation(1, { owner: 'pool3', index: 'pool-1', search: 'off' })
      for (const one of [second, generation(1), spans, pooled]) expect(await store.indices.add(one)).toEqual(one)
      expect(await store.indices.of(SHOP, 'logs')).toEqual([generation(1), second])
      expect(await store.indices.of('pool3', 'logs')).toEqual([pooled])
      expect(await store.indices.of(BANK, 'logs')).toEqual([])
      expect(await store.indices.all()).toHaveLength(4)
    })

    it('returns the stored one to all who add the same number at once', async () => {
      const rivals = ['a', 'b', 'c'].map(name => generation(1, { index: `index-${name}` }))
      const stored = await Promise.all(rivals.map(rival => store.indices.add(rival)))
      expect(new Set(stored.map(one => one.index)).size).toBe(1)
      expect(await store.indices.all()).toEqual([stored[0]])
    })

    it('refuses the name of another generation', async () => {
      await store.indices.add(generation(1))
      const thief = generation(1, { owner: BANK, index: generation(1).index })
      await expect(store.indices.add(thief)).rejects.toMatchObject({ code: 'conflict' })
    })

    it('forgets one by its name and then takes its number again', async () => {
      await store.indices.add(generation(1))
      await store.indices.remove(generation(1).index)
      await store.indices.remove('unknown')
      expect(await store.indices.all()).toEqual([])
      expect(await store.indices.add(generation(1, { fromMs: 7 }))).toMatchObject({ fromMs: 7 })
    })

    it('notes when one was made first, and when it was last found to be gone', async () => {
      await store.indices.add(generation(1))
      await store.indices.add(generation(2))
      await store.indices.noteLost(generation(1).index, NOW_MS)
      expect(await store.indices.of(SHOP, 'logs')).toEqual([generation(1), generation(2)])
      await store.indices.noteMade(generation(1).index, NOW_MS + 1)
      await store.indices.noteMade(generation(1).index, NOW_MS + 2)
      await store.indices.noteMade('unknown', NOW_MS)
      const made = { madeAtMs: NOW_MS + 1 }
      expect(await store.indices.of(SHOP, 'logs')).toEqual([generation(1, made), generation(2)])
      for (const atMs of [NOW_MS + 3, NOW_MS + 4]) await store.indices.noteLost(generation(1).index, atMs)
      await store.indices.noteLost('unknown', NOW_MS)
      expect(await store.indices.all()).toEqual([generation(1, { ...made, lostAtMs: NOW_MS + 4 }), generation(2)])
    })

    it('keeps them when their namespace is deleted, for whoever deletes the index', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.indices.add(generation(1))
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect(await store.indices.all()).toEqual([generation(1)])
    })
  })
}

/** Places of namespaces in stores. */
export function controlPlacesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  describe('places', () => {
    it('keeps the first of two that are set at once', async () => {
      const set = ['bucket-a', 'bucket-b'].map(place => store.places.setOnce('influxdb', SHOP, place))
      const [first, second] = await Promise.all(set)
      expect(second).toBe(first)
      expect(await store.places.of('influxdb', SHOP)).toBe(first)
      expect(await store.places.setOnce('influxdb', SHOP, 'bucket-c')).toBe(first)
    })

    it('knows each store by itself and forgets one place', async () => {
      await store.places.setOnce('influxdb', SHOP, 'bucket-a')
      await store.places.setOnce('influxdb', BANK, 'pool0')
      await store.places.setOnce('other', SHOP, 'pool1')
      await store.places.set('influxdb', SHOP, 'bucket-b')
      expect(await store.places.of('influxdb', SHOP)).toBe('bucket-b')
      await store.places.remove('influxdb', SHOP)
      expect(await store.places.of('influxdb', SHOP)).toBeNull()
      expect(await store.places.all('influxdb')).toEqual(new Map([[BANK, 'pool0']]))
      expect(await store.places.all('other')).toEqual(new Map([[SHOP, 'pool1']]))
      expect(await store.places.all('none')).toEqual(new Map())
    })
  })
}

/** What waits on each gateway. */
export function controlWaitingContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  function count(records: number, namespace = SHOP, signal: WaitingCount['signal'] = 'logs'): WaitingCount {
    return { namespaceId: namespace, signal, records }
  }

  describe('waiting records', () => {
    it('returns to a gateway the sums of all others, by namespace and signal', async () => {
      await store.waiting.publish('a', [count(1), count(2, BANK)], NOW_MS)
      await store.waiting.publish('b', [count(4), count(8, SHOP, 'spans')], NOW_MS)
      await store.waiting.publish('c', [count(16)], NOW_MS)
      const ofOthers = await store.waiting.ofOthers('c', 0)
      expect(ofOthers).toHaveLength(3)
      expect(ofOthers).toEqual(expect.arrayContaining([count(5), count(2, BANK), count(8, SHOP, 'spans')]))
      expect(await store.waiting.ofOthers('a', 0)).toContainEqual(count(20))
    })

    it.each([1, -1])('keeps of a gateway what it reported last, also when its clock moves by %i s', async seconds => {
      await store.waiting.publish('a', [count(1), count(2, BANK)], NOW_MS)
      await store.waiting.publish('a', [count(3)], NOW_MS + seconds * 1_000)
      expect(await store.waiting.ofOthers('b', 0)).toEqual([count(3)])
      expect(await store.waiting.keptOf('a')).toBe(1)
      await store.waiting.publish('a', [], NOW_MS)
      expect(await store.waiting.ofOthers('b', 0)).toEqual([])
      expect(await store.waiting.keptOf('a')).toBe(0)
    })

    it('leaves out what was reported before the time requested', async () => {
      await store.waiting.publish('a', [count(1)], NOW_MS)
      await store.waiting.publish('b', [count(2)], NOW_MS + 1)
      expect(await store.waiting.ofOthers('c', NOW_MS)).toEqual([count(3)])
      expect(await store.waiting.ofOthers('c', NOW_MS + 1)).toEqual([count(2)])
    })

    it('takes more counts than one statement does, beyond 32 bits', async () => {
      const many = Array.from({ length: 2_001 }, (_, i) => count(2 ** 40, namespaceId(`n${i}`)))
      await store.waiting.publish('a', many, NOW_MS)
      expect(await store.waiting.keptOf('a')).toBe(many.length)
      const found = await store.waiting.ofOthers('b', 0)
      expect(new Set(found.map(each => each.namespaceId)).size).toBe(many.length)
      expect(new Set(found.map(({ records }) => records))).toEqual(new Set([2 ** 40]))
    })
  })
}

/** Series of metric stores. */
export function controlSeriesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  function series(name: string, changes: Partial<CatalogSeries> = {}): CatalogSeries {
    return { name, type: 'gauge', labels: [], firstSeenNs: SEEN_NS, lastSeenNs: SEEN_NS, ...changes }
  }

  async function loaded(ns = SHOP): Promise<readonly CatalogSeries[]> {
    const all: CatalogSeries[] = []
    for await (const page of store.series.load(ns)) all.push(...page)
    return all
  }

  describe('series', () => {
    it('gives them back to the nanosecond, whatever their labels hold', async () => {
      const hostile = ['', '"', '\\', '\n', '\0', ',', 'É', '😀', '__proto__', ' a ']
      const labels = hostile.map((value, i) => ({ name: `l${i}${value}`, value }))
      const one = series('é\0"', { labels, type: 'counter', firstSeenNs: -SEEN_NS, lastSeenNs: 2n ** 63n - 1n })
      await store.series.save(SHOP, [one])
      expect(await loaded()).toEqual([one])
    })

    it('distinguishes series by name and labels, and joins them by nothing else', async () => {
      const labelled = (...pairs: readonly (readonly [string, string])[]): CatalogSeries =>
        series('cpu', { labels: pairs.map(([name, value]) => ({ name, value })) })
      const all = [series('cpu'), series('cpu '), labelled(['a', 'b']), labelled(['a', 'b'], ['c', 'd']), labelled(['a', 'bcd'])]
      await store.series.save(SHOP, all)
      await store.series.save(SHOP, all)
      const found = await loaded()
      expect(found).toHaveLength(all.length)
      expect(found).toEqual(expect.arrayContaining(all))
    })

    it('moves the first seen only back and the last only forward', async () => {
      await store.series.save(SHOP, [series('cpu')])
      await store.series.save(SHOP, [series('cpu', { firstSeenNs: SEEN_NS + 1n, lastSeenNs: SEEN_NS - 1n })])
      expect(await loaded()).toEqual([series('cpu')])
      await store.series.save(SHOP, [series('cpu', { firstSeenNs: SEEN_NS - 1n, lastSeenNs: SEEN_NS + 1n, type: 'counter' })])
      const widest = series('cpu', { firstSeenNs: SEEN_NS - 1n, lastSeenNs: SEEN_NS + 1n, type: 'counter' })
      expect(await loaded()).toEqual([widest])
    })

    it('compares times as numbers, not as strings', async () => {
      await store.series.save(SHOP, [series('cpu', { firstSeenNs: 9n, lastSeenNs: 9n })])
      await store.series.save(SHOP, [series('cpu', { firstSeenNs: 10n, lastSeenNs: 10n })])
      expect(await loaded()).toEqual([series('cpu', { firstSeenNs: 9n, lastSeenNs: 10n })])
      await store.series.deleteBefore(SHOP, 9n)
      expect(await loaded()).toHaveLength(1)
    })

    it('takes one series twice in one call', async () => {
      const early = series('cpu', { firstSeenNs: 5n, lastSeenNs: 6n })
      const late = series('cpu', { firstSeenNs: 7n, lastSeenNs: 8n })
      await store.series.save(SHOP, [late, early])
      expect(await loaded()).toEqual([series('cpu', { firstSeenNs: 5n, lastSeenNs: 8n })])
    })

    it('gives more than a page back, each once', async () => {
      const many = Array.from({ length: 5_001 }, (_, i) => series('cpu', { labels: [{ name: 'host', value: `host-${i}` }] }))
      await store.series.save(SHOP, many)
      const hosts = (await loaded()).map(one => one.labels[0]?.value)
      expect(hosts).toHaveLength(many.length)
      expect(new Set(hosts).size).toBe(many.length)
    })

    it('keeps namespaces apart, and forgets the old ones of one', async () => {
      const old = series('old', { lastSeenNs: SEEN_NS - 1n })
      for (const ns of [SHOP, BANK]) await store.series.save(ns, [series('cpu'), old])
      await store.series.deleteBefore(SHOP, SEEN_NS)
      expect(await loaded()).toEqual([series('cpu')])
      expect(await loaded(BANK)).toHaveLength(2)
      await store.series.drop(BANK)
      expect(await loaded(BANK)).toEqual([])
      expect(await loaded()).toHaveLength(1)
    })

    it('forgets all of a namespace that is deleted, not before', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.series.save(SHOP, [series('cpu')])
      await store.series.save(BANK, [series('cpu')])
      await store.namespaces.setState(SHOP, 'deleting', NOW_MS)
      expect(await loaded()).toHaveLength(1)
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect(await loaded()).toEqual([])
      expect(await loaded(BANK)).toHaveLength(1)
    })

    it('returns nothing for none', async () => {
      await store.series.save(SHOP, [])
      expect(await loaded()).toEqual([])
    })
  })
}
