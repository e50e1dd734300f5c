import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  DashboardDataDocument,
  LogDetailDocument,
  LogExplorerDocument,
  MetricCatalogueDocument
} from '../fixtures/generated/graphql.js'
import { queryGraphql, postGraphql, runOperation } from '../support/graphql-client.js'
import type { RunningService } from '../support/running-service.js'
import { startTelemetryService } from '../support/telemetry-service.js'

const RANGE = { from: 'now-1h' }
let service: RunningService
let user: { readonly authorization: string }

beforeAll(async () => {
  ;({ service, user } = await startTelemetryService())
})

afterAll(() => service?.close())

describe('a typed client over HTTP', () => {
  it('explores logs with counts, histogram and facets', async () => {
    const { logs } = await runOperation(service.url, LogExplorerDocument, { range: RANGE, filter: { levels: ['ERROR'] } }, user)
    expect(logs!.nodes.map(({ message }) => message).sort()).toEqual(['order 0 placed', 'order 4 placed', 'order 8 placed'])
    expect(logs!.nodes[0]).toMatchObject({ level: 'ERROR', host: 'h1', fields: { cart: { items: expect.any(Number) } } })
    expect(logs!.total).toEqual({ value: 3, exact: true })
    expect(logs!.histogram.series.map(({ key }) => key)).toEqual(['error'])
    expect(logs!.histogram.series[0]!.counts).toHaveLength(logs!.histogram.grid.length)
    const level = logs!.facets.find(({ field }) => field === 'level')!
    expect(level.buckets).toEqual([
      { value: 'info', count: 9, selected: false },
      { value: 'error', count: 3, selected: true }
    ])
    expect(logs!.stats.complete).toBe(true)
  })

  it('reports why a response is incomplete, and how far the signal reaches', async () => {
    const query = `query ($range: TimeRange!) { logs(range: $range, first: 1) { nodes { timestamp } stats { complete newestAt
      cuts { kind signal detail window { from to } limit remedy } } } traces(range: $range) { stats { newestAt cuts { kind } } }
      rum(range: $range) { stats { newestAt } } promql(query: "cpu_load") { ... on PromVector { stats { newestAt } } } }`
    interface Stats {
      readonly complete: boolean
      readonly newestAt: string | null
      readonly cuts: readonly { readonly kind: string; readonly window: { readonly from: string; readonly to: string } }[]
    }
    type Result = Record<'logs' | 'traces' | 'rum' | 'promql', { readonly stats: Stats; nodes: { timestamp: string }[] }>
    const { logs, traces, rum, promql } = await queryGraphql<Result>(service.url, query, { range: { from: 'now-60d' } }, user)
    expect(logs.stats).toMatchObject({ complete: false, newestAt: logs.nodes[0]!.timestamp })
    expect(logs.stats.cuts).toEqual([
      expect.objectContaining({ kind: 'RETENTION', signal: 'LOGS', limit: null, detail: expect.stringMatching(/retention$/) })
    ])
    const [{ window }] = logs.stats.cuts as [Stats['cuts'][0]]
    expect(Date.parse(window.to) - Date.parse(window.from)).toBeGreaterThan(45 * 86_400_000)
    expect(traces.stats).toEqual({ newestAt: null, cuts: [{ kind: 'RETENTION' }] })
    expect([typeof rum.stats.newestAt, promql.stats.newestAt]).toEqual(['string', null])
    const whole = await queryGraphql<Result>(service.url, query, { range: RANGE }, user)
    expect(whole.logs.stats).toMatchObject({ complete: true, cuts: [] })
  })

  it('opens the list around a record, and continues both ways', async () => {
    interface Page {
      readonly nodes: readonly { readonly id: string; readonly message: string }[]
      readonly pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
      readonly total: { readonly value: number }
    }
    const query = `query ($range: TimeRange!, $filter: LogFilter, $first: Int, $after: String, $last: Int, $before: String, $around: ID,
      $order: SortDirection) { logs(range: $range, filter: $filter, first: $first, after: $after, last: $last, before: $before,
      around: $around, order: $order) { nodes { id message } total { value }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
    const read = async (variables: object): Promise<Page> => {
      const requested = { range: RANGE, ...variables }
      return (await queryGraphql<{ logs: Page }>(service.url, query, requested, user)).logs
    }
    for (const order of ['ASC', 'DESC']) {
      const all = (await read({ order, first: 50 })).nodes.map(({ id }) => id)
      const filtered = (await read({ order, first: 50, filter: { services: ['web'] } })).nodes.map(({ id }) => id)
      const page = await read({ order, first: 4, around: all[5] })
      expect(page.nodes.map(({ id }) => id)).toEqual(all.slice(4, 8))
      expect([page.total.value, page.pageInfo.hasNextPage, page.pageInfo.hasPreviousPage]).toEqual([12, true, true])
      const next = await read({ order, first: 50, after: page.pageInfo.endCursor })
      const previous = await read({ order, last: 50, before: page.pageInfo.startCursor })
      expect([...previous.nodes, ...page.nodes, ...next.nodes].map(({ id }) => id)).toEqual(all)
      const first = await read({ order, first: 3, around: all[0] })
      expect(first.nodes.map(({ id }) => id)).toEqual(all.slice(0, 2))
      expect([first.pageInfo.hasPreviousPage, first.pageInfo.hasNextPage]).toEqual([false, true])
      // The record is of the other service.
      const other = all.find(id => !filtered.includes(id))!
      const around = await read({ order, first: 50, around: other, filter: { services: ['web'] } })
      expect(around.nodes.map(({ id }) => id)).toEqual(all.filter(id => id === other || filtered.includes(id)))
      expect((await read({ order, first: 0, around: other })).nodes).toEqual([])
    }
    for (const [variables, code] of [
      [{ around: '01JD0000000000000000000000000000A' }, 'not_found'],
      [{ around: 'none' }, 'not_found'],
      [{ around: 'x', last: 5 }, 'invalid_field'],
      [{ around: 'x', after: 'y' }, 'invalid_field']
    ] as const) {
      const refused = await postGraphql(service.url, { query, variables: { range: RANGE, ...variables } }, user)
      expect(refused.errors[0]!.extensions['code']).toBe(code)
    }
  })

  it('counts what each condition of an empty search takes away', async () => {
    const query = `query ($range: TimeRange!, $filter: LogFilter) { logs(range: $range, filter: $filter, first: 0) {
      conditions { condition rowsWithout { value exact } } } }`
    const conditions = async (filter: object): Promise<unknown> => {
      const requested = await queryGraphql<{ logs: { conditions: unknown } }>(service.url, query, { range: RANGE, filter }, user)
      return requested.logs.conditions
    }
    expect(await conditions({ query: 'level:error service:db host:h1' })).toEqual([
      { condition: 'level is "error"', rowsWithout: { value: 6, exact: true } },
      { condition: 'service is "db"', rowsWithout: { value: 3, exact: true } },
      { condition: 'host is "h1"', rowsWithout: { value: 0, exact: true } }
    ])
    expect(await conditions({ query: 'nowhere' })).toEqual([
      { condition: 'message contains "nowhere"', rowsWithout: { value: 12, exact: true } }
    ])
    expect(await conditions({ query: 'level:error' })).toEqual([])
    expect(await conditions({})).toEqual([])
    const many = await conditions({ query: Array.from({ length: 9 }, (_, i) => `a${i}:1`).join(' ') })
    expect(many).toHaveLength(8)
  })

  it('counts samples of a timing by value, filtered by connection and release too', async () => {
    const query = `query ($range: TimeRange!, $filter: RumFilter) { rum(range: $range, filter: $filter) {
      distribution(vital: LCP, buckets: 9) { vital bounds counts } } }`
    const read = async (filter: object): Promise<{ bounds: number[]; counts: number[] }> => {
      const requests = { range: RANGE, filter }
      const { rum } = await queryGraphql<{ rum: { distribution: { bounds: number[]; counts: number[] } } }>(
        service.url,
        query,
        requests,
        user
      )
      return rum.distribution
    }
    expect(await read({})).toEqual({
      vital: 'LCP',
      bounds: [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000],
      counts: [1, 1, 1, 1, 0, 0, 0, 0, 0]
    })
    expect((await read({ countries: ['DE'] })).counts).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 0])
    for (const filter of [{ connectionTypes: ['4g'] }, { releases: ['v1'] }]) {
      expect((await read(filter)).counts).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0])
    }
    const tooMany = { query: query.replace('9', '201'), variables: { range: RANGE } }
    const refused = await postGraphql(service.url, tooMany, user)
    expect(refused.errors[0]!.extensions['code']).toBe('invalid_field')
  })

  it('searches error groups', async () => {
    const query = `query ($range: TimeRange!, $query: String, $states: [ExceptionState!], $after: String) {
      exceptionGroups(range: $range, query: $query, states: $states, after: $after) { nodes { id type count state }
      edges { cursor } total { value exact } pageInfo { hasNextPage endCursor } stats { complete newestAt } } }`
    interface Groups {
      readonly exceptionGroups: { nodes: { count: number }[]; pageInfo: { endCursor: string } }
    }
    const read = async (more: object): Promise<Groups['exceptionGroups']> =>
      (await queryGraphql<Groups>(service.url, query, { range: RANGE, ...more }, user)).exceptionGroups
    const all = await read({})
    expect(all).toMatchObject({ total: { exact: true }, stats: { complete: true, newestAt: expect.stringMatching(/Z$/) } })
    expect(all.nodes.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect((await read({ query: 'FAILED type:Oops' })).nodes).toHaveLength(all.nodes.length)
    expect(await read({ query: 'nowhere' })).toMatchObject({ nodes: [], total: { value: 0, exact: true } })
    expect((await read({ states: ['RESOLVED'] })).nodes).toEqual([])
    expect((await read({ after: all.pageInfo.endCursor })).nodes).toEqual([])
  })

  it('checks the text of a query without running it', async () => {
    const query = `query ($language: QueryLanguage!, $text: String!) { validateQuery(language: $language, text: $text) {
      ok explanation errors { message from to suggestion } } }`
    const check = (language: string, text: string): Promise<object> => queryGraphql(service.url, query, { language, text }, user)
    expect(await check('SEARCH', 'level:error')).toEqual({
      validateQuery: { ok: true, explanation: 'level is "error"', errors: [] }
    })
    expect(await check('PROMQL', 'rate(up)')).toMatchObject({ validateQuery: { ok: false, errors: [{ from: 5, to: 7 }] } })
    const costly = await postGraphql(service.url, { query, variables: { language: 'PROMQL', text: 'x'.repeat(60_000) } }, user)
    expect(costly.errors[0]!.extensions['code']).toBe('invalid_query')
  })

  it('opens one log with the lines around it', async () => {
    const { logs } = await runOperation(service.url, LogExplorerDocument, { range: RANGE, filter: { query: '"order 4"' } }, user)
    const { log } = await runOperation(service.url, LogDetailDocument, { id: logs!.nodes[0]!.id }, user)
    expect(log).toMatchObject({ message: 'order 4 placed', fields: { cart: { items: 4 } } })
    expect(log!.surrounding.map(({ message }) => message)).toEqual(expect.arrayContaining(['order 2 placed', 'order 6 placed']))
    expect((await runOperation(service.url, LogDetailDocument, { id: 'nope' }, user)).log).toBeNull()
  })

  it('draws a metric and finds its labels', async () => {
    const { a } = await runOperation(
      service.url,
      DashboardDataDocument,
      { range: { from: 'now-10m' }, a: [{ metric: 'cpu.load', aggregation: 'MAX', by: ['host'] }] },
      user
    )
    expect(a!.series.map(({ legend }) => legend)).toEqual(['cpu.load{host=a}', 'cpu.load{host=b}'])
    expect(a!.series[0]!.values).toHaveLength(a!.grid.length)
    expect(a!.series[0]!.values).toContain(3)
    const catalog = await runOperation(service.url, MetricCatalogueDocument, { range: RANGE, name: 'cpu.load' }, user)
    expect(catalog.metrics!.nodes.slice(0, 3)).toMatchObject([
      { name: 'cpu.load', kind: 'GAUGE', seriesCount: 2 },
      // Counted out of the logs and page views that are there.
      { name: 'log_records_total', kind: 'COUNTER' },
      { name: 'rum_cls_bucket', kind: 'COUNTER' }
    ])
    expect(catalog.metric!.labels).toEqual([{ name: 'host', cardinality: 2, values: ['a', 'b'] }])
    expect(catalog.metricLabels).toEqual([{ name: 'host', cardinality: 2, values: ['a'] }])
  })
})

describe('other telemetry fields', () => {
  it('find fields and values of logs', async () => {
    const data = await queryGraphql<{ logFields: { name: string; type: string; count: number }[]; logFieldValues: unknown }>(
      service.url,
      `query Q($range: TimeRange!) { logFields(range: $range, contains: "cart") { name type count }
        logFieldValues(field: "service", range: $range) { value count selected } }`,
      { range: RANGE },
      user
    )
    expect(data.logFields).toEqual([{ name: 'log_fields.cart.items', type: 'NUMBER', count: 12 }])
    expect(data.logFieldValues).toEqual([
      { value: 'db', count: 6, selected: false },
      { value: 'web', count: 6, selected: false }
    ])
  })

  it('filter by structure, trace and text at once', async () => {
    const total = async (filter: object): Promise<unknown> => {
      const query = 'query Q($range: TimeRange!, $filter: LogFilter) { logs(range: $range, filter: $filter) { total { value } } }'
      const data = await queryGraphql<{ logs: { total: { value: number } } }>(service.url, query, { range: RANGE, filter }, user)
      return data.logs.total.value
    }
    expect(await total({ where: [{ field: 'cart.items', op: 'GTE', value: '10' }] })).toBe(2)
    expect(await total({ where: [{ field: 'service', op: 'IN', values: ['web'] }], levels: ['ERROR'] })).toBe(3)
    expect(await total({ where: [{ field: 'service', op: 'NEQ', value: 'web' }] })).toBe(6)
    expect(await total({ traceId: 'aabbccddaabbccddaabbccddaabbccdd' })).toBe(1)
    expect(await total({ hosts: ['h2'] })).toBe(0)
    expect(await total({ query: 'order', services: ['db'], sources: [] })).toBe(6)
  })

  it('show single errors of a group, and a group by its id', async () => {
    const data = await queryGraphql<{ exceptions: { id: string; latest: { message: string; stacktrace: string }[] }[] }>(
      service.url,
      'query Q($range: TimeRange!) { exceptions(range: $range) { id a: histogram(buckets: 5) { grid { length } } b: histogram(buckets: 9) { grid { length } } latest(first: 1) { message stacktrace } } }',
      { range: RANGE },
      user
    )
    expect(data.exceptions[0]!.latest).toEqual([{ message: 'failed on 2', stacktrace: 'at a.ts:1' }])
    const { id } = data.exceptions[0]!
    const one = await queryGraphql(
      service.url,
      'query Q($id: ID!) { exception(id: $id) { count } none: exception(id: "x") { id } }',
      { id },
      user
    )
    expect(one).toEqual({ exception: { count: 2 }, none: null })
  })
})
