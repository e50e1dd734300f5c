import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { endianness } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { agentFacts } from '../../agent/src/host/agent-facts.js'
import { hostBody } from '../../agent/src/host/host-body.js'
import { hostFacts } from '../../agent/src/host/host-facts.js'
import { containerLister } from '../../agent/src/host/run-host.js'
import { ListenerCollector } from '../../agent/src/listeners/collect-listeners.js'
import { PROC_FILES } from '../../agent/src/proc-files.js'
import { INTERVAL_S, type ReportedHostsService, socket, startReportedHosts } from '../support/host-reports.js'

type Json = Readonly<Record<string, unknown>>
interface Listed {
  readonly id: string
  readonly host: string
  readonly state: string
  readonly port: number
  readonly pid: number | null
  readonly first_seen: string
  readonly last_seen: string
}

const MINUTE_MS = 60_000

let service: ReportedHostsService
beforeAll(async () => {
  service = await startReportedHosts()
})
afterAll(() => service?.close())

async function listeners(query = ''): Promise<readonly Listed[]> {
  return (await service.ok(service.get(`/api/v1/listeners${query}`)))['listeners'] as readonly Listed[]
}

describe('listeners', () => {
  const of = (host: string): Promise<readonly Listed[]> => listeners(`?host=${host}`)

  const hostState = async (name: string): Promise<unknown> =>
    ((await service.ok(service.get(`/api/v1/hosts/${name}`)))['host'] as Json)['state']

  it('open, close, and open again, first seen when they were', async () => {
    await service.report('m-l', 'l-1', { listeners: [socket(80), socket(81, { service: 'pay' })] })
    const [first] = await of('l-1')
    service.clock.aheadMs += MINUTE_MS
    await service.report('m-l', 'l-1', { listeners: [socket(81, { service: 'pay', pid: 9 }), socket(82)] })
    const states = (await of('m-l')).map(({ port, state, pid }) => [port, state, pid])
    expect(states).toEqual([
      [80, 'gone', null],
      [81, 'active', 9],
      [82, 'active', null]
    ])
    const [closed] = await of('l-1')
    expect(closed!.last_seen).toBe(first!.last_seen)
    service.clock.aheadMs += MINUTE_MS
    await service.report('m-l', 'l-1', { listeners: [socket(80)] })
    const [again] = await of('l-1')
    expect([again!.state, again!.id, again!.first_seen]).toEqual(['active', first!.id, first!.first_seen])
    expect(again!.last_seen > first!.last_seen).toBe(true)
    expect((await listeners('?host=l-1&open=true')).map(({ port }) => port)).toEqual([80])
    expect((await listeners('?host=l-1&open=false')).map(({ port }) => port)).toEqual([81, 82])
    expect((await listeners('?service=pay')).map(({ host }) => host)).toEqual(['l-1'])
    expect((await listeners('?host=l-1&port=81')).length).toBe(1)
  })

  it('are as old as the latest report with a list', async () => {
    await service.report('m-n', 'n-1', { listeners: [socket(80)] })
    service.clock.aheadMs += 4 * MINUTE_MS
    await service.report('m-n', 'n-1', { listeners: null })
    expect([(await of('n-1'))[0]!.state, await hostState('n-1')]).toEqual(['stale', 'active'])
  })

  it('are listed up to a limit, and the response reports it', async () => {
    await service.report('m-many', 'many', { listeners: Array.from({ length: 3 }, (_, i) => socket(i + 1)) })
    const cut = await service.ok(service.get('/api/v1/listeners?host=many&limit=2'))
    expect([(cut['listeners'] as Json[]).length, cut['complete'], cut['page']]).toEqual([
      2,
      false,
      { next_cursor: null, has_more: true, limit: 2 }
    ])
    expect(cut['warnings']).toEqual([expect.stringContaining('only 2 listeners')])
    expect(await service.fault(service.get('/api/v1/listeners?limit=5001'))).toEqual([400, 'invalid_field'])
  })

  it('and hosts are the same over GraphQL', async () => {
    await service.report('m-g', 'g-1', {
      ...{ os: 'Debian', kernel: '6.1', arch: 'arm64', cpu_count: 4, memory_bytes: 8, boot_time: '2026-01-01T00:00:00Z' },
      agent: { version: '1.2.3', sources: [{ path: '/a', state: 'reading', lag_bytes: 5 }] },
      listeners: [socket(80, { service: 'web', service_basis: 'unit', command: 'app --x', user: 'root', unit: 'a.service' })]
    })
    const fields = `id state address port protocol process pid command user unit container service serviceBasis firstSeen lastSeen host { id name state }`
    const {
      listeners: found,
      listenerPage,
      host,
      byId
    } = await service.graphql(`{
      listeners(host: "g-1") { ${fields} }
      listenerPage(service: "web", first: 1) { nodes { port } stats { complete } }
      host(id: "g-1") { os kernel arch cpuCount memoryBytes bootTime agent { hostId version startedAt intervalSeconds idSharedBy sources { path state lagBytes } }
        listeners { port } }
      byId: host(id: "m-g") { name }
    }`)
    expect(found).toEqual([
      expect.objectContaining({
        ...{ state: 'ACTIVE', address: '0.0.0.0', port: 80, protocol: 'tcp', process: 'app', pid: null, command: 'app --x' },
        ...{ user: 'root', unit: 'a.service', container: null, service: 'web', serviceBasis: 'unit' },
        host: { id: 'g-1', name: 'g-1', state: 'ACTIVE' }
      })
    ])
    expect(listenerPage).toEqual({ nodes: [{ port: 80 }], stats: { complete: true } })
    expect(host).toMatchObject({
      ...{
        os: 'Debian',
        kernel: '6.1',
        arch: 'arm64',
        cpuCount: 4,
        memoryBytes: 8,
        bootTime: expect.stringMatching(/^2026-01-01T00:00:00/)
      },
      agent: {
        ...{ hostId: 'm-g', version: '1.2.3', startedAt: null, intervalSeconds: INTERVAL_S, idSharedBy: [] },
        sources: [{ path: '/a', state: 'reading', lagBytes: 5 }]
      },
      listeners: [{ port: 80 }]
    })
    expect(byId).toEqual({ name: 'g-1' })
  })
})

describe('the agent of this machine', () => {
  it('reports the sockets that listen here with their process, and one that closes is gone', async () => {
    const config = parseConfig('agent:\n  api_key: k\n  host: here\n')
    const collector = new ListenerCollector({
      namedContainers: async () => [],
      files: PROC_FILES,
      elapsedMs: () => performance.now(),
      isLittleEndian: endianness() === 'LE',
      onFault: event => {
        throw new Error(event)
      }
    })
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { readonly port: number }
    const send = async (): Promise<void> => {
      const facts = {
        host: hostFacts(),
        agent: agentFacts(config, 0),
        sources: [],
        containers: await containerLister(config, () => undefined).collect()
      }
      await service.report(
        'm-here',
        'here',
        JSON.parse(hostBody({ ...facts, listeners: await collector.collect() }, config, 1024 * 1024)) as Json
      )
    }
    await send()
    const found = await listeners(`?host=here&port=${port}`)
    expect(found).toEqual([
      expect.objectContaining({ state: 'active', address: '127.0.0.1', pid: process.pid, exe: await realpath(process.execPath) })
    ])
    server.close()
    await once(server, 'close')
    await send()
    expect((await listeners(`?host=here&port=${port}`)).map(({ state }) => state)).toEqual(['gone'])
  })
})
