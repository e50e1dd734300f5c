import { describe, expect, it } from '@jest/globals'
import { ListenerCollector, type ListenerDeps } from '../../../agent/src/listeners/collect-listeners.js'
import { parseCgroup } from '../../../agent/src/listeners/cgroup.js'
import { guessService } from '../../../agent/src/listeners/service-guess.js'
import { LIMITS } from '../../../agent/src/limits.js'
import { ProcTree, type RecordedProcess, socketLine, socketTable } from './proc-tree.js'

const CONTAINER = 'c0ffee'.repeat(11).slice(0, 64)

function collectorOf(
  tree: ProcTree,
  namedContainers: ListenerDeps['namedContainers'] = async () => []
): { readonly collector: ListenerCollector; readonly faults: string[] } {
  const faults: string[] = []
  const onFault = (event: string): unknown => faults.push(event)
  const deps = { files: tree, elapsedMs: () => 0, isLittleEndian: true, namedContainers, onFault }
  return { collector: new ListenerCollector(deps), faults }
}

function tcp(inode: number, port: number, address = '00000000'): string {
  return socketLine(`${address}:${port.toString(16).toUpperCase().padStart(4, '0')}`, '0A', inode)
}

const WEB: RecordedProcess = {
  name: 'nginx',
  exe: '/usr/sbin/nginx (deleted)',
  cmdline: 'nginx: master process /usr/sbin/nginx\0',
  cgroup: '0::/system.slice/nginx.service\n',
  fds: { 5: '/dev/null', 6: 'socket:[11]', 7: 'socket:[99]' }
}

