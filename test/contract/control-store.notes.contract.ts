import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Exemplar } from '../../src/domain/exemplar.js'
import type { MetricFacts } from '../../src/domain/metric-facts.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { LabelMatcher } from '../../src/ports/metric-store.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')
// Doubles cannot distinguish it from its neighbors.
const AT_NS = 1_795_176_000_100_002_499n
const HOSTILE = ['"', '\\', '\n', '\0', ',', 'É', '😀', '__proto__', ' a ', "'; drop table exemplars; --"]
const ALL: readonly LabelMatcher[] = []
const EVER = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }

/** Type, help and unit of metric families. */
export function controlMetricFactsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  function facts(name: string, changes: Partial<MetricFacts> = {}): MetricFacts {
    return { name, kind: 'counter', help: `what ${name} counts`, unit: '', ...changes }
  }

  describe('facts', () => {
    it('returns the latest facts, whatever the strings contain', async () => {
      const hostile = HOSTILE.map(text => facts(`n${text}`, { help: text, unit: text, kind: 'stateset' }))
      await store.metricFacts.save(SHOP, [facts('cpu', { kind: 'gauge' }), ...hostile])
      await store.metricFacts.save(SHOP, [facts('cpu', { help: 'a', unit: 'b' }), facts('cpu', { unit: 'seconds' })])
      const found = await store.metricFacts.of(SHOP, ['cpu', ...hostile.map(({ name }) => name), 'unknown'])
      expect(found).toHaveLength(hostile.length + 1)
      expect(found).toEqual(expect.arrayContaining([facts('cpu', { unit: 'seconds' }), ...hostile]))
      expect(await store.metricFacts.of(SHOP, [])).toEqual([])
    })

    it('lists those of one namespace up to a limit, and loses them with it', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.metricFacts.save(
        SHOP,
        Array.from({ length: 1_001 }, (_, i) => facts(`m${i}`))
      )
      await store.metricFacts.save(BANK, [facts('m0', { help: 'of the bank' })])
      expect(await store.metricFacts.all(SHOP, 2_000)).toHaveLength(1_001)
      expect(await store.metricFacts.all(SHOP, 1_000)).toHaveLength(1_000)
      expect(await store.metricFacts.all(BANK, 10)).toEqual([facts('m0', { help: 'of the bank' })])
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect(await store.metricFacts.all(SHOP, 10)).toEqual([])
      expect(await store.metricFacts.of(BANK, ['m0'])).toHaveLength(1)
    })
  })
}

/** Exemplars of series. */
export function controlExemplarsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  function exemplar(name: string, changes: Partial<Exemplar> = {}): Exemplar {
    const ownLabels = [{ name: 'trace_id', value: 'abc' }]
    return { name, labels: [], ownLabels, timestampNs: AT_NS, value: 1, ...changes }
  }

  async function found(matchers = ALL, range = EVER, ns = SHOP): Promise<readonly Exemplar[]> {
    return (await store.exemplars.select(ns, { matchers, range, limit: 10_000 })).exemplars
  }

  describe('exemplars', () => {
    it('gives them back to the nanosecond and the bit, whatever their labels hold', async () => {
      const labels = HOSTILE.map((value, i) => ({ name: `l${i}${value}`, value }))
      const values = [Number.NaN, Infinity, -Infinity, -0, 5e-324, 0.1, Number.MAX_VALUE]
      const all = values.map((value, i) => exemplar('é\0"', { labels, ownLabels: labels, value, timestampNs: AT_NS + BigInt(i) }))
      await store.exemplars.save(SHOP, all)
      expect(await found()).toEqual(all)
    })

    it('finds them by the matchers of their series and by time, sorted by series and time', async () => {
      const series = (path: string, atNs = AT_NS): Exemplar =>
        exemplar('requests_total', { labels: [{ name: 'path', value: path }], timestampNs: atNs })
      const all = [exemplar('other'), series('/a', AT_NS - 1n), series('/a'), series('/b')]
      await store.exemplars.save(SHOP, all.toReversed())
      expect(await found()).toEqual(all)
      expect(await found([{ name: '__name__', op: 'eq', value: 'requests_total' }])).toEqual(all.slice(1))
      expect(await found([{ name: 'path', op: 'regex', value: '/a|/c' }])).toEqual(all.slice(1, 3))
      expect(await found([{ name: 'path', op: 'eq', value: '' }])).toEqual(all.slice(0, 1))
      expect(await found(ALL, { startNs: AT_NS, endNs: AT_NS + 1n })).toEqual([all[0], all[2], all[3]])
      expect(await found(ALL, { startNs: AT_NS - 1n, endNs: AT_NS })).toEqual([all[1]])
    })

    it('keeps one per series and time, the one that arrived last', async () => {
      await store.exemplars.save(SHOP, [exemplar('a'), exemplar('a', { value: 2 })])
      await store.exemplars.save(SHOP, [exemplar('a', { value: 3, ownLabels: [] })])
      expect(await found()).toEqual([exemplar('a', { value: 3, ownLabels: [] })])
    })

    it('leaves out the oldest beyond a limit and reports it, over pages', async () => {
      const many = Array.from({ length: 4_100 }, (_, i) => exemplar(`m${i % 41}`, { timestampNs: AT_NS + BigInt(i) }))
      await store.exemplars.save(SHOP, many)
      expect(await found()).toHaveLength(4_100)
      const cut = await store.exemplars.select(SHOP, { matchers: ALL, range: EVER, limit: 4_099 })
      expect([cut.exemplars.length, cut.hasMore]).toEqual([4_099, true])
      expect(cut.exemplars.some(({ timestampNs }) => timestampNs === AT_NS)).toBe(false)
      const whole = await store.exemplars.select(SHOP, { matchers: ALL, range: EVER, limit: 4_100 })
      expect(whole.hasMore).toBe(false)
    })

    it('forgets the oldest beyond the bounds, and what is before a time', async () => {
      const at = (name: string, i: number): Exemplar => exemplar(name, { timestampNs: AT_NS + BigInt(i) })
      const all = ['a', 'b'].flatMap(name => [0, 1, 2, 3].map(i => at(name, i)))
      await store.exemplars.save(SHOP, all)
      await store.exemplars.save(BANK, all)
      await store.exemplars.trim(SHOP, { perSeries: 4, perNamespace: 8 })
      expect(await found()).toHaveLength(8)
      await store.exemplars.trim(SHOP, { perSeries: 3, perNamespace: 8 })
      expect(await found()).toEqual([at('a', 1), at('a', 2), at('a', 3), at('b', 1), at('b', 2), at('b', 3)])
      await store.exemplars.trim(SHOP, { perSeries: 3, perNamespace: 4 })
      expect(await found()).toEqual([at('a', 2), at('a', 3), at('b', 2), at('b', 3)])
      await store.exemplars.deleteBefore(SHOP, AT_NS + 3n)
      expect(await found()).toEqual([at('a', 3), at('b', 3)])
      expect(await found(ALL, EVER, BANK)).toHaveLength(8)
    })

    it('loses them with their namespace, and no one else does', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.exemplars.save(SHOP, [exemplar('a')])
      await store.exemplars.save(BANK, [exemplar('a')])
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect([await found(), await found(ALL, EVER, BANK)]).toEqual([[], [exemplar('a')]])
    })

    it('refuses a regex that is invalid', async () => {
      await store.exemplars.save(SHOP, [exemplar('a')])
      await expect(found([{ name: 'x', op: 'regex', value: '(' }])).rejects.toMatchObject({ code: 'invalid_query' })
    })
  })
}
