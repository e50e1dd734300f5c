import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import { type RumEvent, VITALS } from '../../src/domain/records/rum.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { createReadUseCases, type ReadUseCases } from '../../src/app/use-cases.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLog, testPoint } from '../support/duckdb-fixture.js'
import { NO_METRIC_NOTES } from '../support/no-metric-notes.js'
import { NO_HOSTS } from '../support/no-hosts.js'
import { NO_STREAMS } from '../support/no-streams.js'
import { openTempFolder } from '../support/temp-folder.js'
import { NO_PATTERNS } from '../support/no-patterns.js'

// What GraphQL alone requests; the rest is tested through REST.

const NOW_NS = NOON_NS + 3_600_000_000_000n
const MINUTE_NS = 60_000_000_000n
const signal = new AbortController().signal
const ns: Namespace = {
  id: NS,
  name: 'test',
  kind: 'team',
  state: 'active',
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
}
const clock = { nowNs: () => NOW_NS, nowMs: () => Number(NOW_NS / 1_000_000n), monotonicMs: () => performance.now() }
const window = { start: String(NOON_NS), end: String(NOON_NS + 10n * MINUTE_NS) }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let reads: ReadUseCases

const noVitals = Object.fromEntries(Object.keys(VITALS).map(name => [name, null])) as RumEvent['vitals']

function pageView(index: number, lcp: number, browser: string | null): RumEvent {
  return {
    ...{ index, timestampNs: NOON_NS + BigInt(index) * MINUTE_NS, pageUrl: `/p/${index}`, pageGroup: '/p/:id', pageTitle: null },
    vitals: { ...noVitals, largest_contentful_paint_ms: lcp },
    ...{ sessionId: null, deviceType: null, browser, os: null, country: null, connectionType: null, viewportWidth: null },
    ...{ viewportHeight: null, traceId: null, release: null, tags: {} }
  }
}

beforeAll(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path)
  reads = createReadUseCases(stores, clock, DEFAULT_QUERY_SETTINGS, {
    cursorSecret: 'a secret of at least thirty-two characters',
    promqlThreads: new PromqlThreads({ count: 2 }),
    errorGroups: { of: async () => [] },
    notes: NO_METRIC_NOTES,
    patterns: NO_PATTERNS,
    streams: NO_STREAMS,
    hosts: NO_HOSTS
  })
  const logs = Array.from({ length: 12 }, (_, i) =>
    testLog(i, {
      // Pairs share a time.
      timestampNs: NOON_NS + BigInt(Math.floor(i / 2)) * MINUTE_NS,
      host: i % 4 === 3 ? 'h2' : 'h1',
      level: i % 3 === 0 ? 'error' : 'info',
      fields: { n: i, 'user.id': `u${i % 2}` }
    })
  )
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: logs })
  await stores.events.appendRum(NS, {
    ingestId: nextIngestId(),
    items: [pageView(0, 100, 'a'), pageView(1, 300, 'a'), pageView(5, 900, 'b'), pageView(6, 200, null)]
  })
  await stores.metrics.append(NS, {
    ingestId: nextIngestId(),
    items: ['b', 'a'].map((host, i) =>
      testPoint(i, { name: 'cpu', labels: [{ name: 'host', value: host }], timestampNs: NOON_NS })
    )
  })
})
afterAll(async () => {
  await stores.close()
  await folder.remove()
})

describe('logs', () => {
  it('gives rows, total, histograms and facets of one query, each only when requested', async () => {
    const request = {
      ...{ ...window, conditions: { query: 'level:error' }, limit: 2, total: true },
      histograms: [{ buckets: 5 }, { buckets: 2, by: 'host' }],
      facets: [{ field: 'level' }, { field: 'level', excludeSelf: false }]
    }
    const response = await reads.logSearch.search(ns, request, signal)
    expect(response.rows).toHaveLength(2)
    expect(response.total).toEqual({ value: 4, relation: 'eq' })
    expect(response.histograms[0]).toEqual({
      grid: { startNs: NOON_NS, stepNs: 2n * MINUTE_NS, length: 5 },
      series: [{ key: null, counts: [2, 1, 1, 0, 0] }]
    })
    expect(response.histograms[1]!.series.map(({ key }) => key)).toEqual(expect.arrayContaining(['h1', 'h2']))
    expect(response.facets.map(facet => facet.values.map(({ value, count }) => [value, count]))).toEqual([
      [
        ['info', 8],
        ['error', 4]
      ],
      [['error', 4]]
    ])
    const bare = await reads.logSearch.search(ns, { ...window, conditions: {}, rows: false }, signal)
    expect(bare).toMatchObject({ rows: [], total: null, histograms: [], facets: [] })
  })

  it('pages backwards from a cursor, in the order of the list', async () => {
    const all = (await reads.logSearch.search(ns, { ...window, conditions: {} }, signal)).rows.map(log => log.id)
    const last = await reads.logSearch.search(ns, { ...window, conditions: {}, limit: 5, direction: 'backward' }, signal)
    expect(last.rows.map(log => log.id)).toEqual(all.slice(-5))
    expect(last.connection).toMatchObject({ hasPreviousPage: true, hasNextPage: false })
    const before = last.connection.startCursor!
    const page = await reads.logSearch.search(ns, { conditions: {}, limit: 5, cursor: before, direction: 'backward' }, signal)
    expect(page.rows.map(log => log.id)).toEqual(all.slice(2, 7))
    expect(page.connection).toMatchObject({ hasPreviousPage: true, hasNextPage: true })
    expect(page.cursorOf(page.rows[0]!)).toBe(page.connection.startCursor)
  })

  it('finds one by its id, and its neighbors of the same service and host', async () => {
    const { rows } = await reads.logSearch.search(ns, { ...window, conditions: { host: 'h1' }, order: 'asc' }, signal)
    const middle = rows[4]!
    expect(await reads.logSearch.get(ns, middle.id)).toEqual(middle)
    const around = await reads.logSearch.surrounding(ns, middle, { before: 3, after: 2 }, signal)
    expect(around.map(log => log.id)).toEqual([1, 2, 3, 5, 6].map(i => rows[i]!.id))
    expect(await reads.logSearch.get(ns, 'no id')).toBeNull()
    const late = { ...ns, retention: { ...DEFAULT_RETENTION, logs: 1 } }
    expect(await reads.logSearch.get(late, middle.id)).toBeNull()
  })

  it('knows the fields that logs have', async () => {
    const { fields, complete } = await reads.logFields.fields(ns, { ...window, conditions: {} }, signal)
    const byName = Object.fromEntries(fields.map(field => [field.name, [field.type, field.count, field.cardinality]]))
    expect(byName).toMatchObject({ level: ['string', 12, 2], host: ['string', 12, 2], 'log_fields.n': ['number', 12, 12] })
    expect(byName['source']).toBeUndefined()
    expect(complete).toBe(true)
    const some = await reads.logFields.fields(ns, { ...window, conditions: {}, contains: 'USER' }, signal)
    expect(some.fields.map(field => field.name)).toEqual(['log_fields.user.id'])
  })

  it('lists values that contain a text', async () => {
    const query = { ...window, field: 'user.id', conditions: {}, contains: 'U1' }
    expect((await reads.logFields.values(ns, query, signal)).facet.values).toMatchObject([{ value: 'u1', count: 6 }])
  })
})

