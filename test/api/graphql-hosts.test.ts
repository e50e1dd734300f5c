import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { postGraphql } from '../support/graphql-client.js'
import { type HostPoint, hostPoints, rising } from '../support/host-points.js'
import { exportOf, newTraceId } from '../support/otlp-spans.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

type Json = Readonly<Record<string, unknown>>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const RANGE = { from: 'now-1h' }
const LONG = `long-${'n'.repeat(10_000)}`
const HOSTILE = ['<img onerror=alert(1)>', 'a|b.*(c)', `quo"te\\d\n'line`, '__proto__', '../../etc', 'WEB-1']

let service: ReadingService

async function sendPoints(host: string, points: readonly HostPoint[]): Promise<void> {
  await service.write('/api/v1/ingest/batch', { metrics: hostPoints(host, points) })
}

/** Rates end with the latest sample, which is as old as the test. */
function isNear(value: unknown, expected: number): boolean {
  return Math.abs(Number(value) / expected - 1) < 0.25
}

async function request(
  query: string,
  variables: Json = {},
  headers: Readonly<Record<string, string>> = service.session
): Promise<Json> {
  const { data, errors, text } = await postGraphql(service.url, { query, variables }, headers)
  if (errors.length > 0 || !data) throw new Error(text)
  return data
}

async function codeOf(query: string, variables: Json = {}): Promise<unknown> {
  return (await postGraphql(service.url, { query, variables }, service.session)).errors[0]?.extensions['code']
}

type Listed = readonly { readonly name: string; readonly state: string }[]

async function names(args = ''): Promise<readonly string[]> {
  return ((await request(`{ hosts${args} { name state } }`))['hosts'] as Listed).map(({ name }) => name)
}

beforeAll(async () => {
  service = await startReadingService()
  const resource = {
    'host.name': 'node-1',
    'host.arch': 'arm64',
    'os.description': 'Debian 13',
    'os.version': '6.12',
    'cloud.region': 'eu-1'
  }
  const spans = ['web', 'web', 'pay'].map(name => ({
    ...{ trace: newTraceId(), startMs: Date.now() - MINUTE_MS, service: name, name: 'GET /', kind: 2, tookMs: 5 },
    resource
  }))
  const headers = { 'x-api-key': service.first.ingestKey }
  const sent = await service.api('/api/v1/otlp/v1/traces', { method: 'POST', json: exportOf(spans), headers })
  if (sent.status !== 200) throw new Error(sent.text)
  const hosts = ['node-1', 'web-1', LONG, ...HOSTILE]
  await service.write('/api/v1/logs/batch', {
    logs: [
      ...hosts.map(host => ({ message: `of ${host.slice(0, 20)}`, host, service: 'web' })),
      { message: 'earlier', host: 'tired', timestamp: new Date(Date.now() - 2 * HOUR_MS).toISOString() }
    ]
  })
  await sendPoints('lost', [{ name: 'system.cpu.usage_percent', value: 5, ageMs: 3 * DAY_MS }])
  await sendPoints('node-1', [
    ...rising('system.cpu.time', 0.75, { cpu: '0', state: 'idle' }),
    ...rising('system.cpu.time', 0.25, { cpu: '0', state: 'user' }),
    ...rising('system.cpu.time', 0.25, { cpu: '1', state: 'idle' }),
    ...rising('system.cpu.time', 0.75, { cpu: '1', state: 'user' }),
    { name: 'system.memory.usage', value: 600, labels: { state: 'used' } },
    { name: 'system.memory.usage', value: 400, labels: { state: 'free' } },
    { name: 'system.filesystem.usage', value: 30, labels: { state: 'used', device: 'sda1', mountpoint: '/', type: 'ext4' } },
    { name: 'system.filesystem.usage', value: 70, labels: { state: 'free', device: 'sda1', mountpoint: '/', type: 'ext4' } },
    { name: 'system.filesystem.usage', value: 9, labels: { state: 'used', device: 'sdb1', mountpoint: '/data', type: 'xfs' } },
    { name: 'system.filesystem.usage', value: 1, labels: { state: 'free', device: 'sdb1', mountpoint: '/data', type: 'xfs' } },
    { name: 'system.filesystem.usage', value: 1, labels: { state: 'used', device: 'loop0', mountpoint: '/i', type: 'squashfs' } },
    ...rising('system.network.io', 1_000, { device: 'eth0', direction: 'receive' }),
    ...rising('system.network.io', 10, { device: 'eth0', direction: 'transmit' }),
    { name: 'system.uptime', value: 3_600 },
    ...rising('container.cpu.time', 0.5, { container: 'db', image: 'postgres:17' }),
    { name: 'container.memory.usage', value: 50, labels: { container: 'db', image: 'postgres:17' } },
    { name: 'container.memory.limit', value: 200, labels: { container: 'db', image: 'postgres:17' } },
    ...rising('container.network.io', 7, { container: 'db', image: 'postgres:17', direction: 'receive' }),
    { name: 'container.memory.usage', value: 3, labels: { container: 'idle' } },
    { name: 'process.cpu.utilization', value: 0.2, labels: { process: 'node', user: 'app' } },
    { name: 'process.memory.usage', value: 10, labels: { process: 'node', user: 'app' } },
    { name: 'process.memory.usage', value: 99, labels: { process: 'postgres', user: 'db' } }
  ])
  await sendPoints('web-1', [
    { name: 'system.cpu.usage_percent', value: 41.5 },
    { name: 'system.memory.usage_percent', value: 12 },
    { name: 'system.disk.usage_percent', value: 90, labels: { device: 'sda1' } }
  ])
  await sendPoints('a|b.*(c)', [{ name: 'system.cpu.utilization', value: 0.9, labels: { state: 'idle' } }])
  await service.settle()
})
afterAll(() => service?.close())

