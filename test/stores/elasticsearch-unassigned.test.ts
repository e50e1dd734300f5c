import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { StoragePlan, SubstringSearch } from '../../src/domain/storage-plan.js'
import type { UnassignedLog, UnassignedLogs, WrittenPatterns } from '../../src/ports/unassigned-logs.js'
import type { ElasticsearchStores } from '../../src/stores/elasticsearch/elasticsearch-stores.js'
import { ingestIdAt } from '../contract/fresh-ids.js'
import { find, known, messagesOf, store, type LogSketch } from '../contract/log-fixtures.js'
import { newNamespace } from '../contract/store-under-test.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { engineApi, openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

const FOUND = 'bbbbbbbbbbbbbbbbbbbb'
const HOUR_MS = 3_600_000
const LOGS: readonly LogSketch[] = [
  { at: 0, message: 'one', fields: { status: 1 } },
  { at: 1, message: 'two', fields: { status: 2 } },
  { at: 2, message: 'three', fields: { status: 3 } }
]

interface Hit {
  readonly _id: string
  readonly _seq_no: number
  readonly _source: Readonly<Record<string, unknown>>
}

for (const server of SEARCH_SERVERS) {
  describeOn(server, `patterns for logs that are stored on ${server}`, access => {
    let site: ElasticsearchSite
    let stores: ElasticsearchStores
    const clock = new ClockAhead()
    beforeAll(async () => {
      site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
      stores = await site.open({ clock })
    })
    afterAll(() => site.close())

    function dedicated(search: SubstringSearch = 'exact'): NamespaceId {
      const ns = newNamespace()
      const plan: StoragePlan = { placement: 'dedicated', search }
      site.namespaces.setPlan(ns, plan)
      return ns
    }

    const unassigned = (): UnassignedLogs => stores.logs.unassigned

    /** The first part, and the first page of it. */
    async function first(ns: NamespaceId, of = unassigned()): Promise<readonly [string, readonly UnassignedLog[]]> {
      const { part } = (await of.parts(ns))[0]!
      return [part, (await of.page(ns, { part, after: -1 })) as readonly UnassignedLog[]]
    }

    function assign(ns: NamespaceId, part: string, page: readonly UnassignedLog[], of = unassigned()) {
      const places = Float64Array.from(page, ({ place }) => place)
      return of.assign(ns, part, { places, of: new Uint32Array(places.length), ids: [FOUND] })
    }

    async function hitsOf(ns: NamespaceId, index: string): Promise<readonly Hit[]> {
      const body = { query: { term: { ns } }, size: 1_000, seq_no_primary_term: true, sort: [{ id: 'asc' }] }
      await engineApi(access, 'POST', `/${index}/_refresh`)
      return ((await engineApi(access, 'POST', `/${index}/_search`, body)) as { hits: { hits: Hit[] } }).hits.hits
    }

    const withPattern = ({ _id, _source }: Hit) => ({ _id, _source: { ..._source, 'log.pattern_id': FOUND } })

    it('leaves the documents of other namespaces in a shared index untouched, and all but the pattern of its own', async () => {
      const [ns, other] = [newNamespace(), newNamespace()]
      site.namespaces.setPlan(other, { placement: 'pooled', search: 'exact' })
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      // In the same pool, whichever pool its id would choose: there, a namespace is only a term.
      const [own] = await hitsOf(ns, part)
      const foreign = { ...own!._source, ns: other }
      await engineApi(access, 'PUT', `/${part}/_doc/${other}-x?refresh=true`, foreign)
      const before = [await hitsOf(ns, part), await hitsOf(other, part)]
      expect(await assign(ns, part, page)).toMatchObject({
        assigned: 3,
        isWhole: true,
        next: { part, after: page.at(-1)!.place }
      })
      expect((await hitsOf(ns, part)).map(({ _id, _source }) => ({ _id, _source }))).toEqual(before[0]!.map(withPattern))
      expect(await hitsOf(other, part)).toEqual(before[1])
    })

    it('writes nothing for the place of a log of another namespace', async () => {
      const [ns, other] = [newNamespace(), newNamespace()]
      await store(stores.logs, ns, LOGS)
      const [part] = await first(ns)
      const [own] = await hitsOf(ns, part)
      await engineApi(access, 'PUT', `/${part}/_doc/${other}-x?refresh=true`, { ...own!._source, ns: other })
      const [foreign] = await hitsOf(other, part)
      const log = { place: foreign!._seq_no, message: '', timestampNs: 0n }
      expect(await assign(ns, part, [log])).toMatchObject({ assigned: 0 })
      expect(await hitsOf(other, part)).toEqual([foreign])
    })

    it('knows no index but those of the namespace', async () => {
      const [ns, other] = [dedicated(), dedicated()]
      for (const each of [ns, other]) await store(stores.logs, each, LOGS)
      const [part, page] = await first(other)
      for (const name of [part, `${part},x`, '*', '_all', part.replace('.app-', '.app.write-')]) {
        expect(await unassigned().page(ns, { part: name, after: -1 })).toBe('gone')
        expect(await assign(ns, name, page)).toBe('gone')
        expect(await assign(ns, name, [])).toBe('gone')
      }
      expect((await find(stores.logs, other)).map(({ patternId }) => patternId)).toEqual([null, null, null])
    })

    it.each(['exact', 'approximate', 'off'] as const)('keeps what finds a log in an index with %s substrings', async search => {
      const ns = dedicated(search)
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      const before = await hitsOf(ns, part)
      await assign(ns, part, page)
      expect((await hitsOf(ns, part)).map(({ _id, _source }) => ({ _id, _source }))).toEqual(before.map(withPattern))
      expect(await messagesOf(stores.logs, ns, { kind: 'eq', field: { in: 'free', name: 'status' }, value: '2' })).toEqual([
        'two'
      ])
      expect(await messagesOf(stores.logs, ns, { kind: 'eq', field: known('pattern_id'), value: FOUND })).toHaveLength(3)
      if (search === 'off') return
      const body = { query: { prefix: { tri: 'thr' } } }
      const { hits } = (await engineApi(access, 'POST', `/${part}/_search`, body)) as { hits: { hits: Hit[] } }
      expect(hits.hits.map(({ _source }) => _source['message'])).toEqual(['three'])
      if (search === 'exact')
        expect(await messagesOf(stores.logs, ns, { kind: 'contains', field: known('message'), value: 'hree' })).toEqual(['three'])
    })

    it('keeps members of a document that this version does not know', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [part] = await first(ns)
      const [one] = await hitsOf(ns, part)
      const later = { ...one!._source, 'log.later': { deep: [1, '\u{1f680}'] } }
      await engineApi(access, 'PUT', `/${part}/_doc/${one!._id}`, later)
      const [, page] = await first(ns)
      await assign(ns, part, page)
      expect((await hitsOf(ns, part))[0]!._source).toEqual({ ...later, 'log.pattern_id': FOUND })
    })

    it('reads and writes logs that one response cannot hold in several', async () => {
      const narrow = await site.open({ limits: { readBytes: 100_000 } })
      const ns = dedicated()
      const sketches = Array.from({ length: 20 }, (_, at) => ({ at, message: `${at} ${'x'.repeat(at < 15 ? 20_000 : 40_000)}` }))
      await store(narrow.logs, ns, sketches)
      const [part] = await first(ns)
      const read: UnassignedLog[] = []
      for (;;) {
        const page = await narrow.logs.unassigned.page(ns, { part, after: read.at(-1)?.place ?? -1 })
        if (page.length === 0) break
        read.push(...(page as readonly UnassignedLog[]))
      }
      // Parts of a batch are written at once.
      const messages = (logs: readonly { readonly message: string }[]) => new Set(logs.map(({ message }) => message))
      expect([read.length, messages(read)]).toEqual([sketches.length, messages(sketches)])
      expect(await assign(ns, part, read, narrow.logs.unassigned)).toMatchObject({ assigned: 20 })
      expect(new Set((await find(stores.logs, ns)).map(({ patternId }) => patternId))).toEqual(new Set([FOUND]))
    })

    it('leaves logs that were changed or deleted since they were read', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      const [one, two] = await hitsOf(ns, part)
      await engineApi(access, 'DELETE', `/${part}/_doc/${one!._id}`)
      await engineApi(access, 'PUT', `/${part}/_doc/${two!._id}`, { ...two!._source, 'log.pattern_id': 'changed' })
      // Neither is visible yet to the search that reads the documents.
      expect(await assign(ns, part, page)).toMatchObject({ assigned: 1 })
      const left = await hitsOf(ns, part)
      expect(left.map(({ _id, _source }) => [_id === two!._id, _source['log.pattern_id']])).toEqual([
        [true, 'changed'],
        [false, FOUND]
      ])
    })

    it('gives each log its pattern once when two gateways do so at once', async () => {
      const second = await site.open()
      const ns = dedicated()
      await store(
        stores.logs,
        ns,
        Array.from({ length: 1_200 }, (_, at) => ({ at, message: `${at}` }))
      )
      const [part, page] = await first(ns)
      const both = [unassigned(), second.logs.unassigned].map(of => assign(ns, part, page, of))
      const counts = (await Promise.all(both)).map(written => (written as WrittenPatterns).assigned)
      expect(counts[0]! + counts[1]!).toBe(1_200)
      expect(await unassigned().parts(ns)).toEqual([])
    })

    it('finds nothing to do once the namespace is deleted', async () => {
      const ns = newNamespace()
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      await stores.logs.dropNamespace(ns)
      expect(await assign(ns, part, page)).toBe('gone')
      expect([await hitsOf(ns, part), await unassigned().parts(ns)]).toEqual([[], []])
    })

    it('makes no index again that was deleted meanwhile', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      await engineApi(access, 'DELETE', `/${part}`)
      await expect(assign(ns, part, page)).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(await assign(ns, part, page)).toMatchObject({ assigned: 0, missed: 3 })
      expect(await unassigned().parts(ns)).toEqual([])
      await expect(engineApi(access, 'GET', `/${part}`)).rejects.toThrow('404')
    })

    it('goes on after an index that took no writes, or lacked the alias for them', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      const alias = { index: part, alias: part.replace('.app-', '.app.write-') }
      await engineApi(access, 'PUT', `/${part}/_settings`, { 'index.blocks.write': true })
      await expect(assign(ns, part, page)).rejects.toMatchObject({ code: 'store_unavailable' })
      await engineApi(access, 'PUT', `/${part}/_settings`, { 'index.blocks.write': null })
      await engineApi(access, 'POST', '/_aliases', { actions: [{ remove: alias }] })
      const lacking = {
        code: 'store_unavailable',
        diagnosis: expect.stringContaining(`${part} of the search store lacks its write alias ${alias.alias};`)
      }
      await expect(assign(ns, part, page)).rejects.toMatchObject(lacking)
      await engineApi(access, 'POST', '/_aliases', { actions: [{ add: alias }] })
      expect(await assign(ns, part, page)).toMatchObject({ assigned: 3 })
    })

    it('refuses while an index is closed, rather than leave its logs out', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [part, page] = await first(ns)
      await engineApi(access, 'POST', `/${part}/_close`)
      const calls = [() => unassigned().parts(ns), () => unassigned().page(ns, { part, after: -1 }), () => assign(ns, part, page)]
      for (const call of calls) await expect(call()).rejects.toBeInstanceOf(GatewayError)
      await engineApi(access, 'POST', `/${part}/_open`)
    })

    it('refuses while an index is closed, also next to one that is not made yet', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [early] = await first(ns)
      const rolling = await site.open({ clock, limits: { rollBytes: 1 } })
      await rolling.upkeep()
      await engineApi(access, 'POST', `/${early}/_close`)
      const { unassigned: both } = rolling.logs
      await expect(both.parts(ns)).rejects.toBeInstanceOf(GatewayError)
      await engineApi(access, 'POST', `/${early}/_open`)
      expect(await both.parts(ns)).toEqual([{ part: early, logs: 3 }])
    })

    it('lists the latest index first, and gives logs of earlier ones theirs', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, LOGS)
      const [early, page] = await first(ns)
      const rolling = await site.open({ clock, limits: { rollBytes: 1 } })
      await rolling.upkeep()
      clock.aheadMs += HOUR_MS
      await store(stores.logs, ns, [{ message: 'new' }], ingestIdAt(clock.nowMs()))
      const parts = await unassigned().parts(ns)
      expect(parts).toEqual([
        { part: expect.stringMatching(/-000002$/), logs: 1 },
        { part: early, logs: 3 }
      ])
      expect(await assign(ns, early, page)).toMatchObject({ assigned: 3 })
      expect(await unassigned().parts(ns)).toEqual(parts.slice(0, 1))
    })

    it('counts no logs that a deletion has hidden', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, [{ message: 'old', at: 0 }, ...LOGS.map(log => ({ ...log, at: 10_000 }))])
      const timeNs = (await find(stores.logs, ns)).at(-1)!.timestampNs + 1n
      await stores.logs.deleteBefore(ns, timeNs)
      const [, page] = await first(ns)
      expect([(await unassigned().parts(ns))[0]!.logs, page.length]).toEqual([3, 3])
    })
  })
}
