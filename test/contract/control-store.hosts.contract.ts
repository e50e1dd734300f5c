import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { HostKey, HostListener, ReportedContainer, ReportedHost } from '../../src/domain/reported-host.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { ListenerRequest } from '../../src/ports/reported-hosts.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function host(name: string, changes: Partial<ReportedHost> = {}): ReportedHost {
  return {
    namespaceId: SHOP,
    id: `machine-${name}`,
    name,
    machine: { os: 'ÄÖ 日本', kernel: null, arch: 'amd64', cpuCount: 128, memoryBytes: 2 ** 52, bootAtMs: NOW_MS },
    agent: { version: '1', startedAtMs: null, configHash: 'ab', sources: [{ path: '/a', state: 'reading', lagBytes: null }] },
    intervalMs: 60_000,
    listenersSum: null,
    firstSeenMs: NOW_MS,
    lastSeenMs: NOW_MS + 5,
    listenersSeenMs: null,
    ...changes
  }
}

function listener(id: string, changes: Partial<HostListener> = {}): HostListener {
  return {
    id,
    ...{
      protocol: 'tcp',
      address: '::',
      port: 80,
      pid: 2 ** 31,
      process: 'nginx',
      exe: '/usr/sbin/nginx',
      command: 'nginx -g ÄÖ',
      user: 'root'
    },
    ...{ unit: 'nginx.service', container: null, service: 'web', serviceBasis: 'unit' },
    ...{ firstSeenMs: NOW_MS, changedMs: NOW_MS, closedMs: null },
    ...changes
  }
}

