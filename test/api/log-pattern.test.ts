import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Pattern {
  readonly samples: readonly unknown[]
  readonly trend: { readonly counts: readonly number[] }
  readonly variables?: readonly unknown[]
}

interface Log {
  readonly id: string
  readonly pattern_id: string | null
}

const NAMES = ['anna', 'bert', 'carl', 'dora', 'emil', 'frida']
let service: ReadingService

async function search(query: string): Promise<readonly Log[]> {
  const { logs } = await service.ok(service.post('/api/v1/logs/query', { query, limit: 1000 }))
  return logs as Log[]
}

const write = (...messages: string[]) => service.write('/api/v1/logs/batch', { logs: messages.map(message => ({ message })) })

beforeAll(async () => {
  service = await startReadingService()
  await write('took 5 ms', 'took 7 ms', ...NAMES.map(name => `user ${name} logged in`))
  await service.settle()
})
afterAll(() => service.close())

describe('/api/v1/logs/patterns/{pattern_id}', () => {
  const UNKNOWN = '00000000000000000001'
  const pathOf = (id: string): string => `/api/v1/logs/patterns/${id}`
  const patch = (id: string, json: unknown, query = '') =>
    service.api(`${pathOf(id)}${query}`, { method: 'PATCH', headers: service.session, json })
  const one = async (id: string, query = ''): Promise<Pattern> =>
    (await service.ok(service.get(`${pathOf(id)}${query}`)))['pattern'] as Pattern

  it('reads one pattern over the whole retention, as GraphQL does', async () => {
    const [{ pattern_id: id }] = (await search('logged')) as [Log]
    const response = await service.ok(service.get(`${pathOf(id!)}?buckets=5&variables=2`))
    expect(response).toMatchObject({ complete: true, warnings: [], window: { unit_detected: 'default' } })
    expect(response['pattern']).toMatchObject({
      ...{ pattern_id: id, template: 'user <*> logged in', count: NAMES.length, state: 'new', change: null },
      variables: [{ name: '$1', distinct: NAMES.length }]
    })
    const { samples, trend, variables } = await one(id!)
    expect([samples.length, trend.counts.length >= 30, variables]).toEqual([3, true, undefined])
    for (const query of ['buckets=201', 'variables=0', 'variables=21', 'start=now-1h'])
      expect(await service.fault(service.get(`${pathOf(id!)}?${query}`))).toEqual([400, 'invalid_field'])
  })

  it('sets and removes the note, and mutes, what is absent left as it is', async () => {
    const [{ pattern_id: id }] = (await search('took')) as [Log]
    const decided = async (json: unknown): Promise<unknown> => (await service.ok(patch(id!, json)))['pattern']
    expect(await decided({ note: 'slow', muted: true })).toMatchObject({ pattern_id: id, note: 'slow', muted: true })
    expect(await decided({ muted: false })).toMatchObject({ note: 'slow', muted: false })
    expect(await decided({})).toMatchObject({ note: 'slow', muted: false })
    expect(await one(id!)).toMatchObject({ note: 'slow', muted: false })
    expect(await decided({ note: '' })).toMatchObject({ note: null })
    expect(await decided({ note: 'x'.repeat(4_096) })).toMatchObject({ note: 'x'.repeat(4_096) })
    expect(await decided({ note: null })).toMatchObject({ note: null })
    for (const json of [{ note: 'x'.repeat(4_097) }, { note: 5 }, { muted: 'yes' }, { template: 'x' }])
      expect(await service.fault(patch(id!, json))).toEqual([400, 'invalid_field'])
  })

  it('finds a pattern by the ids that it had before a merge', async () => {
    await write('door alpha opened')
    await service.settle()
    const before = ((await search('opened')) as [Log])[0].pattern_id!
    await write(...['beta', 'gamma', 'delta', 'epsilon', 'zeta'].map(name => `door ${name} opened`))
    await service.settle()
    const merged = ((await search('opened')) as [Log])[0].pattern_id!
    expect(merged).not.toBe(before)
    expect((await service.ok(patch(before, { note: 'doors' })))['pattern']).toMatchObject({ pattern_id: merged, note: 'doors' })
    expect(await one(before)).toMatchObject({ pattern_id: merged, count: 6, note: 'doors' })
  })

  it('refuses ids that the namespace does not have, and writes without a session', async () => {
    await service.api('/api/v1/namespaces', { method: 'POST', headers: service.session, json: { name: 'patterns-elsewhere' } })
    const [{ pattern_id: id }] = (await search('logged')) as [Log]
    const elsewhere = '?namespace=patterns-elsewhere'
    const missing = { status: 404, code: 'not_found', errors: [{ field: 'id' }] }
    for (const [at, query] of [
      [UNKNOWN, ''],
      [id!, elsewhere]
    ] as const) {
      expect((await service.get(`${pathOf(at)}${query}`)).json).toMatchObject(missing)
      expect((await patch(at, { muted: true }, query)).json).toMatchObject(missing)
    }
    const headers = { 'x-api-key': service.first.ingestKey }
    expect((await service.api(pathOf(id!), { method: 'PATCH', headers, json: { muted: true } })).status).toBe(403)
  })
})
