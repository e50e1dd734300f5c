import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Log {
  readonly id: string
  readonly message: string
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
  // The first two are stored with ids of their own; the fifth name makes them one pattern.
  await write('user anna logged in', 'user bert logged in', 'took 5 ms', 'took 7 ms')
  await write(...NAMES.slice(2).map(name => `user ${name} logged in`))
  await service.settle()
})
afterAll(() => service.close())

describe('the pattern of a log', () => {
  it('is one for all messages that differ in their variable parts, those stored before the merge included', async () => {
    const logins = await search('logged')
    expect(logins.length).toBe(NAMES.length)
    expect(new Set(logins.map(log => log.pattern_id)).size).toBe(1)
    const [{ pattern_id: slow }] = (await search('took')) as [Log]
    expect(slow).not.toBe(logins[0]!.pattern_id)
    expect((await search('took')).every(log => log.pattern_id === slow)).toBe(true)
  })

  it('is a field of the search language, and of filters', async () => {
    const [{ pattern_id: id }] = (await search('logged')) as [Log]
    expect((await search(`pattern:${id}`)).length).toBe(NAMES.length)
    expect((await search(`-pattern:${id}`)).map(log => log.message).toSorted()).toEqual(['took 5 ms', 'took 7 ms'])
    const filters = [{ field: 'pattern_id', op: 'in', value: [id] }]
    const { logs } = await service.ok(service.post('/api/v1/logs/query', { filters }))
    expect((logs as Log[]).length).toBe(NAMES.length)
    expect(await search('pattern:00000000000000000001')).toEqual([])
  })

  it('is shown of one log, and counted by facets', async () => {
    const [log] = (await search('logged')) as [Log]
    const { facets } = await service.ok(service.post('/api/v1/logs/facets', { fields: ['pattern'] }))
    const [facet] = facets as { values: { value: string; count: number }[]; distinct: { value: number } }[]
    expect(facet!.values.map(({ value, count }) => [value === log.pattern_id, count])).toEqual([
      [true, NAMES.length],
      [false, 2]
    ])
    expect(facet!.distinct.value).toBe(2)
  })
})

interface Variable {
  readonly name: string
  readonly kind: string
  readonly values: readonly { readonly value: string; readonly count: number }[]
  readonly distinct: number
}

interface Pattern {
  readonly variables?: readonly Variable[]
  readonly variables_of?: number
  readonly pattern_id: string
  readonly template: string
  readonly count: number
  readonly share: number
  readonly services: readonly { readonly value: string; readonly count: number }[]
  readonly levels: readonly { readonly value: string; readonly count: number }[]
  readonly state: string
  readonly trend: { readonly counts: readonly number[] }
  readonly samples: readonly Log[]
  readonly change: { readonly kind: string; readonly base_count: number; readonly q: number } | null
}