/** Hosts that agents report, and their listeners. */
export function controlHostsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const listed = async (request: Partial<ListenerRequest> = {}): Promise<readonly string[]> =>
    (await store.hosts.listeners(SHOP, { limit: 100, ...request })).map(({ id }) => id)
  const listenersOf = async (key: HostKey): Promise<readonly string[]> => (await store.hosts.listenersOf(key)).map(({ id }) => id)

  it('gives a host back as it was reported, apart by namespace, id and name', async () => {
    const mine = host('a', { listenersSum: 'f'.repeat(64), listenersSeenMs: NOW_MS + 5 })
    const clone = host('b', { id: mine.id, lastSeenMs: NOW_MS + 9 })
    const foreign = host('a', { namespaceId: BANK, intervalMs: 10_000 })
    for (const one of [mine, clone, foreign]) await store.hosts.save([{ host: one, listeners: [] }])
    expect(await store.hosts.host(mine)).toEqual(mine)
    expect(await store.hosts.host(foreign)).toEqual(foreign)
    expect(await store.hosts.host({ ...mine, name: 'c' })).toBeNull()
    expect(await store.hosts.named(SHOP, ['a', 'b', 'c'])).toEqual([clone, mine])
    expect((await store.hosts.withIds(SHOP, [mine.id, 'x'])).map(({ name }) => name)).toEqual(['b', 'a'])
    expect((await store.hosts.all(SHOP, 9)).map(({ name }) => name)).toEqual(['a', 'b'])
    expect(await store.hosts.all(SHOP, 1)).toHaveLength(1)
    expect([await store.hosts.named(SHOP, []), await store.hosts.withIds(SHOP, [])]).toEqual([[], []])
    expect([await store.hosts.count(SHOP), await store.hosts.count(BANK)]).toEqual([2, 1])
  })

  it('replaces a report, and listeners by their id', async () => {
    await store.hosts.save([{ host: host('a'), listeners: [listener('1'), listener('2')] }])
    const later = host('a', { lastSeenMs: NOW_MS + 60_000, intervalMs: 30_000, machine: { ...host('a').machine, os: null } })
    const closed = listener('2', { changedMs: NOW_MS + 60_000, closedMs: NOW_MS + 5 })
    const restarted = listener('1', {
      pid: 5,
      exe: null,
      command: null,
      user: 'app',
      unit: null,
      service: null,
      serviceBasis: null
    })
    await store.hosts.save([{ host: later, listeners: [restarted, closed, listener('3')] }])
    expect(await store.hosts.host(later)).toEqual(later)
    expect(await store.hosts.listenersOf(later)).toEqual([restarted, closed, listener('3')])
    expect(await store.hosts.countListeners(SHOP)).toBe(3)
  })

  it('keeps the containers of the latest report that lists them, apart by namespace, id and name', async () => {
    const container: ReportedContainer = {
      id: 'c0ffee',
      name: 'ÄÖ',
      image: null,
      runtime: 'docker',
      service: null,
      state: 'running'
    }
    const many = Array.from({ length: 500 }, (_, i) => ({ ...container, name: `n-${i}` }))
    const clone = host('a', { id: 'machine-b', lastSeenMs: NOW_MS + 9 })
    await store.hosts.save([
      { host: host('a'), listeners: [], containers: many },
      { host: clone, listeners: [], containers: [] },
      { host: host('b'), listeners: [], containers: null },
      { host: host('a', { namespaceId: BANK }), listeners: [], containers: [container] }
    ])
    const read = async (sinceMs: number) =>
      (await store.hosts.containers(SHOP, ['a', 'b', 'c'], sinceMs)).map(found => [
        found.id,
        found.listed?.atMs,
        found.listed?.containers
      ])
    expect(await read(0)).toEqual([
      ['machine-b', NOW_MS + 9, []],
      ['machine-a', NOW_MS + 5, many],
      ['machine-b', undefined, undefined]
    ])
    await store.hosts.save([{ host: host('a', { lastSeenMs: NOW_MS + 20 }), listeners: [] }])
    const { machine: _m, agent: _a, listenersSum: _s, ...sighting } = host('a', { lastSeenMs: NOW_MS + 20 })
    const kept = { ...sighting, listed: { atMs: NOW_MS + 5, containers: many } }
    expect((await store.hosts.containers(SHOP, ['a'], 0))[0]).toEqual(kept)
    await store.hosts.save([{ host: host('a', { lastSeenMs: NOW_MS + 30 }), listeners: [], containers: [container] }])
    expect(await read(NOW_MS + 10)).toEqual([['machine-a', NOW_MS + 30, [container]]])
    expect(await store.hosts.containers(SHOP, [], 0)).toEqual([])
  })

  it('saves all changes or none', async () => {
    const broken = listener('2', { protocol: null as unknown as 'tcp' })
    await expect(
      store.hosts.save([
        { host: host('a'), listeners: [] },
        { host: host('b'), listeners: [broken] }
      ])
    ).rejects.toThrow()
    expect(await store.hosts.count(SHOP)).toBe(0)
  })

  it('saves as many listeners as a report has', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => listener(`l-${i}`, { port: i + 1 }))
    await store.hosts.save([{ host: host('a'), listeners: many }])
    expect(await store.hosts.countListeners(SHOP)).toBe(1_000)
    expect((await listed({ limit: 3 })).length).toBe(3)
  })

  it('lists listeners by port, protocol, host and address, by conditions, with their hosts', async () => {
    const [a, b] = [host('a'), host('b')]
    await store.hosts.save([
      { host: b, listeners: [listener('1', { port: 80 }), listener('2', { port: 22, service: 'ssh', closedMs: NOW_MS })] },
      {
        host: a,
        listeners: [listener('3', { port: 80 }), listener('4', { protocol: 'udp' }), listener('5', { address: '10.0.0.1' })]
      }
    ])
    await store.hosts.save([{ host: host('a', { namespaceId: BANK }), listeners: [listener('6')] }])
    expect(await listed()).toEqual(['2', '5', '3', '1', '4'])
    expect(await listed({ limit: 1 })).toEqual(['2'])
    expect(await listed({ hosts: ['b', 'c'] })).toEqual(['2', '1'])
    expect([await listed({ service: 'ssh' }), await listed({ port: 22 }), await listed({ open: false })]).toEqual([
      ['2'],
      ['2'],
      ['2']
    ])
    expect(await listed({ open: true, hosts: ['b'] })).toEqual(['1'])
    const { machine: _m, agent: _a, listenersSum: _s, ...sighting } = b
    expect((await store.hosts.listeners(SHOP, { port: 22, limit: 9 }))[0]!.host).toEqual(sighting)
  })

  it('forgets listeners of one host', async () => {
    const clone = host('b', { id: 'machine-a' })
    await store.hosts.save([
      { host: host('a'), listeners: [listener('1'), listener('2')] },
      { host: clone, listeners: [listener('1')] }
    ])
    await store.hosts.forgetListeners(host('a'), ['1', 'none'])
    await store.hosts.forgetListeners(host('a'), [])
    expect([await listenersOf(host('a')), await listenersOf(clone)]).toEqual([['2'], ['1']])
  })

  it('forgets the host that reported the longest time ago, with its listeners', async () => {
    const at = (name: string, lastSeenMs: number, changes: Partial<ReportedHost> = {}) => ({
      host: host(name, { lastSeenMs, ...changes }),
      listeners: [listener('1')]
    })
    await store.hosts.save([at('a', 3), at('b', 1), at('c', 2), at('d', 0, { namespaceId: BANK })])
    const left: (readonly string[])[] = []
    while (await store.hosts.forgetOldest(SHOP, 3)) left.push((await store.hosts.all(SHOP, 9)).map(({ name }) => name))
    expect(left).toEqual([['a', 'c'], ['a']])
    expect([await listenersOf(host('b')), await listenersOf(host('a'))]).toEqual([[], ['1']])
    expect([await store.hosts.countListeners(SHOP), await store.hosts.countListeners(BANK)]).toEqual([1, 1])
  })

  it('deletes hosts and closed listeners that are older than a time', async () => {
    await store.hosts.save([
      { host: host('a'), listeners: [listener('1'), listener('2', { closedMs: 8 }), listener('3', { closedMs: 9 })] },
      { host: host('b', { lastSeenMs: 4 }), listeners: [listener('1')] },
      { host: host('c', { lastSeenMs: 4, namespaceId: BANK }), listeners: [listener('1', { closedMs: 1 })] }
    ])
    await store.hosts.deleteBefore(SHOP, { hostsMs: 5, closedMs: 9 })
    expect((await store.hosts.all(SHOP, 9)).map(({ name }) => name)).toEqual(['a'])
    expect([await listenersOf(host('a')), await listenersOf(host('b'))]).toEqual([['1', '3'], []])
    expect([await store.hosts.count(BANK), await store.hosts.countListeners(BANK)]).toEqual([1, 1])
  })

  it('forgets those of a deleted namespace, and no others', async () => {
    await store.namespaces.insert(namespace('shop'))
    await store.hosts.save([
      { host: host('a'), listeners: [listener('1')] },
      { host: host('a', { namespaceId: BANK }), listeners: [listener('1')] }
    ])
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    const kept = async (ns: typeof SHOP): Promise<readonly number[]> => [
      await store.hosts.count(ns),
      await store.hosts.countListeners(ns)
    ]
    expect([await kept(SHOP), await kept(BANK)]).toEqual([
      [0, 0],
      [1, 1]
    ])
  })
}
