import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { INTERVAL_S, type ReportedHostsService, socket, startReportedHosts } from '../support/host-reports.js'

type Json = Readonly<Record<string, unknown>>

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let service: ReportedHostsService
beforeAll(async () => {
  service = await startReportedHosts()
})
afterAll(() => service?.close())

async function stateOf(name: string): Promise<string> {
  const { host } = await service.ok(service.get(`/api/v1/hosts/${name}`))
  return (host as { readonly state: string }).state
}

describe('a report of a host', () => {
  it('is stored, and the response has what it was', async () => {
    const response = await service.put('m-1', {
      ...{ name: 'web-1', interval_s: INTERVAL_S, os: 'Debian', kernel: '6.1', arch: 'arm64', cpu_count: 4, memory_bytes: 8 },
      boot_time: '2026-01-01T00:00:00Z',
      agent: {
        version: '1.2.3',
        started_at: '2026-01-02T00:00:00Z',
        config_hash: 'ab',
        sources: [{ path: '/a', state: 'reading', lag_bytes: 5 }]
      },
      listeners: [socket(80), socket(443)]
    })
    expect([response.status, response.json]).toEqual([
      200,
      {
        ...{ status: 'ok', namespace: 'default', namespace_source: 'api_key' },
        host: { id: 'm-1', name: 'web-1', interval_s: INTERVAL_S, listeners: 2, containers: null }
      }
    ])
    const { host } = await service.ok(service.get('/api/v1/hosts/web-1'))
    expect(host).toMatchObject({
      ...{ name: 'web-1', state: 'active', os: 'Debian', kernel: '6.1', arch: 'arm64', cpu_count: 4, memory_bytes: 8 },
      boot_time: '2026-01-01T00:00:00.000Z',
      agent: {
        ...{ host_id: 'm-1', id_shared_by: [], version: '1.2.3', config_hash: 'ab', interval_s: INTERVAL_S },
        sources: [{ path: '/a', state: 'reading', lag_bytes: 5 }]
      }
    })
    expect(await service.ok(service.get('/api/v1/hosts/m-1'))).toEqual({ host })
  })

  it('is checked and not stored in a dry run', async () => {
    const response = await service.put('m-dry', { name: 'dry', interval_s: INTERVAL_S }, '?dry_run=true')
    expect(response.json).toMatchObject({ dry_run: true, host: { name: 'dry', listeners: null } })
    expect((await service.get('/api/v1/hosts/dry')).status).toBe(404)
    expect((await service.put('m-dry', { name: 'dry' }, '?dry_run=true')).status).toBe(400)
  })

  it('is refused as a whole where a part of it is not valid', async () => {
    expect(
      (await service.put('m-bad', { name: 'bad', interval_s: INTERVAL_S, listeners: [socket(80), socket(0)] })).json
    ).toMatchObject({
      code: 'invalid_field',
      detail: 'listeners[1].port must be an integer from 1 to 65535'
    })
    expect((await service.put('a%20b', { name: 'bad', interval_s: INTERVAL_S })).json).toMatchObject({ code: 'invalid_field' })
    const headers = { 'x-api-key': service.first.ingestKey, 'content-type': 'application/json' }
    const broken = await service.ingest('/api/v1/hosts/m-bad', { method: 'PUT', body: '{"name":', headers })
    expect(broken.json).toMatchObject({ code: 'invalid_json' })
    const large = { name: 'bad', interval_s: INTERVAL_S, more: 'x'.repeat(1024 * 1024) }
    expect((await service.put('m-bad', large)).json).toMatchObject({ code: 'payload_too_large' })
    expect((await service.get('/api/v1/hosts/bad')).status).toBe(404)
  })

  it('needs an ingest key that may write to the namespace', async () => {
    const json = { name: 'x', interval_s: INTERVAL_S }
    const as = async (headers: Readonly<Record<string, string>>, more: Json = {}): Promise<unknown> =>
      (await service.ingest('/api/v1/hosts/m-x', { method: 'PUT', json: { ...json, ...more }, headers })).json['code']
    const ingest = { 'x-api-key': service.first.ingestKey }
    expect([await as({}), await as(service.session)]).toEqual(['missing_credential', 'missing_credential'])
    expect([await as(ingest, { namespace: 'other' }), await as(ingest, { namespace: 7 })]).toEqual([
      'namespace_not_allowed',
      'invalid_field'
    ])
  })
})

