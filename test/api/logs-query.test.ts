import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Log {
  readonly id: string
  readonly message: string
  readonly timestamp: string
  readonly [member: string]: unknown
}
interface Page {
  readonly next_cursor: string | null
  readonly has_more: boolean
}

const PATH = '/api/v1/logs/query'
const BASE_S = Math.floor(Date.now() / 1000) - 600
let service: ReadingService

function at(second: number, nanos = 0): string {
  return `${new Date((BASE_S + second) * 1000).toISOString().slice(0, 19)}.${String(nanos).padStart(9, '0')}Z`
}

const LOGS = [
  { message: 'checkout started', service: 'cart', level: 'INFO', host: 'h1', source: 'app', timestamp: at(0) },
  { message: 'payment refused: card 10.0.0.1', service: 'pay', level: 'warning', host: 'h1', timestamp: at(1, 123_456_789) },
  { message: 'out-of-stock ÉCLAIR 100%', service: 'cart', level: 'error', host: 'h2', timestamp: at(2), tags: { tier: 'gold' } },
  {
    message: 'user_id=7 logged in',
    service: 'auth',
    level: 'loud',
    timestamp: at(3),
    log_fields: { status: 500, a: { b: [1, 'x'] } }
  },
  {
    message: 'cache miss\nsecond line',
    service: 'cart',
    timestamp: at(3),
    log_fields: { status: '404', big: 9 },
    trace_id: 'T1',
    span_id: 'S1'
  }
]

beforeAll(async () => {
  service = await startReadingService()
  await service.write('/api/v1/logs/batch', { logs: LOGS })
})
afterAll(() => service.close())

async function search(request: object): Promise<{ logs: readonly Log[]; page: Page; [member: string]: unknown }> {
  return (await service.ok(service.post(PATH, request))) as unknown as { logs: readonly Log[]; page: Page }
}

/** Places in `LOGS` of what a query finds, oldest first. */
async function found(request: object): Promise<readonly number[]> {
  const { logs } = await search({ order: 'asc', ...request })
  return logs.map(log => LOGS.findIndex(({ message }) => message === log.message))
}

describe('POST /api/v1/logs/query', () => {
  it('explains an empty response, and no other', async () => {
    const empty = await search({ query: 'servce:cart' })
    expect(empty).toMatchObject({ logs: [], complete: true })
    expect(empty['warnings']).toEqual([expect.stringContaining('service?'), expect.stringContaining('the last hour')])
    expect((await search({ service: 'cart' }))['warnings']).toEqual([])
    expect((await search({ query: 'servce:cart', limit: 0, total: true, start: 'now-2h' }))['warnings']).toHaveLength(1)
  })

  it('takes a date and a time without a zone', async () => {
    const day = new Date(BASE_S * 1000).toISOString().slice(0, 10)
    expect((await search({ start: day }))['window']).toMatchObject({ start: `${day}T00:00:00.000000000Z` })
    const response = await service.post(PATH, { start: 'yesterday' })
    expect(response.json).toMatchObject({ status: 400, suggestions: expect.arrayContaining(['now-15m']) })
  })

  it.each<[object, readonly number[]]>([
    [{}, [0, 1, 2, 3, 4]],
    [{ service: 'cart' }, [0, 2, 4]],
    [{ service: ['cart', 'pay'], level: 'warn' }, [1]],
    [{ level: ['WARNING', 'critical'] }, [1, 2]],
    [{ level: 'loud' }, [3]],
    [{ host: 'h2' }, [2]],
    [{ source: 'app' }, [0]],
    [{ trace_id: 't1' }, []],
    [{ trace_id: 'T1', span_id: 'S1' }, [4]],
    [{ query: 'REFUSED' }, [1]],
    [{ query: 'out-of-stock' }, [2]],
    [{ query: '10.0.0.1' }, [1]],
    [{ query: 'user_id' }, [3]],
    [{ query: 'éclair' }, [2]],
    [{ query: '100%' }, [2]],
    [{ query: '"payment refused"' }, [1]],
    [{ query: 'pay*10.0' }, [1]],
    [{ query: 'cache*line' }, [4]],
    [{ query: 'service:cart -level:error' }, [0, 4]],
    [{ query: 'level:>=warn' }, [1, 2]],
    [{ query: 'service:(cart OR auth) status:*' }, [3, 4]],
    [{ query: 'status:>=404 status:<500' }, [4]],
    [{ query: 'status:500 OR tier:gold' }, [2, 3]],
    [{ query: 'a.b:x' }, [3]],
    [{ query: 'tags.tier:go*' }, [2]],
    [{ query: 'service:*a*' }, [0, 1, 2, 3, 4]],
    [{ filters: [{ field: 'status', op: 'eq', value: 404 }] }, [4]],
    [{ filters: [{ field: 'service', op: 'regex', value: 'c.+|pay' }] }, [0, 1, 2, 4]],
    [{ filters: [{ field: 'host', op: 'exists', value: false }] }, [3, 4]],
    [{ filters: [{ field: 'log_fields.big', op: 'in', value: [9, 10] }] }, [4]],
    [{ start: BASE_S + 1, end: BASE_S + 3 }, [1, 2]],
    [{ start: at(3), end: 'now' }, [3, 4]],
    [{ start: `${BASE_S + 1}123456789`, end: `${BASE_S + 1}123456790` }, [1]],
    [{ start: 'now-15m' }, [0, 1, 2, 3, 4]]
  ])('finds by %j', async (request, places) => expect(await found(request)).toEqual(places))
})

