import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MAX_AGGREGATE_BUCKETS, MAX_AGGREGATE_VALUES, MAX_GROUPS } from '../../src/query/aggregate/aggregation.js'
import { MAX_GROUP_FIELDS, MAX_MEASURES } from '../../src/query/aggregate/parse-measures.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

interface Measured {
  readonly ref: string
  readonly value: number | null
  readonly values?: readonly (number | null)[]
}

interface Aggregate {
  readonly rows: readonly { readonly group: readonly (string | null)[]; readonly measures: readonly Measured[] }[]
  readonly other: { readonly measures: readonly Measured[] } | null
  readonly groups: { readonly value: number }
  readonly grid: { readonly start: string; readonly step_s: number; readonly length: number } | null
  readonly relative_error: number
  readonly complete: boolean
  readonly warnings: readonly string[]
  readonly page: { readonly has_more: boolean }
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LOGS = 120
const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS
const WINDOW = { start: new Date(startMs).toISOString(), end: new Date(startMs + HOUR_MS).toISOString() }
let service: ReadingService

const aggregate = async (body: object): Promise<Aggregate> =>
  (await service.ok(service.post('/api/v1/aggregate', { ...WINDOW, ...body }))) as unknown as Aggregate

/** One log every half a minute: `ms` counts up, orders are of three services in turn. */
const logOf = (i: number): object => ({
  timestamp: new Date(startMs + (i * MINUTE_MS) / 2).toISOString(),
  service: `s${i % 3}`,
  message: `order ${i}`,
  log_fields: { ms: i, region: i % 2 === 0 ? 'eu' : 'us', big: 1e308 }
})

const spanOf = (i: number): object => {
  const startNs = BigInt(startMs + i * MINUTE_MS) * 1_000_000n
  return {
    traceId: String(i + 1).padStart(32, '0'),
    spanId: String(i + 1).padStart(16, '0'),
    name: 'GET /cart',
    kind: 2,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + BigInt(i + 1) * 1_000_000n),
    attributes: [{ key: 'http.size', value: { intValue: String(100 * i) } }]
  }
}

beforeAll(async () => {
  service = await startReadingService()
  await service.write('/api/v1/logs/batch', { logs: Array.from({ length: LOGS }, (_, i) => logOf(i)) })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'cart' } }] }
  const json = { resourceSpans: [{ resource, scopeSpans: [{ spans: Array.from({ length: 10 }, (_, i) => spanOf(i)) }] }] }
  const headers = { 'x-api-key': service.first.ingestKey }
  expect((await service.ingest('/api/v1/otlp/v1/traces', { method: 'POST', json, headers })).status).toBe(200)
  await service.settle()
})
afterAll(() => service.close())

