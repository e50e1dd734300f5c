import { expect, it } from '@jest/globals'
import { MATCH_ALL, type Field, type Filter } from '../../src/domain/filter.js'
import type { JsonObject } from '../../src/domain/json.js'
import { free, known } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'
import { namesOf, storeSpansApart } from './trace-fixtures.js'

function exception(type: string, message: string) {
  return { name: 'exception', timestampNs: BASE_NS, attributes: { 'exception.type': type, 'exception.message': message } }
}

/** Conditions on fields that only spans have, counts and facets. */
export function traceFilterContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore filters`, open, of => {
    it('looks in attributes and resource, each by its name', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { name: 'a', attributes: { 'http.route': '/x', n: 1.5 }, resource: { region: 'eu' } },
        { name: 'b', attributes: { http: { route: ['/y', '/x'] } }, resource: { 'http.route': '/z' } },
        { name: 'c' }
      ])
      const eq = (where: 'free' | 'log_fields' | 'tags', field: string, value: string) =>
        ({ kind: 'eq', field: { in: where, name: field }, value }) as const
      expect(await namesOf(of().traces, ns, eq('free', 'http.route', '/x'))).toEqual(['a', 'b'])
      expect(await namesOf(of().traces, ns, eq('free', 'http.route', '/z'))).toEqual(['b'])
      expect(await namesOf(of().traces, ns, eq('log_fields', 'http.route', '/z'))).toEqual([])
      expect(await namesOf(of().traces, ns, eq('tags', 'region', 'eu'))).toEqual(['a'])
      expect(await namesOf(of().traces, ns, eq('free', 'n', '1.50'))).toEqual(['a'])
      expect(await namesOf(of().traces, ns, { kind: 'not', of: { kind: 'exists', field: free('region') } })).toEqual(['b', 'c'])
    })

    it('looks in the attributes of events and links, each alone and by plain names', async () => {
      const ns = newNamespace()
      const event = (attributes: JsonObject, name = 'log') => ({ name, timestampNs: BASE_NS, attributes })
      const link = (attributes: JsonObject) => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceState: '', attributes })
      await storeSpansApart(of().traces, ns, [
        { name: 'a', events: [event({ other: 1 }), event({ 'cache.key': 'user/17', hit: true, n: 1.5, list: ['x', 'y'] })] },
        {
          name: 'b',
          links: [link({ 'cache.key': 'user/17', reason: 'Retry' })],
          events: [event({ cache: { key: 'Sent nested' } })]
        },
        { name: 'c', attributes: { 'cache.key': 'user/17' }, events: [event({ key: 'cache.key' })] },
        { name: 'd' }
      ])
      const field = (where: Field['in'], name: string): Field => ({ in: where, name })
      const eq = (where: Field['in'], name: string, value: string) => ({ kind: 'eq', field: field(where, name), value }) as const
      const find = (filter: Filter) => namesOf(of().traces, ns, filter)
      expect(await find(eq('events', 'cache.key', 'user/17'))).toEqual(['a'])
      expect(await find(eq('links', 'cache.key', 'user/17'))).toEqual(['b'])
      expect(await find(eq('free', 'cache.key', 'user/17'))).toEqual(['a', 'b', 'c'])
      expect(await find(eq('log_fields', 'cache.key', 'user/17'))).toEqual(['c'])
      expect(await find(eq('events', 'cache.key', 'Sent nested'))).toEqual(['b'])
      expect(await find(eq('events', 'n', '1.50'))).toEqual(['a'])
      expect(await find(eq('events', 'hit', 'true'))).toEqual(['a'])
      expect(await find({ kind: 'in', field: field('events', 'list'), values: ['y', 'z'] })).toEqual(['a'])
      expect(await find({ kind: 'contains', field: field('links', 'reason'), value: 'RETR' })).toEqual(['b'])
      expect(await find({ kind: 'prefix', field: field('events', 'cache.key'), value: 'user' })).toEqual(['a'])
      expect(await find({ kind: 'range', field: field('events', 'n'), gt: '1', lte: '2' })).toEqual(['a'])
      expect(await find({ kind: 'exists', field: field('events', 'cache.key') })).toEqual(['a', 'b'])
      expect(await find({ kind: 'regex', field: field('links', 'reason'), pattern: 'R.*y', fold: false })).toEqual(['b'])
      expect(await find({ kind: 'not', of: { kind: 'exists', field: field('free', 'cache.key') } })).toEqual(['d'])
    })

    it('finds spans by the types and messages of their exceptions, any of several', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { name: 'one', events: [exception('TypeError', 'x is not a Function'), { ...exception('E', 'other'), name: 'log' }] },
        { name: 'two', events: [exception('IOError', '1.0'), exception('TypeError', 'again')] },
        { name: 'none', attributes: { 'exception.type': 'TypeError' } }
      ])
      const type = known('exception_type')
      const message = known('exception_message')
      expect(await namesOf(of().traces, ns, { kind: 'eq', field: type, value: 'TypeError' })).toEqual(['one', 'two'])
      expect(await namesOf(of().traces, ns, { kind: 'eq', field: type, value: 'IOError' })).toEqual(['two'])
      expect(await namesOf(of().traces, ns, { kind: 'eq', field: type, value: 'E' })).toEqual([])
      expect(await namesOf(of().traces, ns, { kind: 'contains', field: message, value: 'a function' })).toEqual(['one'])
      // Known fields are strings: another spelling of a number is another text.
      expect(await namesOf(of().traces, ns, { kind: 'eq', field: message, value: '1' })).toEqual([])
      expect(await namesOf(of().traces, ns, { kind: 'not', of: { kind: 'exists', field: type } })).toEqual(['none'])
    })

    it('compares durations as whole nanoseconds, to the last one', async () => {
      const ns = newNamespace()
      const big = 9_007_199_254_740_992n
      await storeSpansApart(of().traces, ns, [
        { name: 'a', took: big },
        { name: 'b', took: big + 1n },
        { name: 'zero', took: 0 }
      ])
      const duration = known('duration_ns')
      expect(await namesOf(of().traces, ns, { kind: 'eq', field: duration, value: String(big + 1n) })).toEqual(['b'])
      expect(await namesOf(of().traces, ns, { kind: 'range', field: duration, gt: String(big) })).toEqual(['b'])
      expect(await namesOf(of().traces, ns, { kind: 'range', field: duration, lt: '0.5' })).toEqual(['zero'])
      expect(await namesOf(of().traces, ns, { kind: 'in', field: duration, values: ['0', String(big), 'x'] })).toEqual([
        'a',
        'zero'
      ])
      expect(await namesOf(of().traces, ns, { kind: 'exists', field: duration })).toEqual(['a', 'b', 'zero'])
    })

    it('recognizes roots by their missing parent, and strings without regard to case', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { name: 'ROOT É', id: 1 },
        { name: 'child', id: 2, parent: 1, statusMessage: 'Deadline exceeded' }
      ])
      const isChild = { kind: 'exists', field: known('parent_span_id') } as const
      expect(await namesOf(of().traces, ns, isChild)).toEqual(['child'])
      expect(await namesOf(of().traces, ns, { kind: 'not', of: isChild })).toEqual(['ROOT É'])
      expect(await namesOf(of().traces, ns, { kind: 'contains', field: known('name'), value: 'root é' })).toEqual(['ROOT É'])
      const deadline = { kind: 'contains', field: known('status_message'), value: 'DEADLINE' } as const
      expect(await namesOf(of().traces, ns, deadline)).toEqual(['child'])
    })

    it('counts spans in all, over time and by value', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { at: 0, service: 'a', attributes: { code: 200 } },
        { at: 5, service: 'b', attributes: { code: 500 } },
        { at: 12, service: 'a', attributes: { code: 200 } },
        { at: 13 }
      ])
      const facet = (field: ReturnType<typeof known>) => ({ field, filter: MATCH_ALL, limit: 1 })
      const found = await of().traces.searchSpans(
        ns,
        {
          range: EVERY_TIME,
          filter: MATCH_ALL,
          total: true,
          histogram: { startNs: BASE_NS, stepNs: 10n, count: 2, by: known('service') },
          facets: [facet(known('service')), facet(free('code')), facet(known('exception_type'))]
        },
        NEVER
      )
      expect(found.total).toEqual({ value: 4, relation: 'eq' })
      expect(found.histogram).toEqual([
        { key: 'a', counts: [1, 1] },
        { key: 'b', counts: [1, 0] },
        { key: null, counts: [0, 1] }
      ])
      expect(found.facets!.map(({ values, other, missing }) => [values.map(v => [v.value, v.count]), other, missing])).toEqual([
        [[['a', 2]], 1, 1],
        [[['200', 2]], 1, 1],
        [[], 0, 4]
      ])
    })
  })
}
