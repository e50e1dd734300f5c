import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { store as storeLogs } from '../contract/log-fixtures.js'
import { storeSpans } from '../contract/trace-fixtures.js'
import { BASE_NS } from '../contract/fresh-ids.js'
import {
  LogWithTraceDocument,
  TraceComparisonDocument,
  TraceExplorerDocument,
  TraceViewDocument
} from '../fixtures/generated/graphql.js'
import { queryGraphql, postGraphql, runOperation } from '../support/graphql-client.js'
import { type GraphqlOverStores, serveGraphql } from '../support/graphql-stores.js'

const id = (n: number): string => n.toString(16).padStart(32, '0')
const spanId = (n: number): string => n.toString(16).padStart(16, '0')
const MS = 1_000_000
const TRACES = [1, 2, 3]
const RANGE = {
  from: new Date(Number(BASE_NS / 1_000_000n) - 60_000).toISOString(),
  to: new Date(Number(BASE_NS / 1_000_000n) + 60_000).toISOString()
}

let served: GraphqlOverStores

beforeAll(async () => {
  served = await serveGraphql()
  const { stores, namespace } = served
  const exception = {
    name: 'exception',
    timestampNs: BASE_NS,
    attributes: { 'exception.type': 'Oops', 'exception.message': 'no' }
  }
  await storeSpans(
    stores.traces,
    namespace.id,
    TRACES.flatMap(trace => [
      { trace, id: 1, at: trace * MS, took: 10 * trace * MS, service: 'web', name: 'GET /', kind: 'server' as const },
      {
        ...{ trace, id: 2, parent: 1, at: (trace + 2) * MS, took: 4 * trace * MS, service: 'db', name: 'SELECT' },
        ...(trace === 2 && { status: 'error' as const, events: [exception] })
      }
    ])
  )
  await storeLogs(
    stores.logs,
    namespace.id,
    TRACES.flatMap(trace => [
      { at: trace * MS, message: `web ${trace}`, traceId: id(trace), spanId: spanId(1) },
      { at: trace * MS + 1, message: `db ${trace}`, traceId: id(trace).toUpperCase(), spanId: spanId(2) },
      { at: trace * MS + 2, message: `none ${trace}`, traceId: id(trace) }
    ])
  )
  served.takeCalls()
})
afterAll(() => served?.close())

