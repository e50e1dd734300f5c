import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { BASE_NS } from '../contract/fresh-ids.js'
import { storeSpans } from '../contract/trace-fixtures.js'
import { queryGraphql, postGraphql } from '../support/graphql-client.js'
import { type GraphqlOverStores, serveGraphql } from '../support/graphql-stores.js'

const MS = 1_000_000
const MINUTE = 60_000 * MS
const RANGE = {
  from: new Date(Number(BASE_NS / 1_000_000n)).toISOString(),
  to: new Date(Number(BASE_NS / 1_000_000n) + 600_000).toISOString()
}
const id = (n: number): string => n.toString(16).padStart(32, '0')

interface Charts {
  readonly heatmap: {
    readonly grid: { readonly start: string; readonly stepMs: number; readonly length: number }
    readonly boundsMs: readonly number[]
    readonly counts: readonly (readonly number[])[]
  }
  readonly points: {
    readonly traceIds: readonly string[]
    readonly starts: readonly string[]
    readonly durationsMs: readonly number[]
    readonly errors: readonly boolean[]
    readonly omitted: number
  }
  readonly stats: { readonly complete: boolean; readonly warnings: readonly string[] }
}

let served: GraphqlOverStores

beforeAll(async () => {
  served = await serveGraphql()
  // A trace a minute for ten minutes, each longer than the one before; the fifth fails in its second span.
  await storeSpans(
    served.stores.traces,
    served.namespace.id,
    Array.from({ length: 10 }, (_, minute) => [
      { trace: minute + 1, id: 1, at: minute * MINUTE, took: 2 ** minute * MS, service: 'web' },
      {
        ...{ trace: minute + 1, id: 2, parent: 1, at: minute * MINUTE, took: MS / 2, service: 'db' },
        ...(minute === 4 && { status: 'error' as const })
      }
    ]).flat()
  )
})
afterAll(() => served?.close())

const HEATMAP = 'grid { start stepMs length } boundsMs counts'
const POINTS = 'traceIds starts durationsMs errors omitted'

async function charts(selection: string, filter: object = {}, namespace = served.namespace.name): Promise<Charts> {
  const query = `query ($range: TimeRange!, $filter: TraceFilter) {
    traces(range: $range, filter: $filter) { ${selection} stats { complete warnings } } }`
  const variables = { range: RANGE, filter }
  return (await queryGraphql<{ traces: Charts }>(served.url, query, variables, { 'x-namespace-id': namespace })).traces
}

describe('the heat map of traces', () => {
  it('counts spans by start and duration', async () => {
    const { heatmap } = await charts(`heatmap(buckets: 10) { ${HEATMAP} }`, { services: ['web'] })
    expect(heatmap.grid).toEqual({ start: RANGE.from.replace('Z', '000000Z'), stepMs: 60_000, length: 10 })
    expect(heatmap.counts).toHaveLength(heatmap.boundsMs.length + 1)
    const cells = heatmap.counts.flatMap((counts, row) => counts.map((count, column) => ({ row, column, count })))
    const filled = cells.filter(({ count }) => count > 0).toSorted((a, b) => a.column - b.column)
    expect(filled.map(({ column, count }) => [column, count])).toEqual(Array.from({ length: 10 }, (_, i) => [i, 1]))
    for (const { row, column } of filled) {
      expect(heatmap.boundsMs[row]).toBeGreaterThanOrEqual(2 ** column)
      expect(heatmap.boundsMs[row - 1]).toBeLessThan(2 ** column)
    }
  })

  it('adds up to the histogram of durations', async () => {
    const query = `histogram(buckets: 10) { series { counts } } heatmap(buckets: 10) { ${HEATMAP} }`
    const { heatmap, histogram } = (await charts(query)) as Charts & {
      readonly histogram: { readonly series: readonly { readonly counts: readonly number[] }[] }
    }
    const columns = heatmap.counts[0]!.map((_, column) => heatmap.counts.reduce((sum, counts) => sum + counts[column]!, 0))
    expect(columns).toEqual(histogram.series[0]!.counts)
  })

  it('has all of its cells when nothing matches', async () => {
    const { heatmap } = await charts(`heatmap(buckets: 7) { ${HEATMAP} }`, { services: ['unknown'] })
    expect(heatmap.counts.flat()).toEqual(Array.from({ length: (heatmap.boundsMs.length + 1) * 7 }, () => 0))
  })

  it('reports that conditions on whole traces do not apply to its spans', async () => {
    const { stats } = await charts(`heatmap { ${HEATMAP} }`, { minDuration: '100ms' })
    expect(stats.warnings).toContainEqual(expect.stringContaining('heatmap'))
  })
})

describe('the points of traces', () => {
  it('are the latest traces, with the number of those that are left out', async () => {
    const { points, stats } = await charts(`points(limit: 4) { ${POINTS} }`)
    expect(points.traceIds).toEqual([id(10), id(9), id(8), id(7)])
    expect(points.durationsMs).toEqual([512, 256, 128, 64])
    expect(points.starts.map(start => Date.parse(start) - Date.parse(RANGE.from))).toEqual([9, 8, 7, 6].map(i => i * 60_000))
    expect([points.omitted, stats.complete]).toEqual([6, true])
  })

  it('apply conditions on whole traces and mark failed ones', async () => {
    const { points } = await charts(`points { ${POINTS} }`, { maxDuration: '16ms', minDuration: '4ms' })
    expect(points.traceIds).toEqual([id(5), id(4), id(3)])
    expect([points.errors, points.omitted]).toEqual([[true, false, false], 0])
  })

  it('do not depend on the page of the rows', async () => {
    const { points, nodes } = (await charts(`points { traceIds } nodes { traceId }`)) as Charts & { nodes: readonly object[] }
    expect([points.traceIds.length, nodes.length]).toEqual([10, 10])
  })
})

describe('charts of traces', () => {
  it.each([
    ['heatmap(buckets: 301) { boundsMs }', 'buckets'],
    ['heatmap(buckets: 0) { boundsMs }', 'buckets'],
    ['points(limit: 2001) { traceIds }', 'limit'],
    ['points(limit: 0) { traceIds }', 'limit']
  ])('refuse %s', async (selection, named) => {
    const query = `query ($range: TimeRange!) { traces(range: $range) { ${selection} } }`
    const { data, errors } = await postGraphql(served.url, { query, variables: { range: RANGE } })
    expect([data, errors[0]!.message]).toEqual([{ traces: null }, expect.stringContaining(named)])
  })

  it('are at most eight in a query, histograms included', async () => {
    const eight = Array.from({ length: 8 }, (_, i) => `h${i}: heatmap(buckets: ${i + 1}) { boundsMs }`).join(' ')
    expect(Object.keys(await charts(eight))).toHaveLength(9)
    await expect(charts(`${eight} durations { counts }`)).rejects.toThrow('more than 8 histograms')
  })
})