describe('the streams of a host', () => {
  it('are in the response to its report where they are requested, and of no other host', async () => {
    const sealed = { sealed_at: new Date(service.clock.nowMs()).toISOString() }
    const place = { seq: 1, from: 0, to: 10, first_line: 1, lines: 1, head: 'aa', anchor: 'bb', kind: 'file', path: '/var/log/a' }
    const stream = (id: string, more: Json = {}): Json => ({ id, host_id: 'm-s', ...place, ...sealed, ...more })
    const all = [stream('stream-1'), stream('stream-2', { end: 'rotated' }), stream('stream-3', { host_id: 'm-t' })]
    for (const one of all) await service.write('/api/v1/logs/batch', { stream: one, logs: [{ message: 'a' }] })
    const body = { name: 's-1', interval_s: INTERVAL_S }
    const { items, has_more: hasMore } = (await service.put('m-s', body, '?streams=true')).json['streams'] as Json
    expect(hasMore).toBe(false)
    const position = { path: '/var/log/a', kind: 'file', next_seq: 2, bytes_to: 10, line_to: 1, head: 'aa', anchor: 'bb' }
    expect(items).toEqual([
      {
        id: 'stream-1',
        ...position,
        pending: null,
        recovered: null,
        end: null,
        first_at: expect.any(String),
        last_at: expect.any(String),
        ...sealed
      },
      {
        id: 'stream-2',
        ...position,
        pending: null,
        recovered: null,
        end: 'rotated',
        first_at: expect.any(String),
        last_at: expect.any(String),
        ...sealed
      }
    ])
    const after = (await service.put('m-s', body, '?streams=true&after=stream-1')).json['streams'] as { items: readonly Json[] }
    expect(after.items.map(({ id }) => id)).toEqual(['stream-2'])
    expect((await service.put('m-s', body)).json['streams']).toBeUndefined()
    expect((await service.put('m-s', body, '?streams=yes')).json).toMatchObject({ code: 'invalid_field' })
    service.clock.aheadMs += 7 * DAY_MS
    const later = (await service.put('m-s', body, '?streams=true')).json['streams'] as { items: readonly Json[] }
    expect(later.items.map(({ id }) => id)).toEqual(['stream-1'])
  })

  it('are not those of a machine that was cloned, which has its id and another name', async () => {
    const sealed_at = new Date(service.clock.nowMs()).toISOString()
    const place = { host_id: 'm-c', seq: 1, from: 0, to: 1, first_line: 1, lines: 1, sealed_at }
    for (const [id, defaults] of [
      ['clone-01', { host: 'c-1' }],
      ['clone-02', { host: 'c-2' }],
      ['clone-03', {}]
    ])
      await service.write('/api/v1/logs/batch', { stream: { id, ...place }, defaults, logs: [{ message: 'a' }] })
    const reply = await service.put('m-c', { name: 'c-2', interval_s: INTERVAL_S }, '?streams=true')
    const { items } = reply.json['streams'] as { items: readonly Json[] }
    expect(items.map(({ id }) => id)).toEqual(['clone-02', 'clone-03'])
  })
})

describe('hosts', () => {
  it('of agents and of telemetry are one list', async () => {
    await service.write('/api/v1/logs/batch', {
      logs: [
        { message: 'a', host: 'list-a' },
        { message: 'b', host: 'list-b' }
      ]
    })
    await service.settle()
    await service.report('m-b', 'list-b')
    await service.report('m-c', 'list-c')
    const { hosts, total, complete, page } = await service.ok(service.get('/api/v1/hosts?contains=LIST-'))
    const seen = hosts as readonly { name: string; state: string; agent: { host_id: string } | null }[]
    expect(seen.map(({ name, state, agent }) => [name, state, agent?.host_id ?? null])).toEqual([
      ['list-a', 'active', null],
      ['list-b', 'active', 'm-b'],
      ['list-c', 'active', 'm-c']
    ])
    expect([total, complete, page]).toEqual([
      { value: 3, relation: 'eq' },
      true,
      { next_cursor: null, has_more: false, limit: 100 }
    ])
    const first = await service.ok(service.get('/api/v1/hosts?contains=list-&limit=2'))
    expect(first['page']).toEqual({ next_cursor: 'list-b', has_more: true, limit: 2 })
    const rest = await service.ok(service.get('/api/v1/hosts?contains=list-&cursor=list-b&state=active&state=gone'))
    expect((rest['hosts'] as readonly { name: string }[]).map(({ name }) => name)).toEqual(['list-c'])
    expect(await service.fault(service.get('/api/v1/hosts?limit=501'))).toEqual([400, 'invalid_field'])
    expect(await service.fault(service.get('/api/v1/hosts/absent'))).toEqual([404, 'not_found'])
  })

  it('that were cloned are both there, and name each other', async () => {
    await service.report('m-clone', 'clone-1')
    await service.report('m-clone', 'clone-2')
    const agentOf = async (name: string): Promise<unknown> =>
      ((await service.ok(service.get(`/api/v1/hosts/${name}`)))['host'] as { agent: Json }).agent['id_shared_by']
    expect([await agentOf('clone-1'), await agentOf('clone-2')]).toEqual([['clone-2'], ['clone-1']])
    const { host } = await service.ok(service.get('/api/v1/hosts/m-clone'))
    expect((host as { name: string }).name).toBe('clone-2')
  })

  it('are stale after three missed reports and gone after a day', async () => {
    const ages: string[] = []
    await service.report('m-age', 'age')
    for (const stepMs of [3 * MINUTE_MS - 1_000, 2_000, DAY_MS]) {
      ages.push(await stateOf('age'))
      service.clock.aheadMs += stepMs
    }
    ages.push(await stateOf('age'))
    expect(ages).toEqual(['active', 'active', 'stale', 'gone'])
    await service.report('m-age', 'age')
    expect(await stateOf('age')).toBe('active')
  })
})
