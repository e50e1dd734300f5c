import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hostPoints, rising } from '../support/host-points.js'
import { INTERVAL_S, type ReportedHostsService, socket, startReportedHosts } from '../support/host-reports.js'

type Json = Readonly<Record<string, unknown>>

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NOTHING = { image: null, runtime: null, service: null, state: null }
const NO_FIGURES = { cpuPercent: null, memoryBytes: null, memoryPercent: null, rxBytesPerSecond: null, txBytesPerSecond: null }
const DB = { id: 'c0ffee012345', name: 'db', image: 'postgres:17', runtime: 'docker', service: 'ledger', state: 'running' }
const IDLE = { id: 'f00df00df00d', name: 'idle', ...NOTHING }

let service: ReportedHostsService
beforeAll(async () => {
  service = await startReportedHosts()
})
afterAll(() => service?.close())

async function listed(name: string): Promise<unknown> {
  return ((await service.ok(service.get(`/api/v1/hosts/${name}`)))['host'] as Json)['containers']
}

async function overGraphql(name: string): Promise<readonly Json[]> {
  const fields = `id name image containerId runtime service state ${Object.keys(NO_FIGURES).join(' ')}`
  const { host } = await service.graphql(`{ host(id: "${name}") { containers { ${fields} } } }`)
  return (host as { containers: readonly Json[] }).containers
}

function shown(host: string, { id, ...container }: Readonly<Record<keyof typeof DB, string | null>>): Json {
  return { id: `${host}/${container.name}`, ...container, containerId: id, ...NO_FIGURES }
}

describe('the containers of a host', () => {
  it('are those of the latest report that lists them', async () => {
    const response = await service.put('m-1', { name: 'web-1', interval_s: INTERVAL_S, containers: [IDLE, DB] })
    expect(response.json['host']).toMatchObject({ containers: 2, listeners: null })
    expect(await listed('web-1')).toEqual([IDLE, DB])
    expect(await overGraphql('web-1')).toEqual([shown('web-1', DB), shown('web-1', IDLE)])
    await service.report('m-1', 'web-1')
    expect(await listed('web-1')).toEqual([IDLE, DB])
    await service.report('m-1', 'web-1', { containers: [DB] })
    expect(await listed('m-1')).toEqual([DB])
    await service.report('m-1', 'web-1', { containers: [] })
    expect([await listed('web-1'), await overGraphql('web-1')]).toEqual([[], []])
  })

  it('are unknown of an agent that lists none, and of one that has stopped to', async () => {
    await service.report('m-2', 'web-2')
    expect([await listed('web-2'), await overGraphql('web-2')]).toEqual([null, []])
    await service.report('m-2', 'web-2', { containers: [DB] })
    service.clock.aheadMs += 2 * MINUTE_MS
    await service.report('m-2', 'web-2')
    service.clock.aheadMs += DAY_MS - 4 * MINUTE_MS
    expect(await listed('web-2')).toEqual([DB])
    service.clock.aheadMs += 2 * MINUTE_MS
    expect([await listed('web-2'), await overGraphql('web-2')]).toEqual([null, []])
    await service.report('m-2', 'web-2', { containers: [DB] })
    service.clock.aheadMs += 3 * MINUTE_MS + 1_000
    await service.report('m-2', 'web-2')
    expect([await listed('web-2'), await overGraphql('web-2')]).toEqual([null, []])
  })

  it('are not those of an earlier machine of this name', async () => {
    await service.report('m-6', 'web-6', { containers: [DB] })
    service.clock.aheadMs += MINUTE_MS
    await service.report('m-7', 'web-6')
    expect([await listed('web-6'), await overGraphql('web-6')]).toEqual([null, []])
  })

  it('have the figures of their samples, by their name or id', async () => {
    service.clock.aheadMs = 0
    const metrics = hostPoints('web-3', [
      ...rising('container.cpu.time', 0.5, { container: 'db', image: 'postgres:16' }),
      { name: 'container.memory.usage', value: 3, labels: { container: IDLE.id } },
      { name: 'container.memory.usage', value: 7, labels: { container: 'other' } }
    ])
    await service.write('/api/v1/ingest/batch', { metrics })
    await service.settle()
    const fresh = { ...IDLE, id: 'beefbeefbeef', name: '__proto__', state: 'paused' }
    await service.report('m-3', 'web-3', { containers: [fresh, IDLE, DB] })
    expect(await overGraphql('web-3')).toEqual([
      { ...shown('web-3', DB), image: 'postgres:16', cpuPercent: expect.any(Number) },
      shown('web-3', fresh),
      { ...shown('web-3', IDLE), id: `web-3/${IDLE.id}`, name: IDLE.id, memoryBytes: 3 },
      { ...shown('web-3', { ...IDLE, name: 'other' }), containerId: null, memoryBytes: 7 }
    ])
    expect(await listed('web-3')).toEqual([fresh, IDLE, DB])
  })

  it('that are not valid, or too many, refuse the report', async () => {
    const put = async (containers: unknown): Promise<unknown> => {
      const { code, detail } = (await service.put('m-4', { name: 'web-4', interval_s: INTERVAL_S, containers })).json
      return [code, detail]
    }
    expect(await put([DB, { ...DB, name: 'a\nb' }])).toEqual([
      'invalid_field',
      'containers[1].name must not have control characters'
    ])
    expect(await put(Array.from({ length: 501 }, () => DB))).toEqual([
      'invalid_field',
      'containers must not exceed 500 entries (got 501)'
    ])
    expect((await service.get('/api/v1/hosts/web-4')).status).toBe(404)
  })
})

it('listeners have the path of their program, over REST and GraphQL', async () => {
  const exe = '/usr/bin/app'
  await service.report('m-5', 'web-5', { listeners: [socket(80, { exe }), socket(81)] })
  const { listeners } = await service.ok(service.get('/api/v1/listeners?host=web-5'))
  expect((listeners as readonly Json[]).map(listener => listener['exe'])).toEqual([exe, null])
  await service.report('m-5', 'web-5', { listeners: [socket(80, { exe: `${exe} (deleted)` }), socket(81)] })
  expect((await service.graphql('{ listeners(host: "web-5") { port exe } }'))['listeners']).toEqual([
    { port: 80, exe: `${exe} (deleted)` },
    { port: 81, exe: null }
  ])
})
