import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ExceptionsDocument, RumPageDocument, SessionDocument } from '../fixtures/generated/graphql.js'
import { SANDBOX_EXAMPLES } from '../../src/http/sandbox-examples.js'
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
    expect(await queryGraphql(service.url, rum, {}, user)).toEqual({ rum: { events: 4, sessions: 3 } })
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

describe('page timings and examples', () => {
  it('draw a vital over time and list page views', async () => {
    const query = `query Q($range: TimeRange!) { rum(range: $range) {
      vital(vital: LCP, percentile: 50) { value samples }
      series(vital: LCP, by: COUNTRY, buckets: 4) { grid { length } series { labels { name value } values } stats { complete } }
      list(first: 3) { nodes { pageUrl country largestContentfulPaintMs } pageInfo { hasNextPage endCursor } } stats { tookMs } window { from to } } }`
    const { rum } = await queryGraphql<{ rum: Record<string, unknown> }>(service.url, query, { range: RANGE }, user)
    expect(rum).toMatchObject({ vital: { value: 2_500, samples: 4 }, list: { pageInfo: { hasNextPage: true } } })
    expect((rum['list'] as { nodes: unknown[] }).nodes).toHaveLength(3)
    expect((rum['series'] as { series: unknown[] }).series).toHaveLength(2)
  })

  it.each(SANDBOX_EXAMPLES.map(example => [example.title, example] as const))('run the example "%s"', async (_title, example) => {
    const response = await postGraphql(service.url, { query: example.query, variables: example.variables }, user)
    expect(response.errors).toEqual([])
  })
})
