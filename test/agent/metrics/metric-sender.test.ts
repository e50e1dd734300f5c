import { describe, expect, it } from '@jest/globals'
import { AgentCounters } from '../../../agent/src/agent-counters.js'
import type { Reply } from '../../../agent/src/deliver/http-post.js'
import { MetricCollector, SYSTEM_FILES, type SystemFiles } from '../../../agent/src/metrics/collect.js'
import type { MetricPoint } from '../../../agent/src/metrics/metric-point.js'
import { metricsBody, MetricSender } from '../../../agent/src/metrics/metric-sender.js'

/** A service that responds with the statuses, one for each request; none is an outage. */
function senderTo(statuses: (number | undefined)[], maxWaiting = 10) {
  const sent: string[] = []
  const faults: string[] = []
  const post = {
    compress: async (body: string) => Buffer.from(body),
    send: async (_: string, body: Buffer): Promise<Reply> => {
      const status = statuses.shift()
      if (status === undefined) throw new Error('no connection')
      sent.push(`${status} ${body.toString()}`)
      return { status, retryAfterS: null, json: status === 200 ? { rejected: 0 } : { code: 'busy', detail: 'later' } }
    }
  }
  let dropped = 0
  const onDropped = (): unknown => dropped++
  const sender = new MetricSender({ post, onFault: text => faults.push(text), onDropped, maxWaiting })
  return { sender, sent, faults, dropped: () => dropped }
}

describe('metrics that are sent', () => {
  it('wait in their order while the service is not there', async () => {
    const { sender, sent, faults } = senderTo([undefined, 503, 200, 200, 200])
    for (const body of ['a', 'b', 'c']) await sender.send(body)
    expect(sent).toEqual(['503 a', '200 a', '200 b', '200 c'])
    expect(faults).toEqual(['Error: no connection', '503 busy: later'])
  })

  it('are dropped and counted when they are too old', async () => {
    const { sender, sent, dropped } = senderTo([undefined, undefined, undefined, 200, 200], 2)
    for (const body of ['a', 'b', 'c', 'd']) await sender.send(body)
    expect([sent, dropped()]).toEqual([['200 c', '200 d'], 2])
  })

  it('are not sent again when they are wrong', async () => {
    const { sender, sent } = senderTo([400, 200])
    for (const body of ['a', 'b']) await sender.send(body)
    expect(sent).toEqual(['400 a', '200 b'])
  })

  it('have the time of their collection, the host and the tags', () => {
    const points = [{ name: 'system.uptime', type: 'gauge', value: 7, labels: { cpu: '0', env: 'own' } }] as const
    const config = { namespace: { name: 'prod', from: 'agent.namespace' }, host: 'web-1', tags: { env: 'test', region: 'eu' } }
    expect(JSON.parse(metricsBody(points, config, 1_700_000_000_123))).toEqual({
      namespace: 'prod',
      metrics: [
        {
          name: 'system.uptime',
          type: 'gauge',
          value: 7,
          timestamp_ns: '1700000000123000000',
          labels: { env: 'own', region: 'eu', cpu: '0', host: 'web-1' }
        }
      ]
    })
  })
})

describe('the collector', () => {
  const METRICS = { topProcesses: 3, perCpu: false, containers: true, allInterfaces: false }
  const OPTIONS = {
    config: METRICS,
    namedContainers: async () => [],
    own: async () => ({
      counters: new AgentCounters(),
      retries: 3,
      sources: [
        { path: '/var/log/a', state: 'reading', lagBytes: 42 },
        { path: '/var/log/b', state: 'searching', lagBytes: null }
      ]
    }),
    onFault: () => undefined
  }
  const collected = async (config: typeof METRICS, files: Partial<SystemFiles> = {}): Promise<readonly MetricPoint[]> => {
    const system = { ...SYSTEM_FILES, elapsedMs: () => performance.now(), ...files }
    return new MetricCollector(system, { ...OPTIONS, config }).collect()
  }

  it('has its own figures first: no limit of series leaves them out', async () => {
    const own = (await collected(METRICS)).slice(0, 7)
    expect(own.map(({ name }) => name.replace('alidade.agent.', ''))).toEqual([
      'cpu.time',
      'memory.usage',
      'lines',
      'bytes',
      'gaps',
      'retries',
      'lag_bytes'
    ])
    expect(own.slice(5)).toMatchObject([{ value: 3 }, { value: 42, labels: { source: '/var/log/a' } }])
  })

  it('has series of each processor, of all devices and of no container as configured', async () => {
    const usage = `/sys/fs/cgroup/docker-${'c0ffee01'.repeat(8)}.scope/cpu.stat`
    const containers = {
      read: (path: string) => (path === usage ? 'usage_usec 1\n' : path.endsWith('cgroup.controllers') ? 'cpu\n' : ''),
      folders: (folder: string) => (folder === '/sys/fs/cgroup' ? [usage.split('/')[4]!] : []),
      link: () => ''
    }
    const kinds = async (config: typeof METRICS): Promise<readonly boolean[]> => {
      const points = await collected(config, { containers })
      const has = (name: string, label: string, value: string): boolean =>
        points.some(point => point.name === name && point.labels[label] === value)
      return [
        has('system.cpu.time', 'cpu', '0'),
        has('system.network.io', 'device', 'lo'),
        has('container.cpu.time', 'runtime', 'docker')
      ]
    }
    await expect(kinds(METRICS)).resolves.toEqual([false, false, true])
    await expect(kinds({ ...METRICS, perCpu: true, allInterfaces: true, containers: false })).resolves.toEqual([
      true,
      true,
      false
    ])
  })

  it('collects what there is of this machine, and reports what cannot be read', async () => {
    const faults: string[] = []
    const read = async (path: string): Promise<string> => {
      if (path === '/proc/diskstats') throw new Error('not there')
      return SYSTEM_FILES.read(path)
    }
    const collector = new MetricCollector(
      { ...SYSTEM_FILES, read, elapsedMs: () => performance.now() },
      { ...OPTIONS, onFault: part => faults.push(part) }
    )
    const points = [...(await collector.collect()), ...(await collector.collect())]
    const names = new Set(points.map(({ name }) => name))
    for (const name of ['system.cpu.time', 'system.memory.limit', 'system.processes.count', 'process.memory.usage'])
      expect(names).toContain(name)
    expect(names).toContain('system.network.connections')
    expect(points.filter(({ value }) => !Number.isFinite(value))).toEqual([])
    expect(faults).toContain('disk')
  })
})