describe('POST /api/v1/aggregate', () => {
  it('counts rows without measures, and computes those that are named', async () => {
    const counted = await aggregate({})
    expect(counted).toMatchObject({ rows: [{ group: [], measures: [{ ref: 'count', value: LOGS }] }], grid: null, other: null })
    const measures = [
      { fn: 'p50', field: 'ms' },
      { fn: 'sum', field: 'ms', ref: 'total' },
      { fn: 'count_distinct', field: 'service' }
    ]
    const { rows, relative_error: error, complete } = await aggregate({ measures, query: 'region:eu' })
    expect(rows[0]!.measures).toEqual([
      { ref: 'p50(ms)', value: 59 },
      { ref: 'total', value: 3540 },
      { ref: 'count_distinct(service)', value: 3 }
    ])
    expect([error, complete]).toEqual([0, true])
  })

  it('ranks groups by a measure, over time, with the rest', async () => {
    const measures = [{ fn: 'count' }, { fn: 'max', field: 'ms', ref: 'worst' }]
    const body = { measures, group_by: ['service', 'region'], order_by: 'worst', limit: 2, include_other: true, step: '30m' }
    const { rows, other, groups, grid, page } = await aggregate(body)
    expect(grid).toEqual({ start: new Date(startMs).toISOString().replace('.000Z', '.000000000Z'), step_s: 1800, length: 2 })
    expect(rows).toEqual([
      { group: ['s2', 'us'], measures: [{ ref: 'count', value: 20, values: [10, 10] }, { ref: 'worst', value: 119, values: [59, 119] }] }, // prettier-ignore
      { group: ['s1', 'eu'], measures: [{ ref: 'count', value: 20, values: [10, 10] }, { ref: 'worst', value: 118, values: [58, 118] }] } // prettier-ignore
    ])
    expect(other!.measures).toEqual([
      { ref: 'count', value: 80, values: [40, 40] },
      { ref: 'worst', value: 117, values: [57, 117] }
    ])
    expect([groups.value, page.has_more]).toEqual([6, true])
    const lowest = await aggregate({ ...body, order: 'asc', limit: 1 })
    expect(lowest.rows[0]!.group).toEqual(['s0', 'eu'])
  })

  it('has rates per second of the window and of each bucket, the last one as long as the window', async () => {
    const measures = [{ fn: 'rate' }, { fn: 'rate', field: 'none', ref: 'nothing' }]
    const { rows, grid } = await aggregate({ measures, query: 'service:s0', step: '40m' })
    expect(grid).toMatchObject({ step_s: 2_400, length: 2 })
    expect(rows[0]!.measures).toEqual([
      { ref: 'rate', value: 40 / 3_600, values: [27 / 2_400, 13 / 1_200] },
      { ref: 'nothing', value: 0, values: [0, 0] }
    ])
    const ranked = await aggregate({ measures: [{ fn: 'rate' }], group_by: ['region'], query: 'ms:<101' })
    expect(ranked.rows.map(({ group }) => group)).toEqual([['eu'], ['us']])
  })

  it('explains what it does not find, and what a double does not hold', async () => {
    const nothing = await aggregate({ measures: [{ fn: 'avg', field: 'servce' }] })
    expect(nothing.rows[0]!.measures[0]!.value).toBeNull()
    expect(nothing.warnings).toEqual(['"servce" is not a well-known field: did you mean service?'])
    const large = await aggregate({ measures: [{ fn: 'sum', field: 'big' }] })
    expect(large.rows[0]!.measures[0]!.value).toBeNull()
    expect(large.warnings).toEqual(['values beyond the range of doubles are null'])
  })

  const many = (length: number) => Array.from({ length }, (_, i) => ({ fn: 'count', ref: `m${i}` }))

  it('takes as much as its limits', async () => {
    const most = Math.floor(MAX_AGGREGATE_VALUES / MAX_GROUPS)
    const fields = ['service', 'region', 'ms'].slice(0, MAX_GROUP_FIELDS)
    expect((await aggregate({ measures: many(MAX_MEASURES), group_by: fields, limit: MAX_GROUPS })).rows).toHaveLength(MAX_GROUPS)
    expect((await aggregate({ buckets: most, group_by: ['service'], limit: MAX_GROUPS })).grid!.length).toBeLessThanOrEqual(most)
    expect((await aggregate({ step: '3600ms' })).grid!.length).toBe(MAX_AGGREGATE_BUCKETS)
  })

  it.each([
    [{ measures: many(MAX_MEASURES + 1) }, 'measures'],
    [{ measures: [{ fn: 'sum' }] }, 'measures'],
    [{ measures: [{ fn: 'avg', field: 'service' }] }, 'measures'],
    [{ measures: [{ fn: 'max', field: 'timestamp' }] }, 'measures'],
    [{ measures: [{ fn: 'count' }, { fn: 'count' }] }, 'measures'],
    [{ measures: [{ fn: 'count', field: 'x'.repeat(257) }] }, 'measures'],
    [{ group_by: ['a', 'b', 'c', 'd'] }, 'group_by'],
    [{ group_by: ['a', 'a'] }, 'group_by'],
    [{ group_by: ['timestamp'] }, 'group_by'],
    [{ group_by: ['pattern'] }, 'group_by'],
    [{ group_by: ['duration'], signal: 'spans' }, 'group_by'],
    [{ group_by: ['event.x'], signal: 'spans' }, 'facets'],
    [{ order_by: 'p99' }, 'order_by'],
    [{ limit: MAX_GROUPS + 1 }, 'limit'],
    [{ buckets: MAX_AGGREGATE_BUCKETS + 1 }, 'buckets'],
    [{ step: '3599ms' }, 'step'],
    [{ step: '10us' }, 'step'],
    [{ step: '1m', buckets: 5 }, 'step'],
    [{ buckets: 501, group_by: ['service'], limit: MAX_GROUPS }, 'step']
  ])('refuses %j', async (body, field) => {
    const { status, json } = await service.post('/api/v1/aggregate', { ...WINDOW, ...body })
    expect([status, json?.['code']]).toEqual([400, 'invalid_field'])
    expect(JSON.stringify(json)).toContain(`"${field}"`)
  })

  it('measures spans: durations in nanoseconds, and attributes', async () => {
    const measures = [
      { fn: 'p95', field: 'duration' },
      { fn: 'max', field: 'attributes.http.size' }
    ]
    const { rows } = await aggregate({ signal: 'spans', measures, group_by: ['service'], query: 'duration:>1ms' })
    expect(rows).toEqual([
      { group: ['cart'], measures: [{ ref: 'p95(duration)', value: 9_600_000 }, { ref: 'max(attributes.http.size)', value: 900 }] } // prettier-ignore
    ])
  })
})

describe('aggregate of GraphQL', () => {
  it('has what REST has', async () => {
    const range = `range: { from: "${WINDOW.start}", to: "${WINDOW.end}" }`
    const input = `{ signal: LOGS, ${range}, measures: [{ fn: P95, field: "ms", ref: "slow" }], groupBy: ["service"], step: "30m", limit: 1, includeOther: true }`
    const query = `{ aggregate(input: ${input}) { grid { start step length } groups { value exact } relativeError
      rows { group other measures { ref value values } } stats { complete warnings } } }`
    const { data } = (await service.ok(service.post('/graphql', { query }))) as { data: { aggregate: Record<string, unknown> } }
    const measures = [{ fn: 'p95', field: 'ms', ref: 'slow' }]
    const rest = await aggregate({ measures, group_by: ['service'], step: '30m', limit: 1, include_other: true })
    expect(data.aggregate).toEqual({
      grid: { start: rest.grid!.start, step: '30m', length: 2 },
      groups: { value: 3, exact: true },
      relativeError: 0,
      rows: [
        { group: rest.rows[0]!.group, other: false, measures: rest.rows[0]!.measures },
        { group: [], other: true, measures: rest.other!.measures }
      ],
      stats: { complete: true, warnings: [] }
    })
    const wrong = await service.ok(service.post('/graphql', { query: query.replace('LOGS', 'RUM') }))
    expect(wrong).toMatchObject({ errors: [{ extensions: { code: 'invalid_field' } }] })
  })
})
