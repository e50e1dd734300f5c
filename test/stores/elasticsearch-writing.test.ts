import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { JsonObject } from '../../src/domain/json.js'
import type { StoragePlan } from '../../src/domain/storage-plan.js'
import { bodyIngestId } from '../../src/ingest/body-identity.js'
import { FairScheduler } from '../../src/ingest/fair-scheduler.js'
import type { ElasticsearchStores } from '../../src/stores/elasticsearch/elasticsearch-stores.js'
import { ingestIdAt } from '../contract/fresh-ids.js'
import { find, messagesOf, store, toLog, type LogSketch } from '../contract/log-fixtures.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId, newNamespace } from '../contract/store-under-test.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { engineApi, openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

const POOLED: StoragePlan = { placement: 'pooled', search: 'exact' }
const DEDICATED: StoragePlan = { placement: 'dedicated', search: 'exact' }
const HOUR_MS = 3_600_000

const SOME_LOGS: readonly LogSketch[] = [{ message: 'one' }, { message: 'two' }, { message: 'three' }]

for (const server of SEARCH_SERVERS) {
  describeOn(server, `writing to ${server}`, access => {
    let site: ElasticsearchSite
    let stores: ElasticsearchStores
    const clock = new ClockAhead()
    beforeAll(async () => {
      site = await openElasticsearchSite(access, POOLED)
      stores = await site.open({ clock })
    })
    afterAll(() => site.close())

    function dedicated(): NamespaceId {
      const ns = newNamespace()
      site.namespaces.setPlan(ns, DEDICATED)
      return ns
    }

    async function indexOf(ns: NamespaceId): Promise<string> {
      return (await site.control.indices.of(ns, 'logs')).at(-1)!.index
    }

    function append(ns: NamespaceId, sketches: readonly LogSketch[], ingestId = newIngestId()) {
      return stores.logs.append(ns, { ingestId, items: sketches.map(toLog) })
    }

    it('keeps a batch out of an index that an operator has closed to writes, and takes it afterwards', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, [{ message: 'before' }])
      const index = await indexOf(ns)
      const ingestId = newIngestId()
      await engineApi(access, 'PUT', `/${index}/_settings`, { 'index.blocks.write': true })
      await expect(append(ns, SOME_LOGS, ingestId)).rejects.toMatchObject({ code: 'store_unavailable' })
      await engineApi(access, 'PUT', `/${index}/_settings`, { 'index.blocks.write': null })
      expect(await store(stores.logs, ns, SOME_LOGS, ingestId)).toEqual({ accepted: 3, deduplicated: 0, failures: [] })
    })

    it('reports that the disk is full when the engine does', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, [{ message: 'before' }])
      const index = await indexOf(ns)
      // What a node sets at its flood stage.
      await engineApi(access, 'PUT', `/${index}/_settings`, { 'index.blocks.read_only_allow_delete': true })
      await expect(append(ns, SOME_LOGS)).rejects.toMatchObject({ code: 'storage_full' })
      await engineApi(access, 'PUT', `/${index}/_settings`, { 'index.blocks.read_only_allow_delete': null })
    })

    it('stores a batch once when part of it had been stored', async () => {
      const ns = dedicated()
      const ingestId = newIngestId()
      await append(ns, SOME_LOGS.slice(0, 2), ingestId)
      expect(await store(stores.logs, ns, SOME_LOGS, ingestId)).toEqual({ accepted: 1, deduplicated: 2, failures: [] })
      expect(await messagesOf(stores.logs, ns)).toEqual(['one', 'three', 'two'])
    })

    it('splits a batch that is larger than one request, and still reports each record', async () => {
      const small = await site.open({ limits: { bulkBytes: 64 * 1024, bulkSlots: 2 } })
      const ns = newNamespace()
      const sketches = Array.from({ length: 3_000 }, (_, at) => ({ at, message: `${at} ${'x'.repeat(200)}` }))
      const ingestId = newIngestId()
      expect(await store(small.logs, ns, sketches, ingestId)).toMatchObject({ accepted: 3_000 })
      expect(await store(small.logs, ns, sketches, ingestId)).toMatchObject({ accepted: 0, deduplicated: 3_000 })
      const found = await small.logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, total: true }, NEVER)
      expect(found.total!.value).toBe(3_000)
    })

    it('refuses what does not fit the queue, and takes it once there is room', async () => {
      const narrow = await site.open({ limits: { queueBytes: 20_000 } })
      const ns = newNamespace()
      const batch = () => narrow.logs.append(ns, { ingestId: newIngestId(), items: [toLog({ message: 'x'.repeat(3_000) }, 0)] })
      const outcomes = await Promise.allSettled([batch(), batch(), batch()])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect(outcomes[2]).toMatchObject({ reason: { code: 'overloaded' } })
      expect(await batch()).toMatchObject({ accepted: 1 })
      expect(await narrow.gauges()).toMatchObject({ queue_bytes: 0, queue_refused_total: 2 })
    })

    it('makes the index again when someone deleted it', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, [{ message: 'lost' }])
      await engineApi(access, 'DELETE', `/${await indexOf(ns)}`)
      expect(await store(stores.logs, ns, SOME_LOGS)).toMatchObject({ accepted: 3 })
      expect(await messagesOf(stores.logs, ns)).toEqual(['one', 'three', 'two'])
    })

    it('takes eight gateways that write first at once', async () => {
      const gateways = await Promise.all(Array.from({ length: 8 }, () => site.open()))
      const ns = dedicated()
      const ingestId = newIngestId()
      const results = await Promise.all(gateways.map(({ logs }) => logs.append(ns, { ingestId, items: SOME_LOGS.map(toLog) })))
      expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(3)
      expect(results.reduce((sum, { deduplicated }) => sum + deduplicated, 0)).toBe(21)
      await gateways[7]!.logs.settle(ns)
      expect(await messagesOf(gateways[7]!.logs, ns)).toEqual(['one', 'three', 'two'])
      expect(await site.control.indices.of(ns, 'logs')).toHaveLength(1)
    })

    it('stores a repeated batch once across a new generation of the index, from any gateway', async () => {
      const ns = dedicated()
      const ingestId = newIngestId()
      await store(stores.logs, ns, SOME_LOGS.slice(0, 2), ingestId)
      const rolling = await site.open({ clock, limits: { rollBytes: 1 } })
      await rolling.upkeep()
      const [first, second] = await site.control.indices.of(ns, 'logs')
      expect(second).toMatchObject({ number: 2, search: 'exact' })
      expect(second!.fromMs).toBeGreaterThan(clock.nowMs())
      clock.aheadMs += HOUR_MS
      const later = ingestIdAt(clock.nowMs())
      expect(await store(stores.logs, ns, [{ message: 'new' }], later)).toMatchObject({ accepted: 1 })
      expect(await store(rolling.logs, ns, SOME_LOGS, ingestId)).toEqual({ accepted: 1, deduplicated: 2, failures: [] })
      expect(await store(rolling.logs, ns, [{ message: 'new' }], later)).toMatchObject({ deduplicated: 1 })
      expect(await messagesOf(rolling.logs, ns)).toEqual(['new', 'one', 'three', 'two'])
      const counts = (await engineApi(access, 'GET', `/${first!.index},${second!.index}/_stats/docs`)) as {
        indices: Record<string, { primaries: { docs: { count: number } } }>
      }
      expect([first, second].map(generation => counts.indices[generation!.index]!.primaries.docs.count)).toEqual([3, 1])
    })

    it('stores a body once across a new generation, however fast the clock of its sender is', async () => {
      const ns = dedicated()
      const identity = { namespace: ns, signal: 'logs', body: Buffer.from('{}'), sentMs: clock.nowMs() + HOUR_MS - 60_000 }
      const idOf = () => bodyIngestId(identity, { nowMs: clock.nowMs(), scheduler: new FairScheduler(1) })
      const ingestId = await idOf()
      await store(stores.logs, ns, SOME_LOGS, ingestId)
      const rolling = await site.open({ clock, limits: { rollBytes: 1 } })
      await rolling.upkeep()
      clock.aheadMs += 600_000
      expect(await idOf()).toBe(ingestId)
      expect(await store(rolling.logs, ns, SOME_LOGS, ingestId)).toEqual({ accepted: 0, deduplicated: 3, failures: [] })
      expect(await messagesOf(rolling.logs, ns)).toEqual(['one', 'three', 'two'])
    })

    it('deletes a whole index once all in it is old, and stores a late repeat in the next', async () => {
      const ns = dedicated()
      const early = newIngestId()
      await store(stores.logs, ns, [{ message: 'old', at: 0 }], early)
      const rolling = await site.open({ clock, limits: { rollBytes: 1 } })
      await rolling.upkeep()
      clock.aheadMs += HOUR_MS
      await store(stores.logs, ns, [{ message: 'new', at: 1_000 }], ingestIdAt(clock.nowMs()))
      const [first] = await site.control.indices.of(ns, 'logs')
      await stores.logs.deleteBefore(ns, BASE_NS + 500n)
      expect((await site.control.indices.of(ns, 'logs')).map(({ number }) => number)).toEqual([2])
      await expect(engineApi(access, 'GET', `/${first!.index}`)).rejects.toThrow('404')
      expect(await messagesOf(stores.logs, ns)).toEqual(['new'])
      expect(await store(rolling.logs, ns, [{ message: 'late', at: 2_000 }], early)).toMatchObject({ accepted: 1 })
      expect(await messagesOf(stores.logs, ns)).toEqual(['late', 'new'])
      await expect(engineApi(access, 'GET', `/${first!.index}`)).rejects.toThrow('404')
    })

    it('keeps an index whose block a deletion left behind', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, [{ message: 'kept', at: 1_000 }])
      const rolling = await site.open({ clock, limits: { rollBytes: 1 } })
      await rolling.upkeep()
      clock.aheadMs += HOUR_MS
      const index = (await site.control.indices.of(ns, 'logs'))[0]!.index
      await engineApi(access, 'PUT', `/${index}/_block/write`)
      await stores.logs.deleteBefore(ns, BASE_NS + 500n)
      expect(await store(stores.logs, ns, SOME_LOGS)).toMatchObject({ accepted: 3 })
    })

    it('finishes the deletion of a namespace that another gateway wrote to meanwhile', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, SOME_LOGS)
      const index = await indexOf(ns)
      site.namespaces.setState(ns, 'deleted')
      await expect(append(ns, SOME_LOGS)).rejects.toMatchObject({ code: 'namespace_deleted' })
      expect(await find(stores.logs, ns)).toEqual([])
      await stores.upkeep()
      expect(await site.control.indices.of(ns, 'logs')).toEqual([])
      await expect(engineApi(access, 'GET', `/${index}`)).rejects.toThrow('404')
    })

    it('leaves an index alone that no catalog knows, and names it', async () => {
      const ns = dedicated()
      await store(stores.logs, ns, SOME_LOGS)
      const generation = (await site.control.indices.of(ns, 'logs'))[0]!
      await site.control.indices.remove(generation.index)
      await stores.upkeep()
      const [health] = await stores.health()
      expect(health!.diagnosis).toContain(generation.index)
      expect(health!.detail).not.toContain(generation.index)
      await site.control.indices.add(generation)
      await stores.upkeep()
      expect(await messagesOf(stores.logs, ns)).toEqual(['one', 'three', 'two'])
    })

    it('reports sizes per namespace, in a pool too', async () => {
      const [own, shared] = [dedicated(), newNamespace()]
      for (const ns of [own, shared]) await store(stores.logs, ns, SOME_LOGS)
      const sizes = await stores.sizes()
      for (const ns of [own, shared]) {
        const size = sizes.find(({ namespace }) => namespace === ns)!
        expect(size.records).toBe(3)
        expect(size.bytes).toBeGreaterThan(0)
      }
    })

    it('refuses no record, whatever it holds', async () => {
      const ns = newNamespace()
      const nasty = fc.constantFrom(
        '',
        '.',
        '..',
        'x.',
        ' ',
        'a.b',
        '\u0000',
        '\u001f',
        '__proto__',
        'ns',
        'tri',
        '\ufffe',
        '\u{1f600}'
      )
      const text = fc.oneof(
        nasty,
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom('z', 'z', 'z', 'z', '中'.repeat(10_000), 'y'.repeat(31_744))
      )
      const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
      const { value } = fc.letrec<{ value: JsonObject[string] }>(tie => ({
        value: fc.oneof(
          { maxDepth: 8, depthSize: 'small' },
          scalar,
          fc.array(tie('value'), { maxLength: 3 }),
          fc.dictionary(
            text.filter(key => key.length < 128),
            tie('value'),
            { maxKeys: 3 }
          )
        )
      }))
      const object = fc.dictionary(
        text.filter(key => key.length < 128),
        value,
        { maxKeys: 4 }
      ) as fc.Arbitrary<JsonObject>
      const record = fc.record({
        message: fc.oneof(text, fc.constant('中\u0000'.repeat(40_000))),
        level: fc.option(fc.oneof(text, fc.constant('i̇'.repeat(15_000)))),
        service: fc.option(text),
        host: fc.option(text),
        fields: object,
        tags: object
      })
      const sketches = fc
        .sample(record, { numRuns: 40, seed: 11 })
        .map((sketch, at) => ({ ...sketch, levelText: sketch.level, at }))
      expect(await store(stores.logs, ns, sketches)).toEqual({ accepted: 40, deduplicated: 0, failures: [] })
      const found = await find(stores.logs, ns, MATCH_ALL, { order: 'asc' })
      const content = (log: LogSketch) => JSON.stringify([log.message, log.level, log.service, log.host, log.fields, log.tags])
      expect(found.map(content)).toEqual(sketches.map(content))
    }, 90_000)

    it('reports a cluster that is away, and is there when it comes back', async () => {
      const away = await site.open({
        server: { urls: ['http://127.0.0.1:9'], cloudId: null, username: null, password: null, apiKey: null, ca: null }
      })
      const batch = { ingestId: newIngestId(), items: [toLog({}, 0)] }
      await expect(away.logs.append(newNamespace(), batch)).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(await away.health()).toMatchObject([{ name: 'elasticsearch', healthy: false, latencyMs: null }])
    })

    it('sends what is queued before it closes, and closes twice', async () => {
      const closing = await site.open()
      const ns = newNamespace()
      const written = Array.from({ length: 5 }, () =>
        closing.logs.append(ns, { ingestId: newIngestId(), items: SOME_LOGS.map(toLog) })
      )
      const results = Promise.all(written)
      await closing.close()
      await closing.close()
      expect((await results).map(({ accepted }) => accepted)).toEqual([3, 3, 3, 3, 3])
    })
  })
}