describe('page timings', () => {
  it('give one vital over time, overall and for the groups with most events', async () => {
    const requested = { ...window, conditions: {}, vital: 'largest_contentful_paint_ms', percentile: 50, buckets: 5 } as const
    const overall = await reads.rumReport.series(ns, requested, signal)
    expect(overall.grid).toEqual({ startNs: NOON_NS, stepNs: 2n * MINUTE_NS, length: 5 })
    expect(overall.series).toEqual([{ key: null, values: [200, null, 900, 200, null] }])
    const { series } = await reads.rumReport.series(ns, { ...requested, by: 'browser' }, signal)
    expect(series.find(({ key }) => key === 'a')!.values).toEqual([200, null, null, null, null])
    expect(series.find(({ key }) => key === null)!.values).toEqual([null, null, null, 200, null])
    const cut = await reads.rumReport.series(ns, { ...requested, by: 'browser', limit: 1 }, signal)
    expect(cut.series.map(({ key }) => key)).toEqual(['a'])
    expect(cut).toMatchObject({ omitted: series.length - 1, complete: false, warnings: [expect.stringContaining('omitted')] })
    expect(series.length).toBeGreaterThan(2)
  })

  it('are listed newest first, in pages', async () => {
    const first = await reads.rumReport.list(ns, { ...window, conditions: {}, limit: 3, total: true }, signal)
    expect([first.total?.value, first.page.hasMore]).toEqual([4, true])
    const second = await reads.rumReport.list(ns, { conditions: {}, cursor: first.page.nextCursor! }, signal)
    expect([...first.rows, ...second.rows].map(event => event.pageUrl)).toEqual(['/p/6', '/p/5', '/p/1', '/p/0'])
  })
})

describe('metrics', () => {
  it('have a catalog, labels, and several lines on one grid', async () => {
    expect((await reads.metricQuery.catalog(ns, { contains: 'CP' }, signal)).metrics.map(({ name }) => name)).toEqual(['cpu'])
    expect(await reads.metricQuery.metric(ns, 'cpu', signal)).toMatchObject({ seriesCount: 2 })
    expect(await reads.metricQuery.metric(ns, 'cp', signal)).toBeNull()
    expect((await reads.metricQuery.labels(ns, { ...window, metric: 'cpu' }, signal)).labels).toEqual([
      { name: 'host', values: ['a', 'b'] }
    ])
    const line = { metric: 'cpu', aggregation: 'count' } as const
    const lines = [
      { ...line, ref: 'A' },
      { ...line, ref: 'B', by: [] }
    ]
    const response = await reads.metricQuery.range(ns, { ...window, step: '5m', lines }, signal)
    expect(response.series.map(({ ref, values }) => [ref, ...values])).toEqual([
      ['A', 1, null],
      ['A', 1, null],
      ['B', 2, null]
    ])
  })

  it('refuse what is not a regex of RE2, and more than may be read', async () => {
    const bad = { metric: 'cpu', aggregation: 'avg', match: [{ name: 'host', op: 'regex', value: '(' }] } as const
    await expect(reads.metricQuery.range(ns, { ...window, lines: [bad] }, signal)).rejects.toMatchObject({
      code: 'invalid_query'
    })
    const tight = createReadUseCases(
      stores,
      clock,
      { ...DEFAULT_QUERY_SETTINGS, maxSeries: 1 },
      {
        cursorSecret: 'x'.repeat(32),
        promqlThreads: new PromqlThreads({ count: 2 }),
        errorGroups: { of: async () => [] },
        notes: NO_METRIC_NOTES,
        patterns: NO_PATTERNS,
        streams: NO_STREAMS,
        hosts: NO_HOSTS
      }
    )
    const line = { metric: 'cpu', aggregation: 'avg' } as const
    await expect(tight.metricQuery.range(ns, { ...window, lines: [line] }, signal)).rejects.toMatchObject({
      code: 'query_unsupported'
    })
  })
})
