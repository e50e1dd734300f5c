import { expect, it } from '@jest/globals'
import type { Namespace } from '../../../src/domain/namespace.js'
import type { MetricStore } from '../../../src/ports/metric-store.js'
import { MetricQuery } from '../../../src/query/metric-query.js'
import { writeGrid } from '../../../src/query/promql/grid-bytes.js'
import type { PromqlJob } from '../../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import { ManualTime } from '../../support/manual-time.js'

// Limits of one query about metrics. The store here finds nothing.

const NS = { id: 'n', retention: { metrics: null } } as unknown as Namespace
const NEVER = new AbortController().signal
const EMPTY = { type: 'vector', value: { type: 'vector', series: [] }, warnings: [], infos: [] } as const

const metrics: Partial<MetricStore> = {
  series: async () => ({ series: [], hasMore: false }),
  metrics: async () => ({ metrics: [], hasMore: false })
}
const threads = { run: async ({ request }: PromqlJob) => writeGrid(request, EMPTY, 1_000) }
const deps = { clock: new ManualTime(), settings: DEFAULT_QUERY_SETTINGS, threads }
const query = new MetricQuery({ ...deps, metrics: metrics as MetricStore })

const lines = (count: number) => Array.from({ length: count }, () => ({ metric: 'queue', aggregation: 'avg' as const }))

it('a chart has 1 to 20 lines', async () => {
  expect((await query.range(NS, { lines: lines(20) }, NEVER)).series).toEqual([])
  for (const count of [0, 21]) {
    await expect(query.range(NS, { lines: lines(count) }, NEVER)).rejects.toMatchObject({ code: 'invalid_field' })
  }
})

it('a query has 32 conditions on labels', async () => {
  const match = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `l${i}`, op: 'eq' as const, value: 'a' }))
  expect((await query.series(NS, { match: match(32) }, NEVER)).series).toEqual([])
  await expect(query.series(NS, { match: match(33) }, NEVER)).rejects.toMatchObject({ code: 'invalid_field' })
})

it('lists have at most 1,000 entries', async () => {
  expect((await query.catalog(NS, { limit: 1_000 }, NEVER)).metrics).toEqual([])
  await expect(query.catalog(NS, { limit: 1_001 }, NEVER)).rejects.toMatchObject({ code: 'invalid_field' })
  await expect(query.series(NS, { limit: 1_001 }, NEVER)).rejects.toMatchObject({ code: 'invalid_field' })
})
