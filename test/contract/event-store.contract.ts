import { expect, it } from '@jest/globals'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import { recordId, type NamespaceId } from '../../src/domain/ids.js'
import type { VitalsRequest } from '../../src/ports/event-store.js'
import type { Stores } from '../../src/ports/stores.js'
import { NO_VITALS, storeRum, toError, toRum, type ErrorSketch, type RumSketch } from './event-fixtures.js'
import { free, known } from './log-fixtures.js'
import { pageViewCases, pageViews } from './page-views.contract.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

async function storeErrors({ events }: Stores, ns: NamespaceId, sketches: readonly ErrorSketch[], ingestId = newIngestId()) {
  const result = await events.appendErrors(ns, { ingestId, items: sketches.map(toError) })
  await events.settle(ns)
  return result
}

function vitals({ events }: Stores, ns: NamespaceId, request: Partial<VitalsRequest> = {}) {
  const requested = {
    range: EVERY_TIME,
    filter: MATCH_ALL,
    vitals: ['largest_contentful_paint_ms'],
    percentiles: [0.5, 0.75],
    limit: 10,
    ...request
  } as const
  return events.vitals(ns, requested, NEVER)
}

function groups({ events }: Stores, ns: NamespaceId, limit = 10, filter: Filter = MATCH_ALL) {
  return events.errorGroups(ns, { range: EVERY_TIME, filter, limit }, NEVER)
}

const ROWS = { limit: 10, order: 'desc' } as const

const NO_PAGE_VIEWS = { rows: [], hasMore: false, complete: true, warnings: [] }

