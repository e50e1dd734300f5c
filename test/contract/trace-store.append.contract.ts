import { expect, it } from '@jest/globals'
import { SMALL_TRACE_SPANS } from '../../src/ports/trace-store.js'
import { recordId } from '../../src/domain/ids.js'
import { known } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'
import { findSpans, namesOf, storeSpans, storeSpansApart, toSpan, traceIdOf } from './trace-fixtures.js'

/** What an append keeps, how spans of a trace are found again, and what deletions remove. */
export function traceAppendContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore append`, open, of => {
    it('gives back every part of a span as it was sent', async () => {
      const ns = newNamespace()
      const ingestId = newIngestId()
      const sent = toSpan(
        {
          at: 123_456_789n,
          took: 9_007_199_254_740_993n,
          trace: '0af7651916cd43dd8448eb211c80319c',
          id: 'b7ad6b7169203331',
          parent: 'b7ad6b7169203332',
          traceState: 'vendor=1,other=x',
          name: 'GET /café \u{1f600}',
          kind: 'server',
          status: 'error',
          statusMessage: 'deadline\nexceeded',
          service: 'checkout',
          host: 'h-1',
          scopeName: '@opentelemetry/http',
          scopeVersion: '1.2.3',
          flags: 0xffffff01,
          attributes: { 'http.status_code': 200, nested: { a: { b: [1, 'x', null] } }, big: '12345678901234567890', t: true },
          resource: { 'service.name': 'checkout', 'otel.scope.x': 'y', deep: { er: 'yes' } },
          events: [
            { name: 'exception', timestampNs: BASE_NS + 1n, attributes: { 'exception.type': 'E', nested: { n: 1 } } },
            { name: '', timestampNs: BASE_NS + 9_007_199_254_740_993n, attributes: {} }
          ],
          links: [{ traceId: traceIdOf(7), spanId: 'b7ad6b7169203339', traceState: 's=1', attributes: { why: ['a', 'b'] } }],
          dropped: { attributes: 1, events: 2, links: 3 }
        },
        4
      )
      await of().traces.append(ns, { ingestId, items: [sent] })
      await of().traces.settle(ns)
      const { index, ...content } = sent
      const [found] = await findSpans(of().traces, ns)
      expect(found).toEqual({ ...content, id: recordId(ingestId, index), ingestedAtMs: found!.ingestedAtMs })
      expect(Math.abs(found!.ingestedAtMs - Date.now())).toBeLessThan(60_000)
      expect((await of().traces.trace(ns, sent.traceId, 10, NEVER)).spans).toEqual([found])
    })

    it('keeps a span that has only what it must', async () => {
      const ns = newNamespace()
      const sent = toSpan({ name: '', took: 0 }, 0)
      await of().traces.append(ns, { ingestId: newIngestId(), items: [sent] })
      await of().traces.settle(ns)
      const { index: _, ...content } = sent
      expect(await findSpans(of().traces, ns)).toEqual([expect.objectContaining(content)])
    })

    it('keeps a member called __proto__ as data', async () => {
      const ns = newNamespace()
      const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, never>
      const events = [{ name: 'exception', timestampNs: BASE_NS, attributes: hostile }]
      await storeSpans(of().traces, ns, [{ attributes: hostile, resource: hostile, events }])
      const [found] = await findSpans(of().traces, ns)
      for (const object of [found!.attributes, found!.resource, found!.events[0]!.attributes])
        expect(Object.keys(object)).toEqual(['__proto__', 'constructor'])
    })

    it('stores the same request once', async () => {
      const ns = newNamespace()
      const batch = { ingestId: newIngestId(), items: [toSpan({}, 0), toSpan({}, 1)] }
      expect(await of().traces.append(ns, batch)).toEqual({ accepted: 2, deduplicated: 0, failures: [] })
      expect(await of().traces.append(ns, batch)).toEqual({ accepted: 0, deduplicated: 2, failures: [] })
      await of().traces.settle(ns)
      expect(await findSpans(of().traces, ns)).toHaveLength(2)
    })

    it('finds single spans by their well-known fields, newest first', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { at: 1, name: 'a', service: 's1', kind: 'server', took: 10 },
        { at: 3, name: 'b', service: 's1', kind: 'client', took: 20, status: 'error' },
        { at: 2, name: 'c', service: 's2', kind: 'server', took: 30 }
      ])
      expect((await findSpans(of().traces, ns)).map(span => span.name)).toEqual(['b', 'c', 'a'])
      const eq = (field: string, value: string) => ({ kind: 'eq', field: known(field), value }) as const
      expect(await namesOf(of().traces, ns, eq('service', 's1'))).toEqual(['a', 'b'])
      expect(await namesOf(of().traces, ns, eq('kind', 'server'))).toEqual(['a', 'c'])
      expect(await namesOf(of().traces, ns, eq('status', 'error'))).toEqual(['b'])
      expect(await namesOf(of().traces, ns, { kind: 'range', field: known('duration_ns'), gte: '20', lt: '30' })).toEqual(['b'])
    })
  })

  describeStores(`${name}: TraceStore trace`, open, of => {
    it('returns the spans of one trace by start, whenever it was and however it was sent', async () => {
      const ns = newNamespace()
      const day = 86_400_000_000_000n
      await storeSpansApart(of().traces, ns, [
        { trace: 1, id: 3, parent: 2, at: 30, name: 'third' },
        { trace: 2, id: 9, at: 5, name: 'of another trace' },
        { trace: 1, id: 1, at: -day * 40n, name: 'first' },
        { trace: 1, id: 2, parent: 1, at: 20, name: 'second' }
      ])
      const { spans, hasMore } = await of().traces.trace(ns, traceIdOf(1), 100, NEVER)
      expect(spans.map(span => span.name)).toEqual(['first', 'second', 'third'])
      expect(hasMore).toBe(false)
      expect(await of().traces.trace(ns, traceIdOf(3), 100, NEVER)).toEqual({ spans: [], hasMore: false })
      expect(await of().traces.trace(newNamespace(), traceIdOf(1), 100, NEVER)).toEqual({ spans: [], hasMore: false })
    })

    it('returns a small trace as a whole, and a larger one not at all', async () => {
      const ns = newNamespace()
      const spansOf = (trace: number, count: number) => Array.from({ length: count }, (_, i) => ({ trace, id: i + 1, at: i }))
      await storeSpans(of().traces, ns, [...spansOf(1, SMALL_TRACE_SPANS), ...spansOf(2, SMALL_TRACE_SPANS + 1)])
      const small = await of().traces.smallTrace(ns, traceIdOf(1), NEVER)
      expect(small).toEqual(await of().traces.trace(ns, traceIdOf(1), 5_000, NEVER))
      expect([small?.spans.length, small?.hasMore]).toEqual([SMALL_TRACE_SPANS, false])
      expect(await of().traces.smallTrace(ns, traceIdOf(2), NEVER)).toBeNull()
      expect((await of().traces.trace(ns, traceIdOf(2), 5_000, NEVER)).spans).toHaveLength(SMALL_TRACE_SPANS + 1)
      expect(await of().traces.smallTrace(ns, traceIdOf(3), NEVER)).toEqual({ spans: [], hasMore: false })
    })

    it('returns a span that was sent twice once, in its latest version', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { trace: 1, id: 1, at: 5, name: 'first time' },
        { trace: 1, id: 2, at: 6, name: 'other' },
        { trace: 1, id: 1, at: 7, name: 'second time' },
        { trace: 2, id: 1, at: 8, name: 'same span id in another trace' }
      ])
      const { spans } = await of().traces.trace(ns, traceIdOf(1), 2, NEVER)
      expect(spans.map(span => span.name)).toEqual(['other', 'second time'])
      expect(await findSpans(of().traces, ns)).toHaveLength(4)
    })

    it('cuts at the limit and reports it', async () => {
      const ns = newNamespace()
      await storeSpans(
        of().traces,
        ns,
        [1, 2, 3].map(id => ({ trace: 1, id, at: id }))
      )
      const cut = await of().traces.trace(ns, traceIdOf(1), 2, NEVER)
      expect([cut.spans.length, cut.hasMore]).toEqual([2, true])
      expect(await of().traces.trace(ns, traceIdOf(1), 0, NEVER)).toEqual({ spans: [], hasMore: true })
      const whole = await of().traces.trace(ns, traceIdOf(1), 3, NEVER)
      expect([whole.spans.length, whole.hasMore]).toEqual([3, false])
    })

    it('returns a trace of 10,000 spans whole', async () => {
      const ns = newNamespace()
      const ids = Array.from({ length: 10_000 }, (_, i) => i + 1)
      await storeSpans(
        of().traces,
        ns,
        ids.map(id => ({ trace: 1, id, parent: Math.max(1, id >> 1), at: id }))
      )
      const { spans, hasMore } = await of().traces.trace(ns, traceIdOf(1), 10_000, NEVER)
      expect(spans.map(span => Number(`0x${span.spanId}`))).toEqual(ids)
      expect(hasMore).toBe(false)
    })
  })

  describeStores(`${name}: TraceStore deletions`, open, of => {
    it('removes spans that started before a time, and nothing else', async () => {
      const [ns, other] = [newNamespace(), newNamespace()]
      const sketches = [1, 2, 3].map(at => ({ trace: 1, id: at, at, name: `n${at}` }))
      await storeSpans(of().traces, ns, sketches)
      await storeSpans(of().traces, other, sketches)
      await of().traces.deleteBefore(ns, BASE_NS + 2n)
      await of().traces.deleteBefore(ns, BASE_NS + 2n)
      expect(await namesOf(of().traces, ns)).toEqual(['n2', 'n3'])
      expect((await of().traces.trace(ns, traceIdOf(1), 9, NEVER)).spans.map(span => span.name)).toEqual(['n2', 'n3'])
      expect(await namesOf(of().traces, other)).toEqual(['n1', 'n2', 'n3'])
    })

    it('drops a namespace, refuses what comes later, and leaves others alone', async () => {
      const suffixed = newNamespace()
      const [ns, other] = [suffixed, `${suffixed}b` as typeof suffixed]
      await storeSpans(of().traces, ns, [{ trace: 1 }])
      await storeSpans(of().traces, other, [{ trace: 1 }])
      await of().traces.dropNamespace(ns)
      await of().traces.dropNamespace(ns)
      expect(await findSpans(of().traces, ns)).toEqual([])
      expect((await of().traces.trace(ns, traceIdOf(1), 9, NEVER)).spans).toEqual([])
      expect((await of().traces.trace(other, traceIdOf(1), 9, NEVER)).spans).toHaveLength(1)
      const late = of().traces.append(ns, { ingestId: newIngestId(), items: [toSpan({}, 0)] })
      await expect(late).rejects.toMatchObject({ code: 'namespace_deleted' })
    })

    it('reads a namespace that was never written as an empty one', async () => {
      const request = {
        range: EVERY_TIME,
        filter: { kind: 'and', of: [] },
        rows: { limit: 5, order: 'desc' },
        total: true
      } as const
      const found = await of().traces.searchSpans(newNamespace(), request, NEVER)
      expect(found).toMatchObject({ rows: [], hasMore: false, total: { value: 0, relation: 'eq' } })
    })
  })
}