describe('traces in GraphQL', () => {
  it('explores traces by one request for each part, logs of the page counted by one', async () => {
    const { traces } = await runOperation(served.url, TraceExplorerDocument, { range: RANGE })
    expect(traces!.nodes.map(({ traceId, durationMs, status, logCount }) => [traceId, durationMs, status, logCount])).toEqual([
      [id(3), 30, 'UNSET', 3],
      [id(2), 20, 'ERROR', 3],
      [id(1), 10, 'UNSET', 3]
    ])
    expect(traces!.nodes[0]).toMatchObject({ rootService: 'web', rootOperation: 'GET /', spanCount: 2, hasMissingSpans: false })
    expect(traces!.total).toEqual({ value: 3, exact: true })
    const counted = traces!.histogram.series.map(({ key, counts }) => [key, counts.reduce((a, b) => a + b, 0)])
    expect(new Map(counted as [string, number][])).toEqual(
      new Map([
        ['unset', 5],
        ['error', 1]
      ])
    )
    expect(traces!.durations.counts.reduce((a, b) => a + b, 0)).toBe(6)
    expect(traces!.durations.boundsMs).toHaveLength(39)
    expect(traces!.facets.map(({ field }) => field)).toEqual(['service', 'operation', 'kind', 'status'])
    expect(
      served
        .takeCalls()
        .map(({ name }) => name)
        .toSorted()
    ).toEqual(['logs.search', 'traces.searchSpans', 'traces.searchTraces', 'traces.stats'])
  })

  it('filters and sorts', async () => {
    const query = `query ($range: TimeRange!, $filter: TraceFilter, $order: SortDirection) {
      traces(range: $range, filter: $filter, orderBy: DURATION, order: $order) { nodes { traceId } } }`
    const request = async (filter: object, order = 'DESC'): Promise<string[]> => {
      const response = await queryGraphql<{ traces: { nodes: { traceId: string }[] } }>(served.url, query, {
        range: RANGE,
        filter,
        order
      })
      return response.traces.nodes.map(({ traceId }) => traceId)
    }
    expect(await request({})).toEqual([id(3), id(2), id(1)])
    expect(await request({}, 'ASC')).toEqual([id(1), id(2), id(3)])
    expect(await request({ statuses: ['ERROR'] })).toEqual([id(2)])
    expect(await request({ hasError: false, services: ['web'] })).toEqual([id(3), id(1)])
    expect(await request({ minDuration: '20ms' })).toEqual([id(3), id(2)])
    expect(await request({ maxDuration: '4000us', scope: 'SPAN' })).toEqual([id(1)])
    expect(await request({ query: 'oops' })).toEqual([id(2)])
    expect(await request({ operations: ['GET /'], rootOnly: true, kinds: ['SERVER'] })).toEqual([id(3), id(2), id(1)])
  })

  it('shows a trace by one request for its spans and one for its logs', async () => {
    served.takeCalls()
    const { trace } = await runOperation(served.url, TraceViewDocument, { traceId: '2' })
    expect(served.takeCalls().map(({ name }) => name)).toEqual(['traces.smallTrace', 'traces.gaps', 'logs.search'])
    expect(trace).toMatchObject({
      ...{ traceId: id(2), durationMs: 20, spanCount: 2, errorCount: 1, truncated: false, logCount: 3, unlinkedLogCount: 1 },
      rootSpan: { service: 'web' },
      services: [
        { service: 'db', spans: 1, errors: 1, selfTimeMs: 8, criticalMs: 8 },
        { service: 'web', spans: 1, errors: 0, selfTimeMs: 12, criticalMs: 12 }
      ],
      criticalPath: [
        { spanId: spanId(1), startOffsetMs: 0, durationMs: 2 },
        { spanId: spanId(2), startOffsetMs: 2, durationMs: 8 },
        { spanId: spanId(1), startOffsetMs: 10, durationMs: 10 }
      ],
      spans: [
        { spanId: spanId(1), depth: 0, kind: 'SERVER', selfTimeMs: 12, logCount: 1 },
        { spanId: spanId(2), depth: 1, startOffsetMs: 2, logCount: 1, exceptions: [{ type: 'Oops', message: 'no' }] }
      ]
    })
    const unknown = await runOperation(served.url, TraceViewDocument, { traceId: 'ffff' })
    expect(unknown.trace).toBeNull()
  })

  it('outlines a trace by one request for its spans, and one for its logs when they are counted', async () => {
    const lists = 'serviceNames operationNames spanIds parents starts durations selfTimes services operations flags'
    const send = (more: string): Promise<{ trace: { outline: object } }> =>
      queryGraphql(served.url, `{ trace(traceId: "2") { outline { ${lists} ${more} } } }`)
    const expected = {
      ...{ serviceNames: ['web', 'db'], operationNames: ['GET /', 'SELECT'], spanIds: [spanId(1), spanId(2)] },
      ...{ parents: [null, 0], starts: [0, 2], durations: [20, 8], selfTimes: [12, 8], services: [0, 1], operations: [0, 1] },
      flags: [2, 1 + 2 + 8]
    }
    served.takeCalls()
    expect((await send('')).trace.outline).toEqual(expected)
    expect(served.takeCalls().map(({ name }) => name)).toEqual(['traces.smallTrace', 'traces.gaps'])
    expect((await send('logCounts')).trace.outline).toEqual({ ...expected, logCounts: [1, 1] })
    expect(served.takeCalls().map(({ name }) => name)).toEqual(['traces.smallTrace', 'traces.gaps', 'logs.search'])
  })

  it('finds one span by its ids, in any spelling', async () => {
    const call = (traceId: string, span: string): string =>
      `{ span(traceId: "${traceId}", spanId: "${span}") { traceId spanId service startOffsetMs selfTimeMs logCount
        exceptions { type } attributes } }`
    served.takeCalls()
    const found = await queryGraphql<{ span: object }>(served.url, call('2', '2'))
    expect(found.span).toMatchObject({
      ...{ traceId: id(2), spanId: spanId(2), service: 'db', startOffsetMs: 2, selfTimeMs: 8, logCount: 1 },
      exceptions: [{ type: 'Oops' }]
    })
    expect(await queryGraphql(served.url, call(id(2).toUpperCase(), spanId(2)))).toEqual(found)
    for (const [trace, span] of [
      ['2', '3'],
      ['9', '1']
    ] as const) {
      expect(await queryGraphql(served.url, call(trace, span))).toEqual({ span: null })
    }
    for (const [trace, span, field] of [
      ['x', '1', 'trace_id'],
      ['1', '12345678901234567', 'span_id']
    ] as const) {
      const refused = await postGraphql(served.url, { query: call(trace, span) })
      expect(refused.errors[0]).toMatchObject({ extensions: { code: 'invalid_field' } })
      expect(refused.errors[0]!.message).toContain(field)
    }
  })

  it('leads from a page of logs to traces and spans by one request each', async () => {
    served.takeCalls()
    const query = `query ($range: TimeRange!) { logs(range: $range, first: 50, order: ASC) {
      nodes { id message trace { traceId durationMs spanCount } span { operation durationMs } } } }`
    interface Linked {
      readonly id: string
      readonly message: string
      readonly trace: { readonly spanCount: number } | null
      readonly span: { readonly operation: string } | null
    }
    const { logs } = await queryGraphql<{ logs: { nodes: Linked[] } }>(served.url, query, { range: RANGE })
    expect(
      served
        .takeCalls()
        .map(({ name }) => name)
        .toSorted()
    ).toEqual(['logs.search', 'traces.searchSpans', 'traces.summaries'])
    expect(logs.nodes.map(({ message, trace, span }) => [message, trace?.spanCount, span?.operation])).toEqual(
      TRACES.flatMap(n => [
        [`web ${n}`, 2, 'GET /'],
        [`db ${n}`, 2, 'SELECT'],
        [`none ${n}`, 2, undefined]
      ])
    )
    const { log } = await runOperation(served.url, LogWithTraceDocument, { id: logs.nodes[1]!.id })
    expect(log).toMatchObject({ trace: { traceId: id(1) }, span: { spanId: spanId(2), startOffsetMs: 2 } })
  })

  it('leads from a trace and a span to their logs', async () => {
    const query = `{ trace(traceId: "1") { logs { nodes { message } } spans { logs(first: 5) { nodes { message } } } } }`
    interface Result {
      readonly trace: { logs: { nodes: { message: string }[] }; spans: { logs: { nodes: { message: string }[] } }[] }
    }
    const refused = await postGraphql(served.url, { query })
    expect(refused.errors[0]!.extensions['code']).toBe('invalid_query')
    const { trace } = await queryGraphql<Result>(served.url, query.replace('spans', 'spans(limit: 50)'))
    expect(trace.logs.nodes.map(({ message }) => message)).toEqual(['web 1', 'db 1', 'none 1'])
    expect(trace.spans.map(({ logs }) => logs.nodes)).toEqual([[{ message: 'web 1' }], [{ message: 'db 1' }]])
  })

  it('compares two traces', async () => {
    const { compareTraces } = await runOperation(served.url, TraceComparisonDocument, { base: '1', other: '3' })
    expect(
      compareTraces!.operations.map(({ operation, change, selfTimeDeltaMs }) => [operation, change, selfTimeDeltaMs])
    ).toEqual([
      ['GET /', 'SLOWED', 12],
      ['SELECT', 'SLOWED', 8]
    ])
    const missing = await postGraphql(served.url, { query: '{ compareTraces(base: "1", other: "77") { base { traceId } } }' })
    expect(missing.errors[0]!.extensions['code']).toBe('not_found')
  })

  it('names fields and their values', async () => {
    const query = `query ($range: TimeRange!) { traceFields(range: $range) { name type count }
      traceFieldValues(range: $range, field: "operation", contains: "sel") { value count } }`
    const response = await queryGraphql<{ traceFields: { name: string; count: number }[]; traceFieldValues: object[] }>(
      served.url,
      query,
      {
        range: RANGE
      }
    )
    expect(response.traceFields).toContainEqual({ name: 'service', type: 'STRING', count: 6 })
    expect(response.traceFieldValues).toEqual([{ value: 'SELECT', count: 3 }])
  })
})