describe('the listeners of a machine', () => {
  it('are its sockets with their processes', async () => {
    const { collector } = collectorOf(
      new ProcTree(
        {
          1: { name: 'init' },
          40: WEB,
          41: { ...WEB, uid: 1000, fds: { 6: 'socket:[11]' } },
          70: {
            name: 'node',
            exe: '/opt/a\nb/node',
            cmdline: 'node\0--token=abc\0',
            uid: 1000,
            cgroup: `0::/system.slice/docker-${CONTAINER}.scope\n`,
            environ: 'PATH=/bin\0OTEL_SERVICE_NAME=checkout\0TOKEN=abc\0',
            fds: { 20: 'socket:[12]' },
            net: 'net:[2]'
          }
        },
        {
          'net:[1]': { tcp: socketTable(tcp(11, 80), tcp(13, 5432, '0100007F')), udp6: socketTable() },
          'net:[2]': { tcp: socketTable(tcp(12, 80)) }
        }
      )
    )
    const unknown = { pid: null, process: null, exe: null, command: null, user: null, unit: null, container: null }
    expect(await collector.collect()).toEqual([
      {
        ...{ protocol: 'tcp', address: '0.0.0.0', port: 80, pid: 40, process: 'nginx' },
        ...{ command: 'nginx: master process /usr/sbin/nginx', user: 'root', unit: 'nginx.service', container: null },
        ...{ exe: '/usr/sbin/nginx (deleted)', service: 'nginx', serviceBasis: 'unit' }
      },
      {
        ...{ protocol: 'tcp', address: '0.0.0.0', port: 80, pid: 70, process: 'node', command: 'node --token=***' },
        exe: '/opt/a\uFFFDb/node',
        ...{ user: 'app', unit: null, container: CONTAINER.slice(0, 12), service: 'checkout', serviceBasis: 'environment' }
      },
      { protocol: 'tcp', address: '127.0.0.1', port: 5432, ...unknown, service: 'postgresql', serviceBasis: 'port' }
    ])
  })

  it('of containers are of the service of Compose, unless their environment names one', async () => {
    const inContainer = { name: 'node', cgroup: `0::/system.slice/docker-${CONTAINER}.scope\n`, net: 'net:[2]' }
    const tree = new ProcTree(
      {
        1: { name: 'init' },
        70: { ...inContainer, fds: { 20: 'socket:[12]' } },
        71: { ...inContainer, environ: 'OTEL_SERVICE_NAME=checkout\0', fds: { 20: 'socket:[13]' } }
      },
      { 'net:[1]': { tcp: socketTable() }, 'net:[2]': { tcp: socketTable(tcp(12, 5432), tcp(13, 81)) } }
    )
    const labels = { 'com.docker.compose.service': 'ledger' }
    const results: (Awaited<ReturnType<ListenerDeps['namedContainers']>> | Error)[] = [
      [{ id: CONTAINER, labels }],
      new Error('no response'),
      [{ id: CONTAINER, labels: {} }]
    ]
    const { collector } = collectorOf(tree, async () => {
      const result = results.shift()!
      if (result instanceof Error) throw result
      return result
    })
    const found = async () => (await collector.collect()).map(({ service, serviceBasis }) => [service, serviceBasis])
    const ofCompose = [
      ['checkout', 'environment'],
      ['ledger', 'label']
    ]
    await expect(found()).resolves.toEqual(ofCompose)
    // A service stays while the daemon does not respond: the listener would be of another one.
    await expect(found()).resolves.toEqual(ofCompose)
    await expect(found()).resolves.toEqual([ofCompose[0], ['postgresql', 'port']])
  })

  it('cost no request where none is of a container', async () => {
    const tree = new ProcTree({ 40: WEB }, { 'net:[1]': { tcp: socketTable(tcp(11, 80)) } })
    let calls = 0
    await collectorOf(tree, async () => (calls++, [])).collector.collect()
    expect(calls).toBe(0)
  })

  it('of one process on one address are one', async () => {
    const processes = {
      40: { ...WEB, fds: { 6: 'socket:[11]' } },
      41: { ...WEB, fds: { 6: 'socket:[12]' } },
      50: { name: 'other', fds: { 1: 'socket:[13]' } }
    }
    const tree = new ProcTree(processes, { 'net:[1]': { tcp: socketTable(tcp(12, 80), tcp(11, 80), tcp(13, 80)) } })
    const found = await collectorOf(tree).collector.collect()
    expect(found.map(({ process, pid }) => [process, pid])).toEqual(
      expect.arrayContaining([
        ['nginx', 40],
        ['other', 50]
      ])
    )
    expect(found).toHaveLength(2)
  })

  it('that are known cost one look each', async () => {
    const fds = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [String(i), '/dev/null']))
    const tree = new ProcTree({ 1: { fds }, 40: WEB }, { 'net:[1]': { tcp: socketTable(tcp(11, 80)) } })
    const { collector } = collectorOf(tree)
    await collector.collect()
    tree.looks = 0
    const [found] = await collector.collect()
    expect([tree.looks, found!.pid]).toEqual([1, 40])
    tree.processes = { 1: { fds }, 44: WEB }
    expect((await collector.collect())[0]!.pid).toBe(44)
  })

  it('whose processes cannot be seen are searched for in every tenth collection', async () => {
    const tree = new ProcTree({ 40: { fds: { 1: '/dev/null' } } }, { 'net:[1]': { tcp: socketTable(tcp(11, 80)) } })
    const { collector } = collectorOf(tree)
    const looks: number[] = []
    for (let i = 0; i < 12; i++) {
      tree.looks = 0
      await collector.collect()
      looks.push(tree.looks)
    }
    expect(looks).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
  })

  it('are searched for in a bounded number of files, and left out beyond their bound', async () => {
    const files = Object.fromEntries(Array.from({ length: LIMITS.processFiles + 1 }, (_, i) => [String(i), '/dev/null']))
    const rows = Array.from({ length: LIMITS.listeners + 1 }, (_, i) => tcp(1_000 + i, i + 1))
    const tree = new ProcTree({ 40: { fds: files }, 50: WEB }, { 'net:[1]': { tcp: socketTable(...rows) } })
    const { collector, faults } = collectorOf(tree)
    const found = await collector.collect()
    expect([found.length, found.at(-1)!.port, tree.looks]).toEqual([LIMITS.listeners, LIMITS.listeners, LIMITS.processFiles])
    expect(faults).toEqual(['processes of some listeners not found', 'too many listeners'])
  })

  it('are of a bounded number of network namespaces', async () => {
    const many = Array.from({ length: LIMITS.networks }, (_, i) => [i + 10, { net: `net:[${i + 10}]` }] as const)
    const { collector, faults } = collectorOf(
      new ProcTree(Object.fromEntries(many), { 'net:[1]': { tcp: socketTable(tcp(1, 80)) } })
    )
    expect((await collector.collect()).map(({ port }) => port)).toEqual([80])
    expect(faults).toEqual(['too many network namespaces'])
  })

  it('do not show half of an argument that is longer than what is read', async () => {
    const cmdline = `app\0${'x'.repeat(16 * 1024 - 8)}`.slice(0, 16 * 1024 - 4) + '\0ab'
    const secret = `app\0--a\0postgres://user:${'p'.repeat(16 * 1024)}`.slice(0, 16 * 1024)
    const of = async (text: string): Promise<string | null> => {
      const tree = new ProcTree({ 40: { ...WEB, cmdline: text } }, { 'net:[1]': { tcp: socketTable(tcp(11, 80)) } })
      return (await collectorOf(tree).collector.collect())[0]!.command
    }
    expect(await of(secret)).toBe('app --a')
    expect((await of(cmdline))!.length).toBeGreaterThan(1_000)
  })
})

