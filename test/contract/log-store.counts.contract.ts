import { expect, it } from '@jest/globals'
import { MATCH_ALL, type Field, type Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { FacetRequest, FacetResult } from '../../src/domain/search.js'
import type { Stores } from '../../src/ports/stores.js'
import { free, known, storeApart } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'

async function facetsOf(
  stores: Stores,
  ns: NamespaceId,
  requested: readonly (Partial<FacetRequest> & { field: Field })[]
): Promise<readonly FacetResult[]> {
  const facets = requested.map(facet => ({ filter: MATCH_ALL, limit: 10, ...facet }))
  const found = await stores.logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, facets }, NEVER)
  return found.facets!
}

function briefly({ values, distinct, other, missing }: FacetResult): unknown {
  const counts = values.map(({ value, count }) => `${value}:${count}`)
  return { counts, distinct: distinct.value, other, missing }
}

const SHOP = [
  { at: 1, service: 'web', level: 'info', fields: { region: 'eu', code: 200, tag: ['a', 'b'] } },
  { at: 2, service: 'web', level: 'error', fields: { region: 'eu', code: '200', tag: ['a'] } },
  { at: 3, service: 'api', level: 'info', fields: { region: 'us', code: 500, tag: ['b', 'c', 'b'] } },
  { at: 4, service: 'db', level: 'info', fields: { region: '', code: null, tag: [] } },
  { at: 5, service: 'web', level: null, host: '', tags: { region: 'us' } }
]

