import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  DashboardDataDocument,
  ExceptionsDocument,
  LogDetailDocument,
  LogExplorerDocument,
  MetricCatalogueDocument,
  RumPageDocument,
  SessionDocument
} from '../fixtures/generated/graphql.js'
import { SANDBOX_EXAMPLES } from '../../src/http/sandbox-examples.js'
import { askGraphql, postGraphql, runOperation } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'

const RANGE = { from: 'now-1h' }

let service: RunningService
let user: { readonly authorization: string }

async function send(path: string, json: unknown): Promise<void> {
  const answer = await service.api(`${path}?ack=searchable`, {
    method: 'POST',
    headers: { 'x-api-key': service.first.ingestKey },
    json
  })
  if (answer.status !== 200) throw new Error(answer.text)
}

function pageView(i: number): object {
  return {
    page_url: `https://shop.test/item/${i % 2}`,
    largest_contentful_paint_ms: 1_000 + i * 1_000,
    session_id: `s${i % 3}`,
    country: i % 2 === 0 ? 'DE' : 'FR'
  }
}

beforeAll(async () => {
  service = await startService({ flags: ['--rate-queries', '100000'] })
  user = await service.login()
  await send('/api/v1/logs/batch', {
    logs: Array.from({ length: 12 }, (_, i) => ({
      message: `order ${i} placed`,
      level: i % 4 === 0 ? 'ERR' : 'info',
      service: i % 2 === 0 ? 'web' : 'db',
      host: 'h1',
      trace_id: i === 3 ? 'aabbccddaabbccddaabbccddaabbccdd' : undefined,
      log_fields: { cart: { items: i } }
    }))
  })
  await send('/api/v1/ingest/batch', {
    metrics: ['a', 'b'].flatMap(host =>
      [1, 2, 3].map(value => ({ name: 'cpu.load', value, labels: { host }, timestamp_ns: `${Date.now() - value * 1000}000000` }))
    )
  })
  for (const i of [0, 1, 2, 3]) await send('/api/v1/apm/rum', pageView(i))
  for (const id of [1, 2])
    await send('/api/v1/apm/errors', { service: 'web', type: 'Oops', message: `failed on ${id}`, stack: 'at a.ts:1' })
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
    const catalogue = await runOperation(service.url, MetricCatalogueDocument, { range: RANGE, name: 'cpu.load' }, user)
    expect(catalogue.metrics!.nodes.slice(0, 3)).toMatchObject([
      { name: 'cpu.load', kind: 'GAUGE', seriesCount: 2 },
      // Counted out of the logs and page views that are there.
      { name: 'log_records_total', kind: 'COUNTER' },
      { name: 'rum_cls_bucket', kind: 'COUNTER' }
    ])
    expect(catalogue.metric!.labels).toEqual([{ name: 'host', cardinality: 2, values: ['a', 'b'] }])
    expect(catalogue.metricLabels).toEqual([{ name: 'host', cardinality: 2, values: ['a'] }])
  })
})

describe('a typed client of the other pages', () => {
  it('judges page timings, overall and by group', async () => {
    const { rum } = await runOperation(service.url, RumPageDocument, { range: RANGE }, user)
    expect(rum).toMatchObject({ events: 4, sessions: 3 })
    const lcp = rum!.vitals.find(({ vital }) => vital === 'LCP')!
    expect(lcp).toMatchObject({ value: 3_250, rating: 'NEEDS_IMPROVEMENT', good: 0.5 })
    expect(rum!.byPage.map(({ value, events }) => [value, events])).toEqual(
      expect.arrayContaining([
        ['https://shop.test/item/0', 2],
        ['https://shop.test/item/1', 2]
      ])
    )
    expect(rum!.byCountry.map(({ value }) => value).sort()).toEqual(['DE', 'FR'])
  })

  it('counts page views alone', async () => {
    const rum = '{ rum(range: { from: "now-1h" }) { events sessions } }'
    expect(await askGraphql(service.url, rum, {}, user)).toEqual({ rum: { events: 4, sessions: 3 } })
  })

  it('lists application errors in groups', async () => {
    const { exceptions } = await runOperation(service.url, ExceptionsDocument, { range: RANGE, services: ['web'] }, user)
    expect(exceptions).toMatchObject([{ service: 'web', type: 'Oops', count: 2, state: 'OPEN' }])
    const sum = exceptions![0]!.histogram.series.flatMap(({ counts }) => counts).reduce((a, b) => a + b, 0)
    expect(sum).toBe(2)
  })

  it('knows its session and how the stores are', async () => {
    const { viewer, stores } = await runOperation(service.url, SessionDocument, {}, user)
    expect(viewer).toMatchObject({ principal: { __typename: 'User', email: service.first.email }, role: 'ADMIN' })
    expect(viewer.memberships.map(({ namespace }) => namespace.id)).toContain(service.first.namespaceId)
    expect(stores!.map(({ kind, healthy }) => [kind, healthy])).toEqual(
      expect.arrayContaining([
        ['telemetry', true],
        ['control', true]
      ])
    )
  })
})

describe('other telemetry fields', () => {
  it('find fields and values of logs', async () => {
    const data = await askGraphql<{ logFields: { name: string; type: string; count: number }[]; logFieldValues: unknown }>(
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
      const data = await askGraphql<{ logs: { total: { value: number } } }>(service.url, query, { range: RANGE, filter }, user)
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
    const data = await askGraphql<{ exceptions: { id: string; latest: { message: string; stacktrace: string }[] }[] }>(
      service.url,
      'query Q($range: TimeRange!) { exceptions(range: $range) { id a: histogram(buckets: 5) { grid { length } } b: histogram(buckets: 9) { grid { length } } latest(first: 1) { message stacktrace } } }',
      { range: RANGE },
      user
    )
    expect(data.exceptions[0]!.latest).toEqual([{ message: 'failed on 2', stacktrace: 'at a.ts:1' }])
    const { id } = data.exceptions[0]!
    const one = await askGraphql(
      service.url,
      'query Q($id: ID!) { exception(id: $id) { count } none: exception(id: "x") { id } }',
      { id },
      user
    )
    expect(one).toEqual({ exception: { count: 2 }, none: null })
  })
})

describe('page timings and examples', () => {
  it('draw a vital over time and list page views', async () => {
    const query = `query Q($range: TimeRange!) { rum(range: $range) {
      vital(vital: LCP, percentile: 50) { value samples }
      series(vital: LCP, by: COUNTRY, buckets: 4) { grid { length } series { labels { name value } values } stats { complete } }
      list(first: 3) { nodes { pageUrl country largestContentfulPaintMs } pageInfo { hasNextPage endCursor } } stats { tookMs } window { from to } } }`
    const { rum } = await askGraphql<{ rum: Record<string, unknown> }>(service.url, query, { range: RANGE }, user)
    expect(rum).toMatchObject({ vital: { value: 2_500, samples: 4 }, list: { pageInfo: { hasNextPage: true } } })
    expect((rum['list'] as { nodes: unknown[] }).nodes).toHaveLength(3)
    expect((rum['series'] as { series: unknown[] }).series).toHaveLength(2)
  })

  it.each(SANDBOX_EXAMPLES.map(example => [example.title, example] as const))(
    'answer the example "%s"',
    async (_title, example) => {
      const answer = await postGraphql(service.url, { query: example.query, variables: example.variables }, user)
      expect(answer.errors).toEqual([])
    }
  )
})
