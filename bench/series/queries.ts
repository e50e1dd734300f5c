import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { Clock } from '../../src/ports/clock.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { PromqlQuery } from '../../src/query/promql/promql-query.js'
import { PromqlSeries } from '../../src/query/promql/promql-series.js'
import { PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import { percentile } from '../load/latencies.js'
import type { Row } from '../report.js'
import { SCRAPE_S } from './points.js'

const S_NS = 1_000_000_000n
const HOUR_S = 3_600
const THREADS = 3
const NEVER = new AbortController().signal

export const clock: Clock = {
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now()
}

/** The target of the queries, and where the data ends. */
export interface QueryTarget {
  readonly metrics: MetricStore
  readonly ns: NamespaceId
  readonly endS: number
}

interface SeriesQuery {
  readonly name: string
  readonly run: () => Promise<number>
}

function seriesQueries({ metrics, ns, endS }: QueryTarget, threads: PromqlThreads): readonly SeriesQuery[] {
  // As an installation with many series sets it.
  const settings = { ...DEFAULT_QUERY_SETTINGS, maxSeries: 200_000 }
  const namespace = { id: ns, name: 'bench', retention: DEFAULT_RETENTION } as Namespace
  const promql = new PromqlQuery({ metrics, clock, settings, threads })
  const series = new PromqlSeries({ metrics, clock, settings })
  const range = { startNs: BigInt(endS - HOUR_S) * S_NS, endNs: BigInt(endS + 1) * S_NS }
  const values =
    (label: string, ...selectors: readonly string[]) =>
    async () =>
      (await series.labels(namespace, { selectors, range }, label, NEVER)).values.length
  const steps = { startMs: (endS - HOUR_S) * 1_000, stepMs: SCRAPE_S * 1_000, count: HOUR_S / SCRAPE_S + 1 }
  const query = (text: string) => async () => (await promql.run(namespace, { query: text, steps, isRange: true }, NEVER)).length
  const counts = { order: 'series', limit: 10, withSavings: true, hourAgoNs: range.startNs, dayAgoNs: range.startNs } as const
  return [
    { name: 'values of a label, all series', run: values('a') },
    { name: 'values of a label, one metric', run: values('b', 'x') },
    { name: 'values of a label, a regex', run: values('a', '{b=~"b1.*"}') },
    { name: 'topk(10, sum by (a) (rate(x[5m]))) over 1 h', run: query('topk(10, sum by (a) (rate(x[5m])))') },
    { name: 'sum(rate(x{a="a1"}[5m])) over 1 h', run: query('sum(rate(x{a="a1"}[5m]))') },
    { name: 'cardinality with savings', run: async () => (await metrics.cardinality(ns, counts, NEVER)).labels.length }
  ]
}

async function measure({ name, run }: SeriesQuery, repeats: number): Promise<Row> {
  const took: number[] = []
  let found = 0
  for (let turn = 0; turn <= repeats; turn++) {
    const startedAt = performance.now()
    found = await run()
    took.push(performance.now() - startedAt)
  }
  const warm = took.slice(1).sort((a, b) => a - b)
  return { query: name, 'first ms': took[0]!, 'median ms': percentile(warm, 0.5), 'max ms': warm.at(-1)!, found }
}

/** Runs each query once cold and `repeats` times warm. */
export async function measureSeriesQueries(requested: QueryTarget, repeats: number): Promise<Row[]> {
  const threads = new PromqlThreads({ count: THREADS })
  try {
    const rows: Row[] = []
    for (const query of seriesQueries(requested, threads)) rows.push(await measure(query, repeats))
    return rows
  } finally {
    await threads.close()
  }
}