describe('what runs a process', () => {
  it.each([
    ['0::/system.slice/postgresql@17-main.service', 'postgresql@17-main.service', null],
    ['12:pids:/system.slice/cron.service\n1:name=systemd:/system.slice/cron.service', 'cron.service', null],
    ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/dev.service', 'dev.service', null],
    ['0::/user.slice/user-1000.slice/session-3.scope', null, null],
    [`0::/system.slice/docker-${CONTAINER}.scope`, null, CONTAINER.slice(0, 12)],
    [`3:cpu:/docker/${CONTAINER}`, null, CONTAINER.slice(0, 12)],
    [`0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-${CONTAINER}.scope`, null, CONTAINER.slice(0, 12)],
    [`0::/machine.slice/libpod-${CONTAINER}.scope/container`, null, CONTAINER.slice(0, 12)],
    ['0::/', null, null],
    ['', null, null]
  ])('%j is unit %j and container %j', (text, unit, container) => {
    expect(parseCgroup(text)).toEqual({ unit, container })
  })
})

describe('the service of a process', () => {
  const NONE = { unit: null, container: null }

  it.each([
    ['OTEL_SERVICE_NAME=shop', NONE, 'shop', 'environment'],
    ['OTEL_RESOURCE_ATTRIBUTES=a=b, service.name=my%20shop ,c=d', NONE, 'my shop', 'environment'],
    ['OTEL_RESOURCE_ATTRIBUTES=service.name=100%', NONE, '100%', 'environment'],
    ['XOTEL_SERVICE_NAME=shop', { ...NONE, unit: 'web@2.service' }, 'web', 'unit'],
    ['', { ...NONE, unit: 'user@1000.service' }, 'node', 'process'],
    ['', { unit: 'docker.service', container: 'abc' }, 'node', 'process'],
    ['', NONE, 'node', 'process']
  ] as const)('of %j in %j is %s by %s', (environ, group, service, serviceBasis) => {
    expect(guessService(8080, { name: 'node', environ, group })).toEqual({ service, serviceBasis })
  })

  it('follows from a known port before the name of the process, and is null without either', () => {
    expect(guessService(6379, { name: 'memtier', environ: '', group: NONE })).toEqual({ service: 'redis', serviceBasis: 'port' })
    expect(guessService(8080, { name: null, environ: '', group: NONE })).toEqual({ service: null, serviceBasis: null })
  })
})