/** Totals, facets and histograms. */
export function logCountsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore counts`, open, of => {
    it('counts values, the most frequent first and equal ones by text', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const [service, level, host] = await facetsOf(of(), ns, [
        { field: known('service'), lastSeen: true },
        { field: known('level') },
        { field: known('host') }
      ])
      expect(briefly(service!)).toEqual({ counts: ['web:3', 'api:1', 'db:1'], distinct: 3, other: 0, missing: 0 })
      expect(briefly(level!)).toEqual({ counts: ['info:3', 'error:1'], distinct: 2, other: 0, missing: 1 })
      expect(briefly(host!)).toEqual({ counts: [], distinct: 0, other: 0, missing: 5 })
      expect(service!.values.map(value => value.lastSeenNs! - BASE_NS)).toEqual([5n, 3n, 4n])
      expect(level!.values[0]).toEqual({ value: 'info', count: 3 })
      expect(service!.field).toEqual(known('service'))
    })

    it('states exactly how many rows are not listed', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const [one, none, tag] = await facetsOf(of(), ns, [
        { field: known('service'), limit: 1 },
        { field: known('service'), limit: 0 },
        { field: free('tag'), limit: 1 }
      ])
      expect(briefly(one!)).toEqual({ counts: ['web:3'], distinct: 3, other: 2, missing: 0 })
      expect(briefly(none!)).toEqual({ counts: [], distinct: 3, other: 5, missing: 0 })
      // Rows, not values: the first row has `b` too but is already counted under `a`.
      expect(briefly(tag!)).toEqual({ counts: ['a:2'], distinct: 3, other: 1, missing: 2 })
    })

    it('counts free fields wherever they are, and a row once per value', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const [region, code, tag, inFields] = await facetsOf(of(), ns, [
        { field: free('region') },
        { field: free('code') },
        { field: free('tag') },
        { field: { in: 'log_fields', name: 'region' } }
      ])
      expect(briefly(region!)).toEqual({ counts: ['eu:2', 'us:2'], distinct: 2, other: 0, missing: 1 })
      expect(briefly(code!)).toEqual({ counts: ['200:2', '500:1'], distinct: 2, other: 0, missing: 2 })
      expect(briefly(tag!)).toEqual({ counts: ['a:2', 'b:2', 'c:1'], distinct: 3, other: 0, missing: 2 })
      expect(briefly(inFields!)).toEqual({ counts: ['eu:2', 'us:1'], distinct: 2, other: 0, missing: 2 })
    })

    it('spells numbers as they were sent, in lists too', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [{ fields: { n: 1e-7 } }, { fields: { n: [1e-7, 0.1] } }])
      const [n] = await facetsOf(of(), ns, [{ field: free('n') }])
      expect(briefly(n!)).toEqual({ counts: ['1e-7:2', '0.1:1'], distinct: 2, other: 0, missing: 0 })
    })

    it('gives each facet its own filter and prefix', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const isWeb: Filter = { kind: 'eq', field: known('service'), value: 'web' }
      const [service, level, prefixed] = await facetsOf(of(), ns, [
        { field: known('service') },
        { field: known('level'), filter: isWeb },
        { field: known('service'), prefix: 'w' }
      ])
      expect(service!.values).toHaveLength(3)
      expect(briefly(level!)).toEqual({ counts: ['error:1', 'info:1'], distinct: 2, other: 0, missing: 1 })
      expect(prefixed!.values.map(({ value, count }) => [value, count])).toEqual([['web', 3]])
      expect(prefixed!.distinct.value).toBe(1)
    })

    it('lists the values that contain a text, in any case, and no other values of a row', async () => {
      const ns = newNamespace()
      const fields = [
        { tag: ['Größe', 'other'] },
        { tag: 'GRÖßE 2' },
        { tag: 'a.b' },
        { tag: 'axb' },
        { tag: 7.5 },
        { tag: null }
      ]
      await storeApart(
        of().logs,
        ns,
        fields.map((each, i) => ({ fields: each, service: `svc-${i % 2}` }))
      )
      const long = 'ö'.repeat(600)
      const [folded, none, dot, number, known_, absent] = await facetsOf(of(), ns, [
        { field: free('tag'), contains: 'größe' },
        { field: free('tag'), contains: 'größe', limit: 0 },
        { field: free('tag'), contains: '.b' },
        { field: free('tag'), contains: '.5' },
        { field: known('service'), contains: 'VC-1' },
        { field: free('tag'), contains: long }
      ])
      expect(briefly(folded!)).toEqual({ counts: ['GRÖßE 2:1', 'Größe:1'], distinct: 2, other: 3, missing: 1 })
      expect(briefly(none!)).toEqual({ counts: [], distinct: 2, other: 5, missing: 1 })
      expect(briefly(dot!)).toEqual({ counts: ['a.b:1'], distinct: 1, other: 4, missing: 1 })
      expect(briefly(number!)).toEqual({ counts: ['7.5:1'], distinct: 1, other: 4, missing: 1 })
      expect(briefly(known_!)).toEqual({ counts: ['svc-1:3'], distinct: 1, other: 3, missing: 0 })
      expect(briefly(absent!)).toEqual({ counts: [], distinct: 0, other: 5, missing: 1 })
    })

    it('returns rows, total, histogram and facets of one query together', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const filter: Filter = { kind: 'eq', field: known('level'), value: 'info' }
      const found = await of().logs.search(
        ns,
        {
          range: EVERY_TIME,
          filter,
          rows: { limit: 1, order: 'desc' },
          total: true,
          histogram: { startNs: BASE_NS, stepNs: 2n, count: 3 },
          facets: [{ field: known('service'), filter, limit: 5 }]
        },
        NEVER
      )
      expect(found.rows!.map(({ service }) => service)).toEqual(['db'])
      expect(found.hasMore).toBe(true)
      expect(found.total).toEqual({ value: 3, relation: 'eq' })
      expect(found.histogram).toEqual([{ key: null, counts: [1, 1, 1] }])
      expect(found.facets![0]!.values.map(({ value }) => value)).toEqual(['api', 'db', 'web'])
      expect(found.complete).toBe(true)
    })

    it('splits a histogram by the values of a field, null for rows without it', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const request = async (by: Field) => {
        const histogram = { startNs: BASE_NS + 2n, stepNs: 2n, count: 2, by }
        const found = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, histogram }, NEVER)
        return Object.fromEntries(found.histogram!.map(({ key, counts }) => [String(key), counts]))
      }
      expect(await request(known('level'))).toEqual({ info: [1, 1], error: [1, 0], null: [0, 1] })
      expect(await request(free('tag'))).toEqual({ a: [1, 0], b: [1, 0], c: [1, 0], null: [0, 2] })
    })

    it('counts nothing outside the range or the grid', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, SHOP)
      const range = { startNs: BASE_NS + 2n, endNs: BASE_NS + 5n }
      const histogram = { startNs: BASE_NS, stepNs: 1n, count: 4 }
      const found = await of().logs.search(ns, { range, filter: MATCH_ALL, histogram, total: true }, NEVER)
      expect(found.histogram).toEqual([{ key: null, counts: [0, 0, 1, 1] }])
      expect(found.total!.value).toBe(3)
    })

    it('reads a namespace that was never written as an empty one', async () => {
      const found = await of().logs.search(
        newNamespace(),
        {
          range: EVERY_TIME,
          filter: MATCH_ALL,
          rows: { limit: 5, order: 'asc' },
          total: true,
          histogram: { startNs: BASE_NS, stepNs: 5n, count: 2 },
          facets: [{ field: known('service'), filter: MATCH_ALL, limit: 5 }]
        },
        NEVER
      )
      expect(found).toMatchObject({ rows: [], hasMore: false, total: { value: 0 }, complete: true })
      expect(found.histogram).toEqual([{ key: null, counts: [0, 0] }])
      expect(briefly(found.facets![0]!)).toEqual({ counts: [], distinct: 0, other: 0, missing: 0 })
    })
  })
}