describe('responses of POST /api/v1/logs/query', () => {
  it('gives a log back as it was sent, with its id, severity and times', async () => {
    const { logs, window } = await search({ query: 'refused', start: BASE_S, end: BASE_S + 60 })
    expect(logs[0]).toMatchObject({
      ...{ message: LOGS[1]!.message, timestamp: at(1, 123_456_789), level: 'warn', level_text: 'warning', severity_number: 13 },
      ...{
        service: 'pay',
        host: 'h1',
        source: null,
        trace_id: null,
        log_fields: {},
        tags: {},
        pattern_id: expect.stringMatching(/^[0-9a-f]{20}$/) as unknown
      }
    })
    expect(logs[0]!.id).toMatch(/^[0-9A-Z]{33}$/)
    expect(window).toEqual({ start: at(0), end: at(60), unit_detected: 's' })
    expect((await search({ service: 'auth' })).logs[0]!['log_fields']).toEqual(LOGS[3]!.log_fields)
  })

  it('keeps the nanoseconds of numbers that a double cannot hold', async () => {
    const body = `{"start":${BASE_S + 1}123456789,"end":${BASE_S + 1}123456790}`
    const auth = await service.login()
    const exact = await service.api(PATH, { method: 'POST', body, headers: { ...auth, 'content-type': 'application/json' } })
    expect((exact.json as unknown as { logs: readonly Log[] }).logs.map(log => log.message)).toEqual([LOGS[1]!.message])
  })

  it.each(['asc', 'desc'])('pages through equal times without loss or repeat (%s)', async order => {
    const whole = (await search({ order })).logs.map(log => log.id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { logs, page } = await search({ start: 'now-1h', order, limit: 2, cursor })
      seen.push(...logs.map(log => log.id))
      expect(page.has_more).toBe(page.next_cursor !== null)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(whole)
  })

  it('keeps a cursor to its filter and its window', async () => {
    const { page, window } = await search({ start: 'now-15m', limit: 1 })
    const next = await search({ start: 'now-15m', limit: 1, cursor: page.next_cursor })
    expect(next['window']).toEqual(window)
    expect(await service.fault(service.post(PATH, { service: 'cart', cursor: page.next_cursor }))).toEqual([400, 'invalid_field'])
    expect(await service.fault(service.post(PATH, { cursor: 'AAAA' }))).toEqual([400, 'invalid_field'])
  })

  it('takes an empty body as the query for everything', async () => {
    expect((await service.ok(service.post(PATH)))['logs']).toHaveLength(LOGS.length)
  })

  it('counts only when requested', async () => {
    expect((await search({ limit: 1 }))['total']).toBeNull()
    expect(await search({ limit: 0, total: true, service: 'cart' })).toMatchObject({
      logs: [],
      total: { value: 3, relation: 'eq' }
    })
  })
})

describe('faults of POST /api/v1/logs/query', () => {
  it.each<[object, number, string]>([
    [{ limit: 5001 }, 400, 'invalid_field'],
    [{ limit: -1 }, 400, 'invalid_field'],
    [{ limit: '5' }, 400, 'invalid_field'],
    [{ servcie: 'x' }, 400, 'invalid_field'],
    [{ query: '(a' }, 400, 'invalid_query'],
    [{ query: 'a'.repeat(8193) }, 400, 'invalid_query'],
    [{ start: 'yesterday' }, 400, 'invalid_time_range'],
    [{ start: BASE_S, end: BASE_S }, 400, 'invalid_time_range'],
    [{ order: 'up' }, 400, 'invalid_field'],
    [{ filters: [{ field: 'a', op: 'regex', value: 'a\\b' }] }, 422, 'query_unsupported'],
    [{ filters: [{ field: 'a', op: 'eq', value: {} }] }, 400, 'invalid_field'],
    [{ namespace: 'elsewhere' }, 403, 'namespace_not_allowed']
  ])('refuses %j', async (request, status, code) => {
    expect(await service.fault(service.post(PATH, request))).toEqual([status, code])
  })

  it('names the place of a fault in the query and the limit on rows', async () => {
    expect((await service.post(PATH, { query: 'a (b' })).json).toMatchObject({ position: 2, errors: [{ field: 'query' }] })
    expect((await service.post(PATH, { limit: 5001 })).json?.['detail']).toMatch(/5000/)
  })

  it('reports when the retention cut the window that was requested', async () => {
    const cut = await search({ start: 0 })
    expect(cut).toMatchObject({ complete: false, warnings: [expect.stringMatching(/retention/)] })
    const { start } = cut['window'] as { start: string }
    const [detail] = cut['warnings'] as readonly string[]
    const window = { start, end: expect.stringMatching(/^\d{4}-.*Z$/) }
    const reason = { kind: 'retention', detail, window, limit: null, remedy: expect.stringMatching(/\.$/) }
    expect(cut).toMatchObject({ stats: { cuts: [reason] } })
    expect(await search({})).toMatchObject({ complete: true, warnings: [], stats: { cuts: [] } })
  })

  it('requires a credential, names the namespace and the rate', async () => {
    expect((await service.api(PATH, { method: 'POST', json: {} })).status).toBe(401)
    const { headers } = await service.post(PATH, {})
    expect(headers.get('x-resolved-namespace')).toBe(service.first.namespace)
    expect(headers.get('ratelimit-policy')).toBe('"queries";q=1000;w=1')
  })
})

describe('POST /api/v1/logs/query as NDJSON', () => {
  const ndjson = { accept: 'application/x-ndjson' }
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)

  it('streams every match and states in the last line that it is complete', async () => {
    const response = await service.post(PATH, { order: 'asc' }, ndjson)
    const all = lines(response.text)
    expect(all.slice(0, -1).map(log => log['message'])).toEqual(LOGS.map(log => log.message))
    expect(all.at(-1)).toMatchObject({ complete: true, count: 5, warnings: [] })
  })

  it('stops at a limit and reports it', async () => {
    expect(lines((await service.post(PATH, { limit: 2 }, ndjson)).text).at(-1)).toMatchObject({ complete: false, count: 2 })
  })

  it('returns an error as a problem', async () => {
    expect(await service.fault(service.post(PATH, { query: '"' }, ndjson))).toEqual([400, 'invalid_query'])
  })
})