describe('GET /api/v1/logs/patterns', () => {
  const list = async (query: string) =>
    (await service.ok(service.get(`/api/v1/logs/patterns?${query}`))) as unknown as {
      patterns: Pattern[]
      logs: number
      unassigned: number
      tested: number
      total: { value: number }
      page: { has_more: boolean }
    }

  /** Logs of one service at a time so many hours ago. */
  const writeAt = (hoursAgo: number, level: string, messages: readonly string[]) =>
    service.write('/api/v1/logs/batch', {
      logs: messages.map((message, i) => ({
        ...{ message, level, service: 'shop' },
        timestamp: new Date(Date.now() - hoursAgo * 3_600_000 - i).toISOString()
      }))
    })
  const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i))

  beforeAll(async () => {
    const calm = many(300, i => `order ${i} was paid`)
    await writeAt(5.5, 'info', [...calm, ...many(40, i => `cart ${i} was lost`)])
    await writeAt(3.5, 'info', calm)
    await writeAt(
      3.4,
      'error',
      many(60, i => `payment ${i} failed: card declined`)
    )
    await service.settle()
  })

  it('counts exactly, with share, trend, levels, services and samples', async () => {
    const { patterns, logs, unassigned, total, page } = await list('service=shop&start=now-4h&end=now-3h')
    expect([logs, unassigned, total.value, page.has_more]).toEqual([360, 0, 2, false])
    expect(patterns.map(({ template, count, share }) => [template, count, share])).toEqual([
      ['order <num> was paid', 300, 0.8333],
      ['payment <num> failed: card declined', 60, 0.1667]
    ])
    const [, failed] = patterns
    expect(failed!.levels).toEqual([{ value: 'error', count: 60 }])
    expect(failed!.services).toEqual([{ value: 'shop', count: 60 }])
    expect(failed!.trend.counts.reduce((a, b) => a + b, 0)).toBe(60)
    expect(failed!.trend.counts.length).toBeGreaterThanOrEqual(30)
    expect(failed!.samples.length).toBe(3)
    expect(failed!.samples.every(log => log.pattern_id === failed!.pattern_id && log.message.includes('declined'))).toBe(true)
    expect(failed!.state).toBe('new')
    expect(failed!.change).toBeNull()
  })

  it('takes the filters of searches, a limit and a number of buckets', async () => {
    const window = 'service=shop&start=now-4h&end=now-3h'
    const errors = await list(`${window}&level=error&buckets=5`)
    expect(errors.patterns.map(({ template, share }) => [template, share])).toEqual([['payment <num> failed: card declined', 1]])
    expect(errors.patterns[0]!.trend.counts.length).toBe(5)
    expect((await list(`${window}&query=order`)).patterns.length).toBe(1)
    const first = await list(`${window}&limit=1`)
    expect([first.patterns.length, first.page.has_more, first.total.value, first.logs]).toEqual([1, true, 2, 360])
  })

  it('lists as many as a search by each pattern finds', async () => {
    const { patterns } = await list('start=now-24h&limit=100')
    for (const { pattern_id: id, count } of patterns) {
      const found = await service.ok(
        service.post('/api/v1/logs/query', { query: `pattern:${id}`, start: 'now-24h', total: true, limit: 0 })
      )
      expect(found['total']).toEqual({ value: count, relation: 'eq' })
    }
  })

  it('reports what is new and what vanished against another window, and nothing else', async () => {
    const windows = 'service=shop&start=now-4h&end=now-3h&compare_start=now-6h&compare_end=now-5h'
    const { patterns, tested } = await list(windows)
    expect(tested).toBe(3)
    expect(patterns.map(({ template, state, change }) => [template, state, change?.kind ?? null])).toEqual([
      ['payment <num> failed: card declined', 'new', 'new'],
      ['cart <num> was lost', 'gone', 'vanished'],
      ['order <num> was paid', 'new', null]
    ])
    const [, vanished] = patterns
    expect([vanished!.count, vanished!.change!.base_count, vanished!.samples.length]).toEqual([0, 40, 3])
    expect(patterns[0]!.change!.q).toBeLessThan(1e-6)
    const same = await list('service=shop&start=now-4h&end=now-3h&compare_start=now-4h&compare_end=now-3h')
    expect(same.patterns.every(({ change }) => change === null)).toBe(true)
  })

  it.each([
    ['limit=101', 'invalid_field'],
    ['limit=0', 'invalid_field'],
    ['buckets=201', 'invalid_field'],
    ['query=(', 'invalid_query'],
    ['compare_start=tomorrow', 'invalid_time_range']
  ])('refuses %s', async (query, code) => {
    expect(await service.fault(service.get(`/api/v1/logs/patterns?${query}`))).toEqual([400, code])
  })
})

