import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SpanStatsRow, TraceSearchRequest, TraceStore } from '../../src/ports/trace-store.js'
import { SUFFIXES_NOT_INDEXED } from '../../src/stores/elasticsearch/read/trace-suffixes.js'
import { BASE_NS, EVERY_TIME, NEVER, newNamespace } from '../contract/fresh-ids.js'
import { known } from '../contract/log-fixtures.js'
import { storeSpans, traceIdOf, type SpanSketch } from '../contract/trace-fixtures.js'
import { engineApi, openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'
import { sampleCut } from '../../src/stores/elasticsearch/read/sample-cut.js'

const LIMITS = { maxScanned: 400, maxTraces: 5, maxCompared: 20, maxJoined: 10, maxTraceBytes: 1_000_000 }

/** What a search outside the adapter finds. */
interface FoundDocuments {
  readonly hits: { readonly hits: readonly [{ readonly _index: string; readonly _id: string; readonly _source: object }] }
}

function requested(rows: Partial<TraceSearchRequest['rows']>, more: Partial<TraceSearchRequest> = {}): TraceSearchRequest {
  return {
    range: EVERY_TIME,
    filter: MATCH_ALL,
    conditions: {},
    rows: { limit: 2, by: 'start', order: 'desc', ...rows },
    ...more
  }
}

for (const server of SEARCH_SERVERS) {
  describeOn(server, `bounds of responses about traces, ${server}`, access => {
    let site: ElasticsearchSite
    let traces: TraceStore
    let bounded: TraceStore

    beforeAll(async () => {
      site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
      traces = (await site.open()).traces
      bounded = (await site.open({ limits: { traces: LIMITS } })).traces
    }, 60_000)

    afterAll(() => site.close())

    const numbersOf = ({ traces: found }: { traces: readonly { traceId: string }[] }) =>
      found.map(({ traceId }) => Number(`0x${traceId}`))

    // By the gateway that is requested: another one may not know of a new index for a second.
    async function stored(sketches: readonly SpanSketch[], store = bounded): Promise<NamespaceId> {
      const ns = newNamespace()
      await storeSpans(store, ns, sketches)
      return ns
    }

    it('compares traces up to the limit, and reports one more', async () => {
      const sketches = (count: number) => Array.from({ length: count }, (_, i) => ({ trace: i + 1, at: i, took: 100 * (i + 1) }))
      const [few, many] = [await stored(sketches(5)), await stored(sketches(6))]
      const request = requested({ by: 'duration', order: 'asc' }, { total: true })
      const all = await bounded.searchTraces(few, request, NEVER)
      expect(all).toMatchObject({ complete: true, warnings: [], total: { value: 5, relation: 'eq' }, hasMore: true })
      const cut = await bounded.searchTraces(many, request, NEVER)
      expect(cut).toMatchObject({
        complete: false,
        warnings: [sampleCut('only the 5 traces with the shortest matching spans were compared', 5)],
        total: { value: 5, relation: 'gte' }
      })
      expect([numbersOf(all), numbersOf(cut)]).toEqual([
        [1, 2],
        [1, 2]
      ])
      // Newest first nothing is compared that need not be; the count is bounded alone.
      const newest = await bounded.searchTraces(many, requested({}, { total: true }), NEVER)
      expect(newest).toMatchObject({ complete: true, total: { value: 6, relation: 'eq' } })
      expect(numbersOf(newest)).toEqual([6, 5])
    })

    it('makes summaries out of spans up to the limit', async () => {
      const spans = (trace: number, count: number) => Array.from({ length: count }, (_, i) => ({ trace, at: i, took: trace }))
      const ns = await stored([...spans(1, 15), ...spans(2, 5), ...spans(3, 1)])
      const { warnings } = await bounded.searchTraces(ns, requested({ by: 'duration' }), NEVER)
      expect(warnings).toEqual([sampleCut('only the 2 traces with the longest matching spans were compared', 2)])
    })

    it('looks at spans up to the limit for the newest traces', async () => {
      // 200 spans of a first look and as many of the next belong to one trace that started before the others.
      const long = (count: number) => Array.from({ length: count }, (_, i) => ({ trace: 9, at: 1_000 + i }))
      const others = [
        { trace: 9, at: 0 },
        { trace: 1, at: 10 },
        { trace: 2, at: 20 }
      ]
      const [within, beyond] = [await stored([...others, ...long(396)]), await stored([...others, ...long(398)])]
      const all = await bounded.searchTraces(within, requested({}), NEVER)
      expect(all).toMatchObject({ complete: true, hasMore: true })
      expect(numbersOf(all)).toEqual([2, 1])
      const cut = await bounded.searchTraces(beyond, requested({}), NEVER)
      expect(cut).toMatchObject({
        complete: false,
        warnings: [sampleCut('only the latest 400 matching spans were searched', 400)]
      })
      const elsewhere = await stored([...others, ...long(398)], traces)
      expect(numbersOf(await traces.searchTraces(elsewhere, requested({ limit: 3 }), NEVER))).toEqual([2, 1, 9])
    })

    it('joins spans up to the limit', async () => {
      const calls = (count: number): SpanSketch[] =>
        Array.from({ length: count }, (_, i) => [
          { trace: i, id: 1, at: 2 * i, service: 'web' },
          { trace: i, id: 2, parent: 1, at: 2 * i + 1, service: 'db' }
        ]).flat()
      const request = { range: EVERY_TIME, percentiles: [0.5], limit: 10 }
      const all = await bounded.serviceEdges(await stored(calls(5)), request, NEVER)
      expect(all).toMatchObject({ complete: true, edges: [{ source: 'web', target: 'db', calls: 5 }] })
      const cut = await bounded.serviceEdges(await stored(calls(6)), request, NEVER)
      expect(cut).toMatchObject({
        complete: false,
        warnings: [sampleCut('only the latest 10 spans of the time range were joined', 10)],
        edges: [{ calls: 5 }]
      })
    })

    it('finds both ends of a call that crosses the border of the range', async () => {
      const call: SpanSketch[] = [
        { trace: 1, id: 1, at: 0, took: 500, service: 'web', kind: 'client', attributes: { 'peer.service': 'db' } },
        { trace: 1, id: 2, parent: 1, at: 100, service: 'db' }
      ]
      const ns = await stored(call, traces)
      const within = (startNs: bigint, endNs: bigint) =>
        traces.serviceEdges(
          ns,
          { range: { startNs: BASE_NS + startNs, endNs: BASE_NS + endNs }, percentiles: [], limit: 9 },
          NEVER
        )
      expect((await within(50n, 200n)).edges).toMatchObject([{ source: 'web', target: 'db', targetKind: 'service' }])
      expect((await within(0n, 50n)).edges).toEqual([])
    })

    const stats = async (ns: NamespaceId): Promise<SpanStatsRow> => {
      const request = {
        range: EVERY_TIME,
        filter: MATCH_ALL,
        groupBy: [known('service')],
        percentiles: [0, 0.5, 0.99],
        limit: 1
      }
      return (await bounded.stats(ns, request, NEVER)).rows[0]!
    }

    it.each([
      ['few', 1_000, 1_000_000],
      ['many', 1_200, 1_000_000],
      ['many, from one nanosecond to days', 1_200, 1_000_000_000_000]
    ])('reports percentiles of %s durations within 2 %%', async (_what, count, unit) => {
      const durations = Array.from({ length: count }, (_, i) => BigInt(i === 0 ? 1 : i * unit))
      const { percentilesNs, spans } = await stats(await stored(durations.map(took => ({ took, service: 'a' }))))
      expect(spans).toBe(count)
      for (const [i, percentile] of [0.5, 0.99].entries()) {
        const exact = percentile * (count - 1) * unit
        expect(Math.abs(percentilesNs[i + 1]! - exact) / exact).toBeLessThan(0.02)
      }
    })

    it('compares durations that a double cannot hold', async () => {
      const ns = await stored([
        { name: 'shorter', took: 2n ** 53n },
        { name: 'longer', took: 2n ** 53n + 1n },
        { name: 'longest', took: 2n ** 62n }
      ])
      const namesOf = async (filter: TraceSearchRequest['filter']) => {
        const { rows } = await bounded.searchSpans(ns, { range: EVERY_TIME, filter, rows: { limit: 9, order: 'asc' } }, NEVER)
        return rows!.map(({ name }) => name).sort()
      }
      const field = known('duration_ns')
      expect(await namesOf({ kind: 'eq', field, value: String(2n ** 53n + 1n) })).toEqual(['longer'])
      expect(await namesOf({ kind: 'range', field, gt: String(2n ** 53n) })).toEqual(['longer', 'longest'])
      expect(await namesOf({ kind: 'range', field, lte: '1e17' })).toEqual(['longer', 'shorter'])
    })

    it('reads a trace of more spans than one response holds, spans that were sent twice once', async () => {
      const ns = newNamespace()
      const sketches = Array.from({ length: 2_500 }, (_, i) => ({ trace: 1, id: i + 1, at: i }))
      await storeSpans(traces, ns, sketches)
      await storeSpans(traces, ns, [{ trace: 1, id: 1, at: 5_000, name: 'again' }])
      const whole = await traces.trace(ns, traceIdOf(1), 2_500, NEVER)
      expect(whole.hasMore).toBe(false)
      expect(whole.spans).toHaveLength(2_500)
      expect(whole.spans.at(-1)).toMatchObject({ name: 'again' })
      const cut = await traces.trace(ns, traceIdOf(1), 2_499, NEVER)
      expect([cut.hasMore, cut.spans.length, cut.spans[0]!.timestampNs]).toEqual([true, 2_499, BASE_NS + 1n])
    })

    it('warns while spans of an earlier version are not found by the last 16 digits of their trace ids', async () => {
      const ns = newNamespace()
      const [indexed, bare] = [`1${'0'.repeat(16)}f067aa0ba902b7a`, `2${'0'.repeat(16)}f067aa0ba902b7a`]
      await storeSpans(traces, ns, [
        { trace: indexed, at: 0, name: 'indexed' },
        { trace: bare, at: 10, name: 'bare' }
      ])
      // Written again out of its source a document lacks what follows from it, as those of earlier versions do.
      const query = { bool: { filter: [{ term: { ns } }, { term: { 'span.name': 'bare' } }] } }
      const found = (await engineApi(access, 'POST', '/traces-alidade.span-*/_search', { query })) as FoundDocuments
      const [{ _index, _id, _source }] = found.hits.hits
      await engineApi(access, 'PUT', `/${_index}/_doc/${encodeURIComponent(_id)}?refresh=true`, _source)
      const find = async (startNs: bigint, endNs: bigint) =>
        traces.traceIdsBySuffix(
          ns,
          { range: { startNs: BASE_NS + startNs, endNs: BASE_NS + endNs }, suffixes: [bare.slice(16)], limit: 5 },
          NEVER
        )
      expect(await find(0n, 20n)).toEqual({ traceIds: [indexed], complete: false, warnings: [SUFFIXES_NOT_INDEXED] })
      expect(await find(0n, 10n)).toEqual({ traceIds: [indexed], complete: true, warnings: [] })
    })
  })
}