describe('hosts over GraphQL', () => {
  it('lists hosts of logs, spans and metrics by name, case-sensitive, with their state', async () => {
    const { hosts } = await request('{ hosts { id name state lastSeen agent { version } listeners { id } } }')
    const listed = hosts as readonly { id: string; name: string; state: string; agent: null; listeners: readonly unknown[] }[]
    const all = ['lost', 'node-1', 'tired', 'web-1', LONG, ...HOSTILE].sort()
    expect(listed.map(({ name }) => name)).toEqual(all)
    expect(listed.every(({ id, name, agent, listeners }) => id === name && agent === null && listeners.length === 0)).toBe(true)
    const states = new Map(listed.map(({ name, state }) => [name, state]))
    expect([states.get('node-1'), states.get('tired'), states.get('lost')]).toEqual(['ACTIVE', 'STALE', 'GONE'])
    expect(await request('{ listeners { id } }')).toEqual({ listeners: [] })
  })

  it('searches, filters by state and pages', async () => {
    expect(await names('(contains: "WEB-")')).toEqual(['WEB-1', 'web-1'])
    expect(await names('(contains: "|B.*(")')).toEqual(['a|b.*(c)'])
    expect(await names('(contains: "nnnnnnnnnn")')).toEqual([LONG])
    expect(await names('(contains: "absent")')).toEqual([])
    expect(await names('(states: [GONE, STALE])')).toEqual(['lost', 'tired'])
    expect(await names('(states: [])')).toEqual([])
    expect(await names('(first: 0)')).toEqual([])
    const page = async (after: string | null) =>
      (
        await request(
          `query ($after: String) { hostPage(first: 4, after: $after) {
            nodes { name } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } total { value exact }
            stats { complete warnings cuts { kind } newestAt } } }`,
          { after }
        )
      )['hostPage'] as { nodes: Listed; pageInfo: { hasNextPage: boolean; endCursor: string }; stats: Json; total: Json }
    const seen: string[] = []
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo, stats, total } = await page(after)
      seen.push(...nodes.map(({ name }) => name))
      expect([stats, total]).toEqual([
        { complete: true, warnings: [], cuts: [], newestAt: null },
        { value: 11, exact: true }
      ])
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }
    expect(seen).toEqual(await names())
  })

  it('reads figures of the latest samples, in either way that they are sent', async () => {
    const fields = 'name cpuPercent memoryPercent diskPercent cpuCount memoryBytes bootTime'
    const { hosts } = await request(`{ hosts(states: [ACTIVE, GONE]) { ${fields} } }`)
    const byName = new Map((hosts as readonly (Json & { name: string })[]).map(host => [host.name, host]))
    expect(byName.get('node-1')).toMatchObject({
      ...{ cpuPercent: expect.closeTo(50, 6), memoryPercent: expect.closeTo(60, 6), diskPercent: expect.closeTo(90, 6) },
      ...{ cpuCount: 2, memoryBytes: 1_000, bootTime: expect.stringMatching(/^\d{4}-/) }
    })
    expect(byName.get('web-1')).toMatchObject({ cpuPercent: 41.5, memoryPercent: 12, diskPercent: 90, cpuCount: null })
    expect(byName.get('a|b.*(c)')).toMatchObject({ cpuPercent: expect.closeTo(10, 6), memoryPercent: null })
    expect(byName.get('lost')).toMatchObject({ cpuPercent: null, bootTime: null })
  })

  it('reads one host with what its resource states, containers, processes, services and logs', async () => {
    const { host } = await request(
      `query ($range: TimeRange!) { host(id: "node-1") {
        name os arch kernel labels { name value }
        containers { id name image cpuPercent memoryBytes memoryPercent rxBytesPerSecond txBytesPerSecond }
        processes(limit: 1) { name user cpuPercent } byMemory: processes(by: MEMORY) { name memoryBytes }
        services { name state red(range: $range) { requests } }
        logs(range: $range) { nodes { message host } total { value } }
        other: logs(range: $range, filter: { query: "nothing" }) { total { value } }
        elsewhere: logs(range: $range, filter: { hosts: ["web-1"] }) { total { value } }
      } }`,
      { range: RANGE }
    )
    expect(host).toMatchObject({
      ...{ os: 'Debian 13', arch: 'arm64', kernel: '6.12' },
      labels: expect.arrayContaining([{ name: 'cloud.region', value: 'eu-1' }]),
      containers: [
        {
          ...{ id: 'node-1/db', name: 'db', image: 'postgres:17', cpuPercent: expect.any(Number) },
          ...{ memoryBytes: 50, memoryPercent: 25, rxBytesPerSecond: expect.any(Number), txBytesPerSecond: null }
        },
        { name: 'idle', image: null, cpuPercent: null, memoryBytes: 3, memoryPercent: null }
      ],
      processes: [{ name: 'node', user: 'app', cpuPercent: expect.closeTo(20, 6) }],
      byMemory: [
        { name: 'postgres', memoryBytes: 99 },
        { name: 'node', memoryBytes: 10 }
      ],
      services: [
        { name: 'web', red: { requests: 2 } },
        { name: 'pay', red: { requests: 1 } }
      ],
      logs: { nodes: [{ message: 'of node-1', host: 'node-1' }], total: { value: 1 } },
      other: { total: { value: 0 } },
      elsewhere: { total: { value: 0 } }
    })
    const [{ cpuPercent, rxBytesPerSecond }] = (
      host as { containers: readonly [Record<'cpuPercent' | 'rxBytesPerSecond', number>] }
    ).containers
    expect([isNear(cpuPercent, 50), isNear(rxBytesPerSecond, 7)]).toEqual([true, true])
  })

  it('draws CPU, memory, disk and network on one grid', async () => {
    const query = `query ($id: ID!, $range: TimeRange!) { host(id: $id) { series(range: $range, buckets: 30) {
      grid { length stepMs } omitted stats { complete } series { ref legend labels { name value } values last } } } }`
    type Lines = { grid: { length: number }; series: readonly { ref: string; legend: string; values: unknown[]; last: number }[] }
    const drawn = async (id: string): Promise<Lines> =>
      ((await request(query, { id, range: RANGE }))['host'] as { series: Lines }).series
    const { grid, series } = await drawn('node-1')
    expect(series.map(({ legend }) => legend)).toEqual([
      'cpu',
      'memory',
      'disk /',
      'disk /data',
      'network receive',
      'network transmit'
    ])
    expect(series.every(({ values }) => values.length === grid.length)).toBe(true)
    expect(series.slice(0, 4).map(({ last }) => Math.round(last))).toEqual([50, 60, 30, 90])
    expect([isNear(series[4]!.last, 1_000), isNear(series[5]!.last, 10)]).toEqual([true, true])
    expect((await drawn('web-1')).series.map(({ legend, last }) => [legend, last])).toEqual([
      ['cpu', 41.5],
      ['memory', 12],
      ['disk', 90]
    ])
    expect((await drawn('tired')).series).toEqual([])
  })

  it('finds hosts by hostile names and returns null for others', async () => {
    const query = `query ($id: ID!, $range: TimeRange!) { host(id: $id) {
      name cpuPercent containers { id } logs(range: $range) { total { value } } } }`
    for (const id of HOSTILE) {
      const { host } = await request(query, { id, range: RANGE })
      expect(host).toMatchObject({ name: id, containers: [], logs: { total: { value: 1 } } })
    }
    expect(await request('query ($id: ID!) { host(id: $id) { name os services { name } } }', { id: LONG })).toEqual({
      host: { name: LONG, os: null, services: [] }
    })
    // Filters of logs have shorter values.
    expect(await codeOf(query, { id: LONG, range: RANGE })).toBe('invalid_field')
    for (const id of ['', 'Node-1', 'node-', `${LONG}n`, '%', '@'])
      expect(await request('query ($id: ID!) { host(id: $id) { name } }', { id })).toEqual({ host: null })
  })

  it('shows another namespace nothing of it', async () => {
    const create = 'mutation { createNamespace(name: "hosts-elsewhere") { namespace { id } } }'
    const { createNamespace } = await request(create)
    const { id } = (createNamespace as { namespace: { id: string } }).namespace
    const headers = { ...service.session, 'x-namespace-id': id }
    const query = `{ hosts { name } hostPage { total { value } } host(id: "node-1") { name } service(name: "web") { name } listeners { id } }`
    const nothing = { hosts: [], hostPage: { total: { value: 0 } }, host: null, service: null, listeners: [] }
    expect(await request(query, {}, headers)).toEqual(nothing)
    const key = { 'x-api-key': service.first.ingestKey, 'x-namespace-id': id }
    const sent = await service.ingest('/api/v1/ingest/batch', {
      method: 'POST',
      json: { metrics: hostPoints('node-1', [{ name: 'system.cpu.usage_percent', value: 99 }]) },
      headers: key
    })
    expect(sent.status).toBe(403)
    const { createApiKey } = await request(
      'mutation { createApiKey(input: { name: "elsewhere", kind: INGEST }) { secret } }',
      {},
      headers
    )
    const own = { 'x-api-key': (createApiKey as { secret: string }).secret }
    const json = { metrics: hostPoints('node-1', [{ name: 'system.cpu.usage_percent', value: 99 }]) }
    expect((await service.ingest('/api/v1/ingest/batch', { method: 'POST', json, headers: own })).status).toBe(200)
    await service.settle()
    const figures = `{ host(id: "node-1") { cpuPercent os containers { id } services { name } logs(range: { from: "now-1h" }) { total { value } } } }`
    expect(await request(figures, {}, headers)).toEqual({
      host: { cpuPercent: 99, os: null, containers: [], services: [], logs: { total: { value: 0 } } }
    })
    expect(await request('{ host(id: "node-1") { cpuPercent } }')).toMatchObject({ host: { cpuPercent: expect.closeTo(50, 6) } })
  })

  it('names the hosts and releases of a service', async () => {
    const { service: one } = await request(
      `query ($range: TimeRange!) { service(name: "web") { hosts(range: $range) { name state } releases(range: $range) { version } } }`,
      { range: RANGE }
    )
    expect(one).toEqual({ hosts: [{ name: 'node-1', state: 'ACTIVE' }], releases: [] })
  })

  it('refuses what exceeds its bounds', async () => {
    expect(await codeOf('{ hosts(first: 501) { name } }')).toBe('invalid_field')
    expect(await codeOf('{ hosts(first: -1) { name } }')).toBe('invalid_field')
    const contains = 'query ($contains: String!) { hosts(contains: $contains) { name } }'
    expect(await codeOf(contains, { contains: 'x'.repeat(257) })).toBe('invalid_field')
    expect(await codeOf(contains, { contains: 'x'.repeat(256) })).toBeUndefined()
    expect(await codeOf('{ host(id: "node-1") { processes(limit: 101) { name } } }')).toBe('invalid_field')
    const series = (buckets: number) =>
      `{ host(id: "node-1") { series(range: { from: "now-1h" }, buckets: ${buckets}) { omitted } } }`
    expect([await codeOf(series(0)), await codeOf(series(501)), await codeOf(series(500))]).toEqual([
      'invalid_field',
      'invalid_field',
      undefined
    ])
  })
})
