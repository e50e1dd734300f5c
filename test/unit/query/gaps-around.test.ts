import { expect, it } from '@jest/globals'
import type { Namespace } from '../../../src/domain/namespace.js'
import { PromqlQuery } from '../../../src/query/promql/promql-query.js'
import type { PromqlJob } from '../../../src/query/promql/promql-threads.js'
import { MetricQuery } from '../../../src/query/metric-query.js'
import { writeGrid } from '../../../src/query/promql/grid-bytes.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import type { MetricStore } from '../../../src/ports/metric-store.js'
import { ManualTime } from '../../support/manual-time.js'
import { warningSentence } from '../../../src/domain/warning.js'

const NS = { id: 'n', retention: { metrics: null } } as unknown as Namespace
const WAITS = '3 metric points are spooled'

/** A store whose spool drains while it reads. */
function drainingMetrics(): MetricStore {
  let waiting: readonly string[] = [WAITS]
  return {
    select: async () => {
      waiting = []
      return []
    },
    metrics: async () => ({ metrics: [], hasMore: false }),
    gaps: () => waiting
  } as Partial<MetricStore> as MetricStore
}

/** Threads that evaluate nothing, and note what was reported as missing. */
function threadsNoting(noted: string[]): { run(job: PromqlJob): Promise<Uint8Array> } {
  return {
    run: async ({ request, reads, select, signal, gaps }) => {
      for (const read of reads) await select(read, signal)
      noted.push(...(gaps?.() ?? []).map(warningSentence))
      return writeGrid(request, { type: 'vector', value: { type: 'vector', series: [] }, warnings: [], infos: [] }, 1_000)
    }
  }
}

it('PromQL names what waited when its reads began, though it was stored before their end', async () => {
  const noted: string[] = []
  const parts = { metrics: drainingMetrics(), clock: new ManualTime(), settings: DEFAULT_QUERY_SETTINGS }
  const query = new PromqlQuery({ ...parts, threads: threadsNoting(noted) })
  const steps = { startMs: 0, stepMs: 60_000, count: 1 }
  await query.run(NS, { query: 'a + b', steps, isRange: true }, new AbortController().signal)
  expect(noted).toEqual([WAITS])
})

it('charts name what waited when their reads began', async () => {
  const parts = { metrics: drainingMetrics(), clock: new ManualTime(), settings: DEFAULT_QUERY_SETTINGS }
  const query = new MetricQuery({ ...parts, threads: threadsNoting([]) })
  const lines = [{ metric: 'queue', aggregation: 'avg' as const }]
  expect(await query.range(NS, { lines }, new AbortController().signal)).toMatchObject({
    complete: false,
    warnings: expect.arrayContaining([WAITS])
  })
})
