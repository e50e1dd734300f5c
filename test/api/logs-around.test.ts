import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

const PATH = '/api/v1/logs/query'
const ELSEWHERE = 'around-elsewhere'

interface Result {
  readonly logs: readonly { readonly id: string; readonly service: string }[]
  readonly page: {
    readonly next_cursor: string | null
    readonly previous_cursor?: string | null
    readonly has_more: boolean
    readonly limit: number
  }
  readonly total: unknown
  readonly warnings: readonly string[]
}

let service: ReadingService

const search = async (request: object): Promise<Result> => (await service.ok(service.post(PATH, request))) as unknown as Result
const ids = ({ logs }: Result): readonly string[] => logs.map(({ id }) => id)

beforeAll(async () => {
  service = await startReadingService()
  const startMs = Date.now() - 60_000
  const logs = Array.from({ length: 12 }, (_, i) => ({
    message: `line ${i}`,
    service: i % 2 === 0 ? 'web' : 'db',
    // Pairs of equal times.
    timestamp: new Date(startMs + 1_000 * Math.floor(i / 2)).toISOString()
  }))
  await service.write('/api/v1/logs/batch', { logs })
  await service.settle()
  await service.api('/api/v1/namespaces', { method: 'POST', headers: service.session, json: { name: ELSEWHERE } })
})
afterAll(() => service?.close())

describe.each(['asc', 'desc'])('around of POST /api/v1/logs/query (%s)', order => {
  it('reads the page around a log, with the log itself', async () => {
    const all = ids(await search({ order }))
    const page = await search({ order, limit: 4, around: all[5] })
    expect(ids(page)).toEqual(all.slice(4, 8))
    expect(page.page).toMatchObject({ has_more: true, limit: 4 })
    expect(ids(await search({ order, limit: 1, around: all[5] }))).toEqual([all[5]])
    expect(await search({ order, limit: 0, around: all[5], total: true })).toMatchObject({
      ...{ logs: [], total: { value: 12, relation: 'eq' } },
      page: { next_cursor: null, previous_cursor: null, limit: 0 }
    })
  })

  it('continues both ways by its cursors', async () => {
    const all = ids(await search({ order }))
    const middle = await search({ order, limit: 3, around: all[6] })
    const seen = [...ids(middle)]
    for (let cursor = middle.page.next_cursor; cursor !== null;) {
      const next = await search({ limit: 3, cursor })
      seen.push(...ids(next))
      cursor = next.page.next_cursor
    }
    for (let cursor = middle.page.previous_cursor ?? null; cursor !== null;) {
      const previous = await search({ limit: 2, cursor })
      seen.unshift(...ids(previous))
      // Forwards again, the list goes on after the last row of that page.
      const { next_cursor: again } = previous.page
      expect(ids(await search({ limit: 1, cursor: again }))).toEqual([seen[previous.logs.length]])
      cursor = previous.page.previous_cursor ?? null
    }
    expect(seen).toEqual(all)
  })

  it('has no cursor where the list ends', async () => {
    const all = ids(await search({ order }))
    const first = await search({ order, limit: 3, around: all[0] })
    expect([ids(first), first.page.previous_cursor]).toEqual([all.slice(0, 2), null])
    expect(first.page.next_cursor).toEqual(expect.any(String))
    const last = await search({ order, limit: 3, around: all[11] })
    expect([ids(last), last.page.next_cursor, last.page.has_more]).toEqual([all.slice(10), null, false])
    expect(last.page.previous_cursor).toEqual(expect.any(String))
  })

  it('keeps to the filters, but for the log itself', async () => {
    const all = await search({ order })
    const other = all.logs.find(log => log.service === 'db')!.id
    const around = await search({ order, service: 'web', around: other, total: true })
    expect(ids(around)).toEqual(all.logs.filter(log => log.id === other || log.service === 'web').map(log => log.id))
    expect(around.total).toEqual({ value: 6, relation: 'eq' })
    const { page } = await search({ order, service: 'web', around: other, limit: 1 })
    const cursor = page.next_cursor ?? page.previous_cursor
    expect((await search({ service: 'web', cursor })).logs.map(log => log.service)).not.toContain('db')
    expect(await service.fault(service.post(PATH, { service: 'db', cursor }))).toEqual([400, 'invalid_field'])
  })

  it('is what GraphQL reads', async () => {
    const all = ids(await search({ order }))
    const query = `query ($around: ID, $after: String, $before: String, $first: Int, $last: Int) {
      logs(range: { from: "now-1h" }, order: ${order.toUpperCase()}, around: $around, after: $after, before: $before,
        first: $first, last: $last) { nodes { id } } }`
    const read = async (variables: object): Promise<readonly string[]> => {
      const { data } = await service.ok(service.post('/graphql', { query, variables }))
      return (data as { logs: { nodes: { id: string }[] } }).logs.nodes.map(({ id }) => id)
    }
    const { logs, page } = await search({ order, start: 'now-1h', limit: 4, around: all[5] })
    expect(await read({ around: all[5], first: 4 })).toEqual(logs.map(({ id }) => id))
    // The argument decides the direction, whichever way the cursor leads.
    expect(await read({ after: page.next_cursor, first: 9 })).toEqual(all.slice(8))
    expect(await read({ before: page.previous_cursor, last: 9 })).toEqual(all.slice(0, 4))
    expect(await read({ after: page.previous_cursor, first: 2 })).toEqual(all.slice(5, 7))
  })
})

describe('around', () => {
  it('leaves pages without it as they are', async () => {
    const { page } = await search({ limit: 1 })
    expect(Object.keys(page)).toEqual(['next_cursor', 'has_more', 'limit'])
    expect(Object.keys((await search({ limit: 1, cursor: page.next_cursor })).page)).toEqual(Object.keys(page))
  })

  it('refuses ids that the namespace does not have', async () => {
    const [id] = ids(await search({ limit: 1 }))
    for (const request of [
      { around: '01JD0000000000000000000000000000A' },
      { around: '' },
      { around: id, namespace: ELSEWHERE }
    ]) {
      const { json } = await service.post(PATH, request)
      expect(json).toMatchObject({ status: 404, code: 'not_found', errors: [{ field: 'around' }] })
    }
  })

  it('refuses a cursor with it, and a stream of it', async () => {
    const { logs, page } = await search({ limit: 1 })
    const around = logs[0]!.id
    const refused = { status: 400, code: 'invalid_field', errors: [{ field: 'around' }] }
    expect((await service.post(PATH, { around, cursor: page.next_cursor })).json).toMatchObject(refused)
    expect((await service.post(PATH, { around }, { accept: 'application/x-ndjson' })).json).toMatchObject(refused)
    expect(await service.fault(service.post(PATH, { around: 5 }))).toEqual([400, 'invalid_field'])
  })
})