/** RUM events and APM errors. */
export function eventStoreContract(name: string, open: OpenStores): void {
  describeStores(`${name}: EventStore`, open, of => {
    it('gives back RUM events as they were sent, newest first', async () => {
      const ns = newNamespace()
      const ingestId = newIngestId()
      const full: RumSketch = {
        at: 5,
        pageUrl: 'https://shop.example/cart/42?x=1',
        pageGroup: 'https://shop.example/cart/:id',
        pageTitle: 'Cart',
        sessionId: 's1',
        deviceType: 'mobile',
        browser: 'Firefox',
        os: 'Android',
        country: 'CH',
        connectionType: '4g',
        viewportWidth: 390,
        viewportHeight: 844,
        traceId: 't1',
        release: '1.2.3',
        tags: { a: { b: [1, 2] } },
        vitals: { largest_contentful_paint_ms: 1234.5, cumulative_layout_shift: 0.01 }
      }
      await storeRum(of(), ns, [full, { at: 9 }], ingestId)
      expect(await storeRum(of(), ns, [full, { at: 9 }], ingestId)).toMatchObject({ accepted: 0, deduplicated: 2 })
      const found = await of().events.searchRum(ns, { range: EVERY_TIME, filter: MATCH_ALL, rows: ROWS, total: true }, NEVER)
      expect(found.total!.value).toBe(2)
      const { index: _index, ...content } = toRum(full, 0)
      expect(found.rows![1]).toMatchObject({ ...content, id: recordId(ingestId, 0) })
      expect(found.rows![0]!.vitals).toEqual(NO_VITALS)
      expect(await of().events.getRum(ns, recordId(ingestId, 0))).toMatchObject(content)
      expect(await of().events.getRum(newNamespace(), recordId(ingestId, 0))).toBeNull()
    })

    it('filters RUM events by strings, vitals and tags', async () => {
      const ns = newNamespace()
      await storeRum(of(), ns, [
        { browser: 'Firefox', vitals: { load_time_ms: 900 }, tags: { plan: 'pro' } },
        { browser: 'Chrome', vitals: { load_time_ms: 1500 } },
        { browser: 'Safari' }
      ])
      const browsers = async (filter: Filter) => {
        const found = await of().events.searchRum(ns, { range: EVERY_TIME, filter, rows: ROWS }, NEVER)
        return found.rows!.map(({ browser }) => browser ?? '').sort()
      }
      expect(await browsers({ kind: 'eq', field: known('browser'), value: 'Chrome' })).toEqual(['Chrome'])
      expect(await browsers({ kind: 'range', field: known('load_time_ms'), gt: '1000' })).toEqual(['Chrome'])
      expect(await browsers({ kind: 'eq', field: free('plan'), value: 'pro' })).toEqual(['Firefox'])
      expect(await browsers({ kind: 'not', of: { kind: 'exists', field: known('load_time_ms') } })).toEqual(['Safari'])
    })

    it('interpolates percentiles and rates by thresholds, bounds inclusive for good', async () => {
      const ns = newNamespace()
      const samples = [1000, 2500, 2501, 4000, 4001]
      await storeRum(
        of(),
        ns,
        samples.map((lcp, at) => ({ at, vitals: { largest_contentful_paint_ms: lcp } }))
      )
      await storeRum(of(), ns, [
        { at: 9, sessionId: 's1' },
        { at: 9, sessionId: 's1' },
        { at: 9, sessionId: 's2' }
      ])
      const names = ['largest_contentful_paint_ms', 'load_time_ms'] as const
      const { rows, hasMore } = await vitals(of(), ns, { vitals: names, percentiles: [0.5, 0.75, 0.95] })
      expect(hasMore).toBe(false)
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({ key: null, events: 8, sessions: 2 })
      const [lcp, load] = rows[0]!.vitals
      expect(lcp).toMatchObject({ samples: 5, good: 2, needsImprovement: 2, poor: 1 })
      expect(lcp!.percentiles[0]).toBe(2501)
      expect(lcp!.percentiles[1]).toBe(4000)
      expect(lcp!.percentiles[2]).toBeCloseTo(4000.8, 9)
      expect(load).toEqual({
        vital: 'load_time_ms',
        samples: 0,
        percentiles: [null, null, null],
        good: 0,
        needsImprovement: 0,
        poor: 0
      })
    })

    it('groups vitals by a field, most events first', async () => {
      const ns = newNamespace()
      const paint = (ms: number) => ({ largest_contentful_paint_ms: ms })
      await storeRum(of(), ns, [
        { country: 'CH', vitals: paint(100), tags: { plan: 'pro' } },
        { country: 'CH', vitals: paint(200) },
        { country: 'DE', vitals: paint(5000) },
        { vitals: paint(1) },
        { vitals: paint(3) },
        { vitals: paint(5) }
      ])
      const byCountry = await vitals(of(), ns, { groupBy: known('country') })
      expect(byCountry.rows.map(({ key, events }) => [key, events])).toEqual([
        [null, 3],
        ['CH', 2],
        ['DE', 1]
      ])
      expect(byCountry.rows.map(row => row.vitals[0]!.percentiles[0])).toEqual([3, 150, 5000])
      const cut = await vitals(of(), ns, { groupBy: known('country'), limit: 2 })
      expect([cut.rows.length, cut.hasMore]).toEqual([2, true])
      const byPlan = await vitals(of(), ns, { groupBy: free('plan') })
      expect(byPlan.rows.map(({ key, events }) => [key, events])).toEqual([
        [null, 5],
        ['pro', 1]
      ])
    })

    pageViewCases(of)

    it('gives back APM errors and finds them by message, stack and tags', async () => {
      const ns = newNamespace()
      const ingestId = newIngestId()
      const full: ErrorSketch = {
        at: 3,
        message: 'Cannot read ÜBER of null',
        type: 'TypeError',
        stack: 'TypeError: x\n  at a.js:1',
        traceId: 't1',
        spanId: 's1',
        host: 'h1',
        tags: { deploy: { id: 7 } }
      }
      await storeErrors(of(), ns, [full, { at: 4 }], ingestId)
      expect(await storeErrors(of(), ns, [full], ingestId)).toMatchObject({ accepted: 0 })
      const { index: _index, ...content } = toError(full, 0)
      for (const filter of [
        { kind: 'contains', field: known('message'), value: 'über' },
        { kind: 'contains', field: known('stack'), value: 'AT A.JS' },
        { kind: 'eq', field: free('deploy.id'), value: '7' }
      ] as const) {
        const found = await of().events.searchErrors(ns, { range: EVERY_TIME, filter, rows: ROWS }, NEVER)
        expect(found.rows).toHaveLength(1)
        expect(found.rows![0]).toMatchObject(content)
      }
      expect(await of().events.getError(ns, recordId(ingestId, 0))).toMatchObject(content)
      expect(await of().events.getError(ns, recordId(ingestId, 5))).toBeNull()
    })

    it('groups errors by fingerprint, most recently seen first', async () => {
      const ns = newNamespace()
      await storeErrors(of(), ns, [
        { at: 1, message: 'old one', fingerprint: 'f1' },
        { at: 5, message: 'other', fingerprint: 'f2', type: 'TypeError', service: 'api' }
      ])
      const ingestId = newIngestId()
      await storeErrors(
        of(),
        ns,
        [
          { at: 9, message: 'newest one', fingerprint: 'f1' },
          { at: 5, fingerprint: 'f3' }
        ],
        ingestId
      )
      const { groups: found, hasMore } = await groups(of(), ns)
      expect(hasMore).toBe(false)
      expect(found.map(({ fingerprint }) => fingerprint)).toEqual(['f1', 'f2', 'f3'])
      expect(found[0]).toEqual({
        fingerprint: 'f1',
        service: 'shop',
        type: 'Error',
        message: 'newest one',
        count: 2,
        firstSeenNs: BASE_NS + 1n,
        lastSeenNs: BASE_NS + 9n,
        sampleId: recordId(ingestId, 0)
      })
      const cut = await groups(of(), ns, 2)
      expect([cut.groups.length, cut.hasMore]).toEqual([2, true])
      const filter: Filter = { kind: 'eq', field: known('service'), value: 'api' }
      expect((await groups(of(), ns, 5, filter)).groups.map(({ type }) => type)).toEqual(['TypeError'])
    })

    it('keeps namespaces and kinds apart, and removes only what is requested', async () => {
      const a = newNamespace()
      const b = `${a}b` as typeof a
      for (const ns of [a, b]) {
        await storeRum(of(), ns, [
          { at: 1, sessionId: ns },
          { at: 5, sessionId: ns }
        ])
        await storeErrors(of(), ns, [
          { at: 1, message: ns },
          { at: 5, message: ns }
        ])
      }
      const counts = async (ns: NamespaceId) => {
        const request = { range: EVERY_TIME, filter: MATCH_ALL, total: true }
        const rum = await of().events.searchRum(ns, request, NEVER)
        const errors = await of().events.searchErrors(ns, request, NEVER)
        return [rum.total!.value, errors.total!.value]
      }
      expect((await vitals(of(), a)).rows[0]).toMatchObject({ events: 2, sessions: 1 })
      expect((await pageViews(of(), a)).rows).toEqual([{ key: [], views: [2, 0, 0] }])
      expect((await groups(of(), b)).groups.map(({ message }) => message)).toEqual([b])
      await of().events.deleteBefore(a, 'rum', BASE_NS + 2n)
      expect(await counts(a)).toEqual([1, 2])
      await of().events.deleteBefore(a, 'errors', BASE_NS + 9n)
      expect(await counts(a)).toEqual([1, 0])
      await of().events.dropNamespace(a)
      expect(await counts(a)).toEqual([0, 0])
      expect(await counts(b)).toEqual([2, 2])
      await expect(storeRum(of(), a, [{}])).rejects.toMatchObject({ code: 'namespace_deleted' })
      await expect(storeErrors(of(), a, [{}])).rejects.toMatchObject({ code: 'namespace_deleted' })
    })

    it('handles a namespace that was never written, and an aborted reader', async () => {
      const ns = newNamespace()
      expect((await vitals(of(), ns)).rows.every(({ events }) => events === 0)).toBe(true)
      expect(await groups(of(), ns)).toEqual({ groups: [], hasMore: false })
      expect(await pageViews(of(), ns)).toEqual(NO_PAGE_VIEWS)
      expect(await pageViews(of(), ns, { groupBy: [known('country')] })).toEqual(NO_PAGE_VIEWS)
      const reason = new Error('gone')
      const request = { range: EVERY_TIME, filter: MATCH_ALL, rows: ROWS }
      await expect(of().events.searchRum(ns, request, AbortSignal.abort(reason))).rejects.toBe(reason)
      await expect(of().events.searchErrors(ns, request, AbortSignal.abort(reason))).rejects.toBe(reason)
    })
  })
}
