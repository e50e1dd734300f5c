import { describe, expect, it } from '@jest/globals'
import { DEFAULT_RETENTION, type Namespace } from '../../../../src/domain/namespace.js'
import type { NativeHistogram } from '../../../../src/domain/native-histogram/native-histogram.js'
import { NO_BOUNDS, NO_BUCKETS } from '../../../../src/domain/native-histogram/native-histogram.js'
import { readQuery } from '../../../../src/query/promql/run-query.js'
import { writeGrid } from '../../../../src/query/promql/grid-bytes.js'
import { PromqlChart, type PromqlChartResult, type PromqlChartQuery } from '../../../../src/query/promql/promql-chart.js'
import { promqlBounds } from '../../../../src/query/promql/promql-query.js'
import { writeResult } from '../../../../src/query/promql/result-json.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'
import { ManualTime } from '../../../support/manual-time.js'
import { everyMinute, PromqlBench } from '../../../support/promql.js'

const NS = { id: 'promql', retention: { ...DEFAULT_RETENTION, metrics: null } } as unknown as Namespace
const BOUNDS = promqlBounds(DEFAULT_QUERY_SETTINGS)
const NATIVE: NativeHistogram = {
  ...{ schema: 0, count: 7, sum: 1, zeroThreshold: 0, zeroCount: 7 },
  ...{ positive: NO_BUCKETS, negative: NO_BUCKETS, bounds: NO_BOUNDS, hint: 'unknown' }
}

const many = Array.from({ length: 1_001 }, (_, i) => everyMinute({ __name__: 'many', i: String(i) }, i))
const bench = new PromqlBench([
  everyMinute({ __name__: 'gauge', job: 'b' }, 1, NaN, Infinity),
  everyMinute({ __name__: 'gauge', job: 'a' }, 3, 'stale', 5),
  everyMinute({ __name__: 'mixed' }, 1, NATIVE, 3),
  ...many
])

/** Draws on this thread; `forms` receives the requested forms of the responses. */
async function draw(
  requested: PromqlChartQuery,
  maxBytes = 1_000_000
): Promise<{ readonly result: PromqlChartResult; readonly forms: readonly unknown[] }> {
  const forms: unknown[] = []
  const chart = new PromqlChart({
    clock: new ManualTime(180_000),
    settings: DEFAULT_QUERY_SETTINGS,
    promql: {
      parse: query => readQuery(query, BOUNDS),
      run: async (_ns, request) => {
        forms.push(request.form)
        const result = await bench.run(request.query as string, request.steps)
        return (request.form === 'grid' ? writeGrid : writeResult)(request, result, maxBytes)
      }
    }
  })
  return { result: await chart.draw(NS, requested, new AbortController().signal), forms }
}

const THREE_MINUTES = { window: { start: '1970-01-01T00:00:00Z', end: '1970-01-01T00:03:00Z' }, step: '1m' }

describe('a chart of PromQL', () => {
  it('takes its numbers as a grid, which costs this thread no text to read', async () => {
    const lines = await draw({ query: 'gauge', ...THREE_MINUTES })
    const samples = await draw({ query: 'gauge', at: '1970-01-01T00:02:00Z' })
    expect([...lines.forms, ...samples.forms]).toEqual(['grid', 'grid'])
  })

  it('sorts its lines by labels, keeps NaN and infinities, and leaves gaps', async () => {
    const { result } = await draw({ query: 'gauge', ...THREE_MINUTES })
    expect(result).toMatchObject({
      kind: 'lines',
      complete: true,
      warnings: [],
      series: [
        { metric: 'gauge', labels: [{ name: 'job', value: 'a' }], values: [3, null, 5] },
        { metric: 'gauge', labels: [{ name: 'job', value: 'b' }], values: [1, NaN, Infinity] }
      ]
    })
  })

  it('gives the values of one time in the order of the query', async () => {
    const { result } = await draw({ query: 'sort_desc(gauge)', at: '1970-01-01T00:00:00Z' })
    expect(result).toMatchObject({ kind: 'samples', samples: [{ value: 3, timestampNs: 0n }, { value: 1 }] })
  })

  it('gives a number a line without labels, and at one time the number', async () => {
    const line = await draw({ query: 'time()', ...THREE_MINUTES })
    expect(line.result).toMatchObject({ series: [{ metric: null, labels: [], values: [0, 60, 120] }] })
    const number = await draw({ query: 'time()', at: '1970-01-01T00:02:00Z' })
    expect(number.result).toMatchObject({ kind: 'number', value: 120, timestampNs: 120_000_000_000n })
  })

  it('leaves native histograms out and reports it', async () => {
    const warnings = [expect.stringContaining('native histograms are not drawn')]
    const { result } = await draw({ query: 'mixed', ...THREE_MINUTES })
    expect(result).toMatchObject({ complete: false, warnings, series: [{ values: [1, null, 3] }] })
    const samples = await draw({ query: 'mixed', at: '1970-01-01T00:01:00Z' })
    expect(samples.result).toMatchObject({ complete: false, warnings, samples: [] })
  })

  it('ends at 1,000 series and reports it', async () => {
    const stated = { complete: false, warnings: ['results truncated due to limit'] }
    const { result } = await draw({ query: 'many', ...THREE_MINUTES })
    expect(result).toMatchObject(stated)
    expect(result.kind === 'lines' && result.series.length).toBe(1_000)
    expect((await draw({ query: 'many{i!="0"}', ...THREE_MINUTES })).result.complete).toBe(true)
    expect((await draw({ query: 'many', at: '1970-01-01T00:00:00Z' })).result).toMatchObject(stated)
  })

  it('holds exactly at the bound of bytes', async () => {
    // Three steps of nine bytes and the name of the metric.
    const bytes = 3 * 9 + 24 + 2 * '__name__mixed'.length
    await expect(draw({ query: 'mixed', ...THREE_MINUTES }, bytes)).resolves.toBeDefined()
    await expect(draw({ query: 'mixed', ...THREE_MINUTES }, bytes - 1)).rejects.toMatchObject({ code: 'query_unsupported' })
  })
})
