import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { TraceStore } from '../../src/ports/trace-store.js'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { known } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'
import { storeSpansApart } from './trace-fixtures.js'

async function edges(traces: TraceStore, ns: NamespaceId, range = EVERY_TIME, limit = 100) {
  return traces.serviceEdges(ns, { range, percentiles: [0.5], limit }, NEVER)
}

async function briefly(traces: TraceStore, ns: NamespaceId, range = EVERY_TIME) {
  const found = await edges(traces, ns, range)
  return found.edges.map(edge => [edge.source, edge.target, edge.targetKind, edge.protocol, edge.calls, edge.errors])
}

/** Who calls whom, and which fields spans carry. */
export function traceEdgesContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore serviceEdges`, open, of => {
    it('makes edges of spans whose parent belongs to another service', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { trace: 1, id: 1, service: 'web', kind: 'server' },
        { trace: 1, id: 2, parent: 1, service: 'web', kind: 'client', attributes: { 'http.request.method': 'GET' } },
        { trace: 1, id: 3, parent: 2, service: 'cart', kind: 'server', took: 40, status: 'error' },
        { trace: 2, id: 3, parent: 2, service: 'cart', kind: 'server', took: 20 },
        { trace: 2, id: 2, service: 'web', kind: 'client', attributes: { 'rpc.system': 'grpc' } },
        { trace: 3, id: 3, parent: 2, service: 'cart', name: 'its parent is in other traces' },
        { trace: 4, id: 1, parent: 1, service: 'web', name: 'its own parent' },
        { trace: 5, id: 2, parent: 1, service: 'cart' },
        { trace: 5, id: 1, name: 'a parent without service' }
      ])
      const found = await edges(of().traces, ns)
      expect(found).toEqual({
        edges: [
          {
            source: 'web',
            target: 'cart',
            targetKind: 'service',
            protocol: 'grpc',
            calls: 2,
            errors: 1,
            percentilesNs: [expect.closeTo(30, 0)]
          }
        ],
        hasMore: false,
        complete: true,
        warnings: []
      })
    })

    it('reports which calls it left out, and nothing about parents that no one sent', async () => {
      const ns = newNamespace()
      const minutes = (count: number) => count * 60_000_000_000
      await storeSpansApart(of().traces, ns, [
        { trace: 1, id: 1, service: 'web', at: 0 },
        { trace: 1, id: 2, parent: 1, service: 'mail', at: minutes(40), name: 'out of a queue' },
        { trace: 1, id: 3, parent: 1, service: 'web', at: minutes(40), name: 'of the same service' },
        { trace: 2, id: 2, parent: 1, service: 'mail', at: minutes(40), name: 'its parent was never sent' },
        { trace: 3, id: 1, service: 'web', at: minutes(35) },
        { trace: 3, id: 2, parent: 1, service: 'mail', at: minutes(40), name: 'its parent is near' }
      ])
      const range = { startNs: BASE_NS + BigInt(minutes(36)), endNs: BASE_NS + BigInt(minutes(41)) }
      const found = await edges(of().traces, ns, range)
      expect(found.edges).toMatchObject([{ source: 'web', target: 'mail', calls: 1 }])
      const left = '1 call is omitted: the calling span starts more than ten minutes outside of the range; use a longer range'
      expect(found).toMatchObject({ complete: false, warnings: [left] })
      expect(await edges(of().traces, ns)).toMatchObject({ complete: true, warnings: [], edges: [{ calls: 2 }] })
    })

    it('names the peer of a calling span without a child in another service: database, queue, external', async () => {
      const ns = newNamespace()
      const http = { 'http.request.method': 'GET', 'server.address': 'api.example.com' }
      await storeSpansApart(of().traces, ns, [
        { id: 1, service: 'web', kind: 'client', attributes: { 'db.system': 'redis', 'server.address': 'r-1' } },
        {
          id: 1,
          service: 'web',
          kind: 'client',
          attributes: { 'db.system.name': 'postgresql', 'db.system': 'other_sql' },
          status: 'error'
        },
        { id: 1, service: 'web', kind: 'producer', attributes: { messaging: { system: 'kafka' }, 'peer.service': 'broker' } },
        { id: 1, service: 'web', kind: 'client', attributes: { 'peer.service': 'billing', ...http } },
        { id: 1, service: 'web', kind: 'client', attributes: http },
        { id: 1, service: 'web', kind: 'client', attributes: http },
        { id: 1, service: 'web', kind: 'server', attributes: http, name: 'calls no peer' },
        { id: 1, kind: 'client', attributes: http, name: 'of no service' },
        { trace: 1, id: 1, service: 'web', kind: 'client', attributes: http, name: 'served' },
        { trace: 1, id: 2, parent: 1, service: 'api', kind: 'server' },
        {
          trace: 2,
          id: 1,
          service: 'web',
          kind: 'client',
          attributes: { 'db.system': 'redis' },
          name: 'with a child of its own'
        },
        { trace: 2, id: 2, parent: 1, service: 'web' }
      ])
      expect(await briefly(of().traces, ns)).toEqual([
        ['web', 'api.example.com', 'external', 'http', 2, 0],
        ['web', 'redis', 'database', 'redis', 2, 0],
        ['web', 'api', 'service', 'http', 1, 0],
        ['web', 'billing', 'external', 'http', 1, 0],
        ['web', 'kafka', 'queue', 'kafka', 1, 0],
        ['web', 'postgresql', 'database', 'postgresql', 1, 1]
      ])
      const first = await edges(of().traces, ns, EVERY_TIME, 1)
      expect([first.edges.map(edge => edge.target), first.hasMore]).toEqual([['api.example.com'], true])
    })

    it('dates a call by its called span; the caller may be outside of the range', async () => {
      const ns = newNamespace()
      const caller = { id: 1, service: 'a', kind: 'client', attributes: { 'peer.service': 'b' } } as const
      await storeSpansApart(of().traces, ns, [
        { ...caller, trace: 1, at: 0 },
        { trace: 1, id: 2, parent: 1, at: 100, service: 'b' },
        { ...caller, trace: 2, at: 100 },
        { trace: 2, id: 2, parent: 1, at: 200, service: 'b' }
      ])
      const from = (startNs: bigint, endNs: bigint) => ({ startNs: BASE_NS + startNs, endNs: BASE_NS + endNs })
      expect(await briefly(of().traces, ns, from(50n, 150n))).toEqual([['a', 'b', 'service', null, 1, 0]])
      expect(await briefly(of().traces, ns, from(0n, 100n))).toEqual([])
      expect(await briefly(of().traces, ns, from(0n, 201n))).toEqual([['a', 'b', 'service', null, 2, 0]])
    })

    it('does not multiply calls when their caller was sent twice', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { trace: 1, id: 1, service: 'a' },
        { trace: 1, id: 1, service: 'a' },
        { trace: 1, id: 2, parent: 1, service: 'b' }
      ])
      expect(await briefly(of().traces, ns)).toEqual([['a', 'b', 'service', null, 1, 0]])
      expect(await briefly(of().traces, newNamespace())).toEqual([])
    })
  })

  describeStores(`${name}: TraceStore newestOrigins`, open, of => {
    it('gives services and resources of the newest matching spans, each as it was sent', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { at: 3, service: 'web', resource: { 'service.version': '2', cloud: { region: 'eu' } } },
        { at: 5, resource: { host: 'none of a service' } },
        { at: 2, service: 'web', resource: { 'service.version': '1' } },
        { at: 4, service: 'cart' },
        { at: 1, service: 'cart', kind: 'server' }
      ])
      const filter = { kind: 'in', field: known('service'), values: ['web', 'cart'] } as const
      const request = { range: { startNs: BASE_NS + 2n, endNs: BASE_NS + 5n }, filter, limit: 10 }
      const origins = await of().traces.newestOrigins(ns, request, NEVER)
      expect(origins).toEqual([
        { service: 'cart', resource: {} },
        { service: 'web', resource: { 'service.version': '2', cloud: { region: 'eu' } } },
        { service: 'web', resource: { 'service.version': '1' } }
      ])
      expect(await of().traces.newestOrigins(ns, { ...request, limit: 2 }, NEVER)).toEqual(origins.slice(0, 2))
      const all = { range: EVERY_TIME, filter: MATCH_ALL, limit: 1 }
      expect(await of().traces.newestOrigins(ns, all, NEVER)).toEqual([
        { service: null, resource: { host: 'none of a service' } }
      ])
      expect(await of().traces.newestOrigins(newNamespace(), all, NEVER)).toEqual([])
    })
  })

  describeStores(`${name}: TraceStore fields`, open, of => {
    it('lists attributes and resource fields of the newest matching spans', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [
        { at: 3, attributes: { 'http.status': 200, user: { id: 'a' } }, resource: { region: 'eu' } },
        { at: 2, attributes: { 'http.status': 500 }, resource: { region: 'us' } },
        { at: 1, attributes: { old: true } }
      ])
      const request = { range: EVERY_TIME, filter: MATCH_ALL, limit: 10, sampleRows: 2 }
      const { fields, sampled } = await of().traces.fields(ns, request, NEVER)
      expect(sampled).toBe(true)
      expect(fields).toEqual([
        {
          ...{ field: { in: 'log_fields', name: 'http.status' }, type: 'number', count: 2, cardinality: 2 },
          ...{ examples: ['200', '500'], longest: 3 },
          numbers: {
            quantiles: [...Array<number>(8).fill(200), ...Array<number>(9).fill(500)],
            countsUp: false,
            areSeveral: false
          }
        },
        { field: { in: 'tags', name: 'region' }, type: 'string', count: 2, cardinality: 2, examples: ['eu', 'us'], longest: 2 },
        { field: { in: 'log_fields', name: 'user.id' }, type: 'string', count: 1, cardinality: 1, examples: ['a'], longest: 1 }
      ])
    })
  })
}
