import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SubstringSearch } from '../../src/domain/storage-plan.js'
import { EngineClient } from '../../src/stores/elasticsearch/client/engine-client.js'
import { NodeWatches } from '../../src/stores/elasticsearch/client/node-watches.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { DEFAULT_LIMITS } from '../../src/stores/elasticsearch/limits.js'
import { MAX_COUNTED_VALUES } from '../../src/stores/elasticsearch/read/facet-counts.js'
import { HttpSearchEngine } from '../../src/stores/elasticsearch/read/http-search-engine.js'
import { Scope } from '../../src/stores/elasticsearch/read/scope.js'
import type { ElasticsearchStores } from '../../src/stores/elasticsearch/elasticsearch-stores.js'
import { find, free, known, messagesOf, pageThrough, store, storeApart } from '../contract/log-fixtures.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId, newNamespace } from '../contract/store-under-test.js'
import { engineApi, openElasticsearchSite, serverOf, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

const LONG = `${'x'.repeat(40_000)} the END`

function contains(value: string): Filter {
  return { kind: 'contains', field: known('message'), value }
}

for (const server of SEARCH_SERVERS) {
  describeOn(server, `reading from ${server}`, access => {
    let site: ElasticsearchSite
    let stores: ElasticsearchStores

    beforeAll(async () => {
      site = await openElasticsearchSite(access, { placement: 'dedicated', search: 'exact' })
      stores = await site.open()
    }, 60_000)

    afterAll(() => site.close())

    function namespaceWith(search: SubstringSearch): NamespaceId {
      const ns = newNamespace()
      site.namespaces.setPlan(ns, { placement: 'dedicated', search })
      return ns
    }

    /** Another gateway, which knows of the further generations that `add` puts into the catalog. */
    async function withGenerations(ns: NamespaceId, count: number): Promise<ElasticsearchStores> {
      const [first] = await site.control.indices.of(ns, 'logs')
      for (let number = 2; number <= count; number++) {
        const index = first!.index.replace(/\d{6}$/, String(number).padStart(6, '0'))
        await site.control.indices.add({ ...first!, number, index, fromMs: Date.now(), madeAtMs: null })
      }
      return site.open()
    }

    it('looks at the records where trigrams are a set: rows and counts are exact', async () => {
      const ns = namespaceWith('approximate')
      // The second holds all trigrams of `abcabd`, but not in a row.
      await storeApart(stores.logs, ns, [{ message: 'x abcabd' }, { message: 'abd bcab abcab' }, { message: 'y' }])
      expect(await messagesOf(stores.logs, ns, contains('abcabd'))).toEqual(['x abcabd'])
      expect(await messagesOf(stores.logs, ns, { kind: 'not', of: contains('ABCABD') })).toEqual(['abd bcab abcab', 'y'])
      const filter = contains('abcabd')
      const facets = [{ field: known('service'), filter, limit: 3 }]
      const found = await stores.logs.search(ns, { range: EVERY_TIME, filter, total: true, facets }, NEVER)
      expect(found).toMatchObject({ total: { value: 1 }, complete: true, facets: [{ missing: 1 }] })
    })

    it('refuses substrings where they are switched off, and serves all else', async () => {
      const ns = namespaceWith('off')
      await storeApart(stores.logs, ns, [{ message: 'one', service: 'shop' }, { message: 'two' }])
      await expect(messagesOf(stores.logs, ns, contains('on'))).rejects.toMatchObject({ code: 'unsupported_by_store' })
      expect(await messagesOf(stores.logs, ns, { kind: 'eq', field: known('message'), value: 'one' })).toEqual(['one'])
      expect(await messagesOf(stores.logs, ns, { kind: 'contains', field: known('service'), value: 'HO' })).toEqual(['one'])
      expect(await messagesOf(stores.logs, ns)).toEqual(['one', 'two'])
    })

    it('stays exact on values that are too long for a term', async () => {
      const ns = newNamespace()
      await store(stores.logs, ns, [
        { message: LONG, fields: { k: LONG } },
        { message: LONG.slice(0, -1), fields: { k: LONG.slice(0, -1) } },
        { message: 'short', fields: { k: 'x the END' } }
      ])
      const fields = [known('message'), free('k')]
      for (const field of fields) {
        const count = async (filter: Filter) => {
          const found = await stores.logs.search(ns, { range: EVERY_TIME, filter, total: true }, NEVER)
          return found.total!.value
        }
        expect(await count({ kind: 'eq', field, value: LONG })).toBe(1)
        expect(await count({ kind: 'prefix', field, value: LONG.slice(0, -1) })).toBe(2)
        expect(await count({ kind: 'prefix', field, value: 'xxx' })).toBe(2)
        expect(await count({ kind: 'contains', field, value: 'x THE en' })).toBe(field.in === 'known' ? 2 : 3)
        expect(await count({ kind: 'not', of: { kind: 'regex', field, pattern: 'x+ the END', fold: false } })).toBe(
          field.in === 'known' ? 2 : 1
        )
        expect(await count({ kind: 'range', field, gt: LONG.slice(0, -1), lt: 'y' })).toBe(1)
      }
    }, 60_000)

    it('counts facets of many values over several indices', async () => {
      const ns = newNamespace()
      const values = MAX_COUNTED_VALUES + 500
      const sketches = Array.from({ length: values }, (_, i) => ({
        service: `s${String(i).padStart(5, '0')}`,
        fields: { id: i, few: i % 3 }
      }))
      await store(stores.logs, ns, sketches)
      const later = await withGenerations(ns, 2)
      await store(later.logs, ns, [...sketches.slice(0, 700), ...sketches.slice(0, 2)])
      const facets = [known('service'), free('id'), free('few')].map(field => ({ field, filter: MATCH_ALL, limit: 3 }))
      const found = await later.logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, facets }, NEVER)
      const [service, id, few] = found.facets!
      const total = values + 702
      expect(service!.values.map(({ value, count }) => [value, count])).toEqual([
        ['s00000', 3],
        ['s00001', 3],
        ['s00002', 2]
      ])
      expect(service).toMatchObject({ distinct: { value: MAX_COUNTED_VALUES, relation: 'gte' }, other: total - 8, missing: 0 })
      expect(id).toMatchObject({ distinct: { value: MAX_COUNTED_VALUES, relation: 'gte' }, other: total - 8, missing: 0 })
      expect(few!.values.reduce((sum, { count }) => sum + count, 0)).toBe(total)
      expect(found.complete).toBe(true)
    }, 60_000)

    it.each(['asc', 'desc'] as const)(
      'pages %s through several indices without loss',
      async order => {
        const ns = newNamespace()
        const times = [5, 5, 5, 1, 9, 5, 9, 1, 5, 5]
        await store(
          stores.logs,
          ns,
          times.map(at => ({ at }))
        )
        const later = await withGenerations(ns, 2)
        for (let batch = 0; batch < 5; batch++) {
          const half = batch % 2 === 0 ? later.logs : stores.logs
          await store(
            half,
            ns,
            times.map(at => ({ at: at + (batch % 2) }))
          )
        }
        const whole = (await find(later.logs, ns, MATCH_ALL, { order })).map(({ id }) => id)
        expect(whole).toHaveLength(60)
        for (const limit of [1, 7]) expect(await pageThrough(later.logs, ns, { limit, order })).toEqual(whole)
      },
      60_000
    )

    it('reads from more indices than fit into a request line', async () => {
      const ns = newNamespace()
      await storeApart(stores.logs, ns, [{ message: 'here' }])
      const later = await withGenerations(ns, 80)
      expect(await messagesOf(later.logs, ns)).toEqual(['here'])
    })

    it('reports that a shard is lost instead of responding without it', async () => {
      const ns = newNamespace()
      await storeApart(stores.logs, ns, [{ message: 'here' }])
      const later = await withGenerations(ns, 2)
      const lost = (await site.control.indices.of(ns, 'logs'))[1]!.index
      const settings = { 'index.routing.allocation.require._name': 'nowhere', 'index.number_of_replicas': 0 }
      await engineApi(access, 'PUT', `/${lost}?wait_for_active_shards=0`, { settings })
      await expect(messagesOf(later.logs, ns)).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(await messagesOf(stores.logs, newNamespace())).toEqual([])
    }, 30_000)

    it('counts buckets with bounds inside a millisecond', async () => {
      const ns = newNamespace()
      await store(stores.logs, ns, [{ at: 0 }, { at: 1_499_999 }, { at: 1_500_000 }, { at: 2_999_999 }, { at: 3_000_000 }])
      const histogram = { startNs: BASE_NS, stepNs: 1_500_000n, count: 2 }
      const found = await stores.logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, histogram }, NEVER)
      expect(found.histogram).toEqual([{ key: null, counts: [2, 2] }])
    })

    it('counts whole milliseconds under a time that is open below or above', async () => {
      const ns = newNamespace()
      await store(stores.logs, ns, [{ at: 0 }, { at: 1_499_999 }, { at: 3_000_000 }])
      const histogram = { startNs: BASE_NS, stepNs: 1_000_000n, count: 4 }
      const send = async (bound: object) => {
        const filter: Filter = { kind: 'range', field: known('timestamp'), ...bound }
        const found = await stores.logs.search(ns, { range: EVERY_TIME, filter, histogram, total: true }, NEVER)
        return found.histogram![0]!.counts
      }
      expect(await send({ lt: String(BASE_NS + 2_000_000n) })).toEqual([1, 1, 0, 0])
      expect(await send({ gte: String(BASE_NS + 1n) })).toEqual([0, 1, 0, 1])
    })

    it('reads a record of another namespace by no means', async () => {
      const pooled = (): NamespaceId => {
        const ns = newNamespace()
        site.namespaces.setPlan(ns, { placement: 'pooled', search: 'exact' })
        return ns
      }
      // More than there are pools: some share their index.
      const all = Array.from({ length: 6 }, pooled)
      const ingestId = newIngestId()
      for (const ns of all) await store(stores.logs, ns, [{ message: ns }], ingestId)
      for (const ns of all) {
        expect(await messagesOf(stores.logs, ns, { kind: 'or', of: [MATCH_ALL, contains('nscontract')] })).toEqual([ns])
        expect(
          await messagesOf(stores.logs, ns, { kind: 'not', of: { kind: 'eq', field: known('message'), value: ns } })
        ).toEqual([])
      }
    })
  })
}

describe('a search that no one waits for', () => {
  it('is ended in the engine, and rejects with the reason', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const server = serverOf({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
    const watches = new NodeWatches({ server, clock: systemClock })
    const client = new EngineClient(server, 1, watches)
    const engine = new HttpSearchEngine(client, { timeoutMs: 60_000, maxResponseBytes: DEFAULT_LIMITS.readBytes }, null)
    const scope = new Scope({ indices: ['i'], mandatory: [], search: 'exact' }, EVERY_TIME)
    const reader = new AbortController()
    const requested = once(silent, 'request')
    const response = engine.search(['i'], { query: scope.confine({}), size: 0, track_total_hits: false }, reader.signal)
    const [request] = await requested
    const ended = once(request.socket, 'close')
    const reason = new Error('the reader went away')
    reader.abort(reason)
    await expect(response).rejects.toBe(reason)
    await ended
    await Promise.all([client.close(), watches.close()])
    silent.close()
  })
})