describe('patterns in GraphQL', () => {
  const WINDOW = 'range: { from: "now-4h", to: "now-3h" }, filter: { services: ["shop"] }, first: 0'

  async function run(query: string): Promise<Record<string, unknown>> {
    const { data, errors } = await service.ok(service.post('/graphql', { query }))
    expect(errors).toBeUndefined()
    return data as Record<string, unknown>
  }

  it('are those of REST', async () => {
    const fields = `id template count share state muted note firstSeen lastSeen levels { value count }
      services { value count } trend(buckets: 30) { series { counts } } samples(first: 1) { id patternId } change { q }`
    const { logs } = await run(`{ logs(${WINDOW}) { patterns(limit: 5) { ${fields} } } }`)
    const { patterns } = await service.ok(service.get('/api/v1/logs/patterns?service=shop&start=now-4h&end=now-3h'))
    const found = (logs as { patterns: Record<string, unknown>[] }).patterns
    expect(found.map(({ id, template, count, levels, services }) => ({ id, template, count, levels, services }))).toEqual(
      (patterns as (Pattern & Record<string, unknown>)[]).map(({ pattern_id: id, template, count, levels, services }) => ({
        ...{ id, template, count, levels, services }
      }))
    )
    expect(found[0]).toMatchObject({ state: 'NEW', muted: false, note: null, change: null })
    expect((found[0]!['samples'] as { patternId: string }[]).map(({ patternId }) => patternId)).toEqual([found[0]!['id']])
  })

  it('state their extent as REST does, with what a comparison lacks', async () => {
    const without = Array.from({ length: 3 }, (_, i) => ({
      ...{ message: ' ', service: 'facts' },
      timestamp: new Date(Date.now() - 5.5 * 3_600_000 - i).toISOString()
    }))
    const now = Array.from({ length: 4 }, (_, i) => ({
      ...{ message: i === 0 ? ' ' : `${NAMES[i]!.repeat(i)} ${'word '.repeat(i)}`, service: 'facts' },
      timestamp: new Date(Date.now() - 3.5 * 3_600_000 - i).toISOString()
    }))
    await service.write('/api/v1/logs/batch', { logs: [...without, ...now] })
    await service.settle()
    const facts = 'logs unassigned total { value exact } hasMore tested stats { complete warnings cuts { kind } }'
    const args = 'limit: 2, compare: { from: "now-6h", to: "now-5h" }'
    const { logs } = await run(
      `{ logs(range: { from: "now-4h", to: "now-3h" }, filter: { services: ["facts"] }, first: 0) {
        patternFacts(${args}) { ${facts} } all: patternFacts(limit: 3) { ${facts} } patterns(${args}) { count } } }`
    )
    const rest = await service.ok(
      service.get('/api/v1/logs/patterns?service=facts&start=now-4h&end=now-3h&limit=2&compare_start=now-6h&compare_end=now-5h')
    )
    const found = logs as { patternFacts: Record<string, unknown>; all: unknown; patterns: unknown[] }
    expect(found.patterns.length).toBe(2)
    expect(found.patternFacts).toEqual({
      ...{ logs: 4, unassigned: 1, total: { value: 3, exact: true }, hasMore: true, tested: rest['tested'] },
      stats: {
        complete: true,
        warnings: ['3 logs of the other window have no pattern; changes are computed without them'],
        cuts: []
      }
    })
    expect(rest).toMatchObject({ logs: 4, unassigned: 1, total: { value: 3, relation: 'eq' }, complete: true })
    expect(found.patternFacts).toMatchObject({ stats: { warnings: rest['warnings'] } })
    expect(found.all).toMatchObject({ logs: 4, hasMore: false, tested: 0, stats: { complete: true, warnings: [] } })
  })

  it('report what changed', async () => {
    const compare = 'compare: { from: "now-6h", to: "now-5h" }'
    const change = 'change { kind name value baseCount baseTotal otherCount otherTotal effect q evidence }'
    const { logs } = await run(`{ logs(${WINDOW}) { patterns(${compare}) { id template state ${change} } } }`)
    const [appeared, vanished, same] = (logs as { patterns: Record<string, unknown>[] }).patterns
    expect(appeared).toMatchObject({
      change: { kind: 'PATTERN', name: appeared!['template'], value: appeared!['id'], baseCount: 0, baseTotal: 340 }
    })
    expect(appeared).toMatchObject({
      change: { otherCount: 60, otherTotal: 360, evidence: `pattern:${String(appeared!['id'])}` }
    })
    expect(vanished).toMatchObject({ state: 'GONE', change: { baseCount: 40, otherCount: 0 } })
    expect(same).toMatchObject({ change: null })
  })

  it('state evidence that finds what a change counts, under the query of the search', async () => {
    const { logs } = await run(
      `{ logs(range: { from: "now-4h", to: "now-3h" }, filter: { query: "(failed 1) OR paid" }, first: 0) {
        patterns(compare: { from: "now-6h", to: "now-5h" }) { change { otherCount evidence } } } }`
    )
    const [{ change }] = (logs as { patterns: [{ change: { otherCount: number; evidence: string } }] }).patterns
    const found = { query: change.evidence, start: 'now-4h', end: 'now-3h', total: true, limit: 0 }
    expect(await service.ok(service.post('/api/v1/logs/query', found))).toMatchObject({ total: { value: change.otherCount } })
  })

  it('have the values of their variable parts on request, those of logs from before a merge included', async () => {
    const [{ pattern_id: id }] = (await search('logged')) as [Log]
    const read = async (query: string): Promise<readonly Pattern[]> => {
      const { patterns } = await service.ok(service.get(`/api/v1/logs/patterns?${query}`))
      return patterns as readonly Pattern[]
    }
    const [pattern] = await read(`query=pattern:${id}&variables=2`)
    expect(pattern!.variables_of).toBe(NAMES.length)
    expect(pattern!.variables).toMatchObject([{ name: '$1', kind: '*', distinct: NAMES.length }])
    expect(pattern!.variables![0]!.values).toHaveLength(2)
    expect((await read('query=took'))[0]!.variables).toBeUndefined()
    expect(await read('variables=1&limit=20')).not.toHaveLength(0)
    // Also when there are fewer patterns: nothing is counted for a request that may be refused.
    for (const refused of ['variables=0', 'variables=21', 'variables=1&limit=21', 'buckets=0', 'buckets=201'])
      expect(await service.fault(service.get(`/api/v1/logs/patterns?service=nothing&${refused}`))).toEqual([400, 'invalid_field'])
    const { logPattern } = await run(
      `{ logPattern(id: "${id}") { variables(values: 1) { name kind distinct values { value count } } } }`
    )
    const values = [{ value: expect.any(String), count: 1 }]
    expect(logPattern).toEqual({ variables: [{ name: '$1', kind: '*', distinct: NAMES.length, values }] })
  })

  it('are found one by one, by every id that they had, with a note', async () => {
    const [{ pattern_id: id }] = (await search('logged')) as [Log]
    const update = `mutation { updatePattern(id: "${id}", note: "sign-ins", muted: true) { pattern { id note muted } userErrors { code } } }`
    expect(await run(update)).toEqual({ updatePattern: { pattern: { id, note: 'sign-ins', muted: true }, userErrors: [] } })
    const { logPattern } = await run(`{ logPattern(id: "${id}") { id template count note muted state } }`)
    const state = { note: 'sign-ins', muted: true, state: 'NEW' }
    expect(logPattern).toEqual({ id, template: 'user <*> logged in', count: NAMES.length, ...state })
    const silent = await run(`mutation { updatePattern(id: "${id}", note: "") { pattern { note muted } userErrors { code } } }`)
    expect(silent).toEqual({ updatePattern: { pattern: { note: null, muted: true }, userErrors: [] } })
    expect(await run('{ logPattern(id: "00000000000000000001") { id } }')).toEqual({ logPattern: null })
    const unknown = 'mutation { updatePattern(id: "00000000000000000001", muted: true) { pattern { id } userErrors { code } } }'
    expect(await run(unknown)).toEqual({ updatePattern: { pattern: null, userErrors: [{ code: 'NOT_FOUND' }] } })
  })
})
