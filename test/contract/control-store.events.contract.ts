import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { ServiceEvent } from '../../src/domain/service-event.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { ServiceEventRequest } from '../../src/ports/service-events.js'
import { type ControlStoreFactory, namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function event(id: string, changes: Partial<ServiceEvent> = {}): ServiceEvent {
  return {
    namespaceId: SHOP,
    id,
    type: 'deploy',
    atMs: NOW_MS,
    service: 'api',
    version: '1.4.2',
    environment: 'ÄÖ 日本',
    title: null,
    url: null,
    attributes: [
      { name: '__proto__', value: 'x' },
      { name: 'commit', value: '3f2a9c4' }
    ],
    ...changes
  }
}

/** Deployments and other events of services. */
export function controlEventsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const add = async (...events: readonly ServiceEvent[]): Promise<void> => {
    for (const one of events) expect(await store.serviceEvents.add(one)).toBe(true)
  }
  const listed = async (request: Partial<ServiceEventRequest> = {}, ns = SHOP): Promise<readonly string[]> => {
    const found = await store.serviceEvents.list(ns, { fromMs: 0, toMs: 2 ** 52, limit: 100, ...request })
    return found.map(({ id }) => id)
  }

  it('gives events back as they were added, apart by namespace and id', async () => {
    const bare = event('2', { service: null, version: null, environment: null, attributes: [], atMs: NOW_MS + 1 })
    const full = event('1', { title: 'a', url: 'https://ci.example.com' })
    await add(full, bare, event('1', { namespaceId: BANK, title: 'theirs' }))
    const request = { fromMs: NOW_MS, toMs: NOW_MS + 2, limit: 9 }
    expect(await store.serviceEvents.list(SHOP, request)).toEqual([bare, full])
    expect(await listed({}, BANK)).toEqual(['1'])
  })

  it('keeps the first event of an id', async () => {
    await add(event('1'))
    expect(await store.serviceEvents.add(event('1', { title: 'another', atMs: 5 }))).toBe(false)
    expect(await store.serviceEvents.list(SHOP, { fromMs: 0, toMs: 2 ** 52, limit: 9 })).toEqual([event('1')])
  })

  it('lists newest first, by conditions, in pages', async () => {
    await add(
      event('1', { atMs: 10 }),
      event('2', { atMs: 20, service: 'web' }),
      event('3', { atMs: 20, type: 'rollback', service: null }),
      event('4', { atMs: 30, environment: 'staging' })
    )
    expect(await listed()).toEqual(['4', '3', '2', '1'])
    expect(await listed({ fromMs: 20, toMs: 30 })).toEqual(['3', '2'])
    expect([
      await listed({ types: ['deploy'] }),
      await listed({ types: ['rollback', 'deploy'] }),
      await listed({ types: [] })
    ]).toEqual([['4', '2', '1'], ['4', '3', '2', '1'], []])
    expect([await listed({ service: 'web' }), await listed({ environment: 'staging' })]).toEqual([['2'], ['4']])
    expect(await listed({ limit: 2 })).toEqual(['4', '3'])
    expect(await listed({ limit: 2, before: { atMs: 20, id: '3' } })).toEqual(['2', '1'])
  })

  it('deletes events before a time, and the oldest beyond a number of each namespace', async () => {
    await add(...[1, 2, 3, 3, 4].map((atMs, at) => event(`${at}`, { atMs })), event('x', { namespaceId: BANK, atMs: 2 }))
    await store.serviceEvents.deleteOld(2, 3)
    expect(await listed()).toEqual(['4', '3', '2'])
    expect(await listed({}, BANK)).toEqual(['x'])
    await store.serviceEvents.deleteOld(0, 2)
    expect(await listed()).toEqual(['4', '3'])
  })

  it('deletes neither reported events nor those that the service found because of the others', async () => {
    const found = (id: string, atMs: number, ns = SHOP): ServiceEvent => event(id, { namespaceId: ns, type: 'log.gap', atMs })
    await add(...[1, 2, 3].map(atMs => event(`${atMs}`, { atMs })), ...[4, 5, 5, 6].map((atMs, at) => found(`g${at}`, atMs)))
    await add(found('g', 1, BANK))
    await store.serviceEvents.deleteOld(0, 2)
    expect(await listed()).toEqual(['g3', 'g2', 'g1', 'g0', '3', '2'])
    await store.serviceEvents.keepNewest(SHOP, 'log.gap', 2)
    expect([await listed(), await listed({ exceptTypes: ['log.gap'] })]).toEqual([
      ['g3', 'g2', '3', '2'],
      ['3', '2']
    ])
    expect(await listed({}, BANK)).toEqual(['g'])
    await store.serviceEvents.deleteOld(6, 2)
    expect(await listed()).toEqual(['g3'])
  })

  it('forgets those of a deleted namespace, and no others', async () => {
    await store.namespaces.insert(namespace('shop'))
    await add(event('1'), event('1', { namespaceId: BANK }))
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    expect([await listed(), await listed({}, BANK)]).toEqual([[], ['1']])
  })
}
