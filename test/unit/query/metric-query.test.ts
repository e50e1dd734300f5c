import { expect, it } from '@jest/globals'
import type { Namespace } from '../../../src/domain/namespace.js'
import type { MetricStore } from '../../../src/ports/metric-store.js'
import { MetricQuery } from '../../../src/query/metric-query.js'
import { writeGrid } from '../../../src/query/promql/grid-bytes.js'
import type { PromqlJob } from '../../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import { ManualTime } from '../../support/manual-time.js'

const NS = { id: 'n', retention: { metrics: null } } as unknown as Namespace

it('gives every query to the store the signal of the request, those for hints of an empty response too', async () => {
  const caller = new AbortController()
  const given: (readonly [string, AbortSignal | undefined])[] = []
  const noted = <T>(method: string, signal: AbortSignal | undefined, response: T): Promise<T> => {
    given.push([method, signal])
    return Promise.resolve(response)
  }
  const metrics: Partial<MetricStore> = {
    select: (_ns, _request, signal) => noted('select', signal, []),
    series: (_ns, _matchers, _range, _limit, signal) => noted('series', signal, { series: [], hasMore: false }),
    metrics: (_ns, _request, signal) => noted('metrics', signal, { metrics: [], hasMore: false })
  }
  const threads = {
    run: async ({ request, reads, select, signal }: PromqlJob) => {
      await select(reads[0]!, signal)
      return writeGrid(request, { type: 'vector', value: { type: 'vector', series: [] }, warnings: [], infos: [] }, 1_000)
    }
  }
  const query = new MetricQuery({
    metrics: metrics as MetricStore,
    clock: new ManualTime(),
    settings: DEFAULT_QUERY_SETTINGS,
    threads
  })
  const response = await query.range(NS, { lines: [{ metric: 'queue', aggregation: 'avg' }] }, caller.signal)
  expect(response.warnings).toEqual(['no points of metric "queue" were received'])
  await query.catalog(NS, {}, caller.signal)
  await query.metric(NS, 'queue', caller.signal)
  await query.labels(NS, {}, caller.signal)
  await query.series(NS, {}, caller.signal)
  expect(given.map(([method]) => method)).toEqual([
    'select',
    ...['metrics', 'metrics', 'metrics'],
    ...['metrics', 'metrics', 'series', 'series']
  ])
  expect(given.every(([, signal]) => signal === caller.signal)).toBe(true)
})
