import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { SMALL_TRACE_SPANS } from '../../src/ports/trace-store.js'
import { DEFAULT_LIMITS } from '../../src/stores/elasticsearch/limits.js'
import type { ElasticsearchStores } from '../../src/stores/elasticsearch/elasticsearch-stores.js'
import { EVERY_TIME, NEVER, newNamespace } from '../contract/fresh-ids.js'
import { find, known, pageThrough, store } from '../contract/log-fixtures.js'
import { spanIdOf, storeSpans, traceIdOf } from '../contract/trace-fixtures.js'
import { openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

/** Some four of the records fit into a response. */
const READ_BYTES = 100_000
const TEXT = 'x'.repeat(20_000)

for (const server of SEARCH_SERVERS) {
  describeOn(server, `large records, ${server}`, access => {
    let site: ElasticsearchSite
    let stores: ElasticsearchStores
    let ns: NamespaceId

    beforeAll(async () => {
      site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
      stores = await site.open({ limits: { readBytes: READ_BYTES } })
      ns = newNamespace()
      // Small ones first: the size of a page follows from what was read before.
      const logs = Array.from({ length: 40 }, (_, at) => ({ at, message: at < 30 ? `${at} ${TEXT}` : `${at} ` }))
      await store(stores.logs, ns, logs)
    }, 60_000)

    afterAll(() => site.close())

    const numbers = (rows: readonly { readonly message: string }[]) => rows.map(({ message }) => Number.parseInt(message, 10))
    const downTo = (least: number) => Array.from({ length: 40 - least }, (_, i) => 39 - i)

    it('come in a page that one response cannot hold', async () => {
      expect(numbers(await find(stores.logs, ns))).toEqual(downTo(0))
      const request = { range: EVERY_TIME, filter: MATCH_ALL, rows: { limit: 25, order: 'desc' }, total: true } as const
      const page = await stores.logs.search(
        ns,
        { ...request, facets: [{ field: known('service'), filter: MATCH_ALL, limit: 1 }] },
        NEVER
      )
      expect(numbers(page.rows!)).toEqual(downTo(15))
      expect(page).toMatchObject({ total: { value: 40 }, hasMore: true, complete: true })
    })

    it('end a page at its limit of bytes', async () => {
      const ids = await pageThrough(stores.logs, ns, { limit: 1_000, order: 'desc', maxBytes: 50_000 })
      expect(new Set(ids).size).toBe(40)
    })

    it('come in a page that a look at each of them decides', async () => {
      const filter = { kind: 'not', of: { kind: 'regex', field: known('message'), pattern: '3. x*', fold: false } } as const
      expect(numbers(await find(stores.logs, ns, filter))).toEqual(downTo(0).filter(at => at < 30))
    })

    it('are streamed', async () => {
      const found: number[] = []
      for await (const rows of stores.logs.stream(ns, { range: EVERY_TIME, filter: MATCH_ALL, order: 'desc' }, NEVER))
        found.push(...numbers(rows))
      expect(found).toEqual(downTo(0))
    })

    it.each([30, SMALL_TRACE_SPANS + 30])('come in a trace of %i spans', async count => {
      const spans = Array.from({ length: count }, (_, i) => ({
        trace: 7,
        id: i + 1,
        at: i,
        attributes: { text: i < 30 ? TEXT : '' }
      }))
      const own = newNamespace()
      await storeSpans(stores.traces, own, spans)
      const { spans: found, hasMore } = await stores.traces.trace(own, traceIdOf(7), 10_000, NEVER)
      expect(found.map(({ spanId }) => spanId)).toEqual(spans.map(({ id }) => spanIdOf(id)))
      expect(hasMore).toBe(false)
    })

    it('end a trace at its limit of bytes', async () => {
      const { traces } = await site.open({
        limits: { readBytes: READ_BYTES, traces: { ...DEFAULT_LIMITS.traces, maxTraceBytes: 200_000 } }
      })
      const own = newNamespace()
      const count = SMALL_TRACE_SPANS + 30
      await storeSpans(
        traces,
        own,
        Array.from({ length: count }, (_, i) => ({ trace: 7, id: i + 1, at: i, attributes: { text: i < 30 ? TEXT : '' } }))
      )
      const { spans, hasMore } = await traces.trace(own, traceIdOf(7), 10_000, NEVER)
      expect(spans.length).toBeGreaterThanOrEqual(10)
      expect(spans.length).toBeLessThan(30)
      expect(spans.map(({ spanId }) => spanId)).toEqual(spans.map((_, i) => spanIdOf(i + 1)))
      expect(hasMore).toBe(true)
    })
  })
}
