import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { isGatewayError } from '../../src/domain/errors.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { runQuery, planRequest } from '../../src/query/promql/run-query.js'
import type { Steps } from '../../src/query/promql/evaluate/values.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../src/query/promql/promql-error.js'
import { promqlBounds } from '../../src/query/promql/promql-query.js'
import { writeResult } from '../../src/query/promql/result-json.js'
import { packSeries, unpackSeries } from '../../src/query/promql/series-message.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import { ORACLE_QUERIES } from '../oracle/queries.js'
import { END_MS, oracleWorld } from '../oracle/world.js'
import { influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append } from '../support/influx-points.js'
import { fixedMetrics } from '../support/fixed-metrics.js'
import { describeOn } from '../support/servers.js'

// What InfluxDB leaves out of long ranges changes no response: all recorded queries, each read in both ways.

const HOUR_MS = 3_600_000
const NEVER = new AbortController().signal
const LOOKBACK_MS = 300_000
const STEPS: Steps = { startMs: END_MS - HOUR_MS, stepMs: 720_000, count: 6 }
const ANY_TIME = { startNs: 0n, endNs: 1n << 62n }

/** The world's samples, marks of ended series with their bits. */
async function points(): Promise<MetricPoint[]> {
  const request = { matchers: [], range: ANY_TIME, maxSeries: 1_000, maxSamples: 1e6 }
  const series = await fixedMetrics(oracleWorld()).select('oracle' as NamespaceId, request, NEVER)
  return series.flatMap(({ name, type, labels, timestampsNs, values }) =>
    Array.from(timestampsNs, (timestampNs, i) => ({ index: 0, name, type, labels, timestampNs, value: values[i]! }))
  )
}

describeOn('influx', 'recorded queries on InfluxDB', access => {
  let site: InfluxSite
  let metrics: MetricStore
  const ns = influxNamespace()
  const reads = { whole: 0, windows: 0 }

  beforeAll(async () => {
    site = await openInfluxSite(access)
    metrics = (await site.open()).metrics
    await append(metrics, ns, await points())
  })
  afterAll(() => site.close())

  async function response(query: string, wholeReadMs: number): Promise<string> {
    const bounds = { ...promqlBounds(DEFAULT_QUERY_SETTINGS), wholeReadMs }
    const promqlRequest = { query, steps: STEPS, isRange: true, lookbackMs: LOOKBACK_MS }
    try {
      const plan = planRequest(promqlRequest, bounds)
      const found = await Promise.all(
        plan.reads.list.map(async read => {
          reads[read.windows === undefined ? 'whole' : 'windows']++
          return unpackSeries(packSeries(await metrics.select(ns, { ...read, maxSeries: 1_000, maxSamples: 1e6 }, NEVER)))
        })
      )
      const responded = runQuery(promqlRequest, plan, { bounds, found, stop: () => null })
      return Buffer.from(writeResult(promqlRequest, responded, bounds.maxResultBytes)).toString()
    } catch (error) {
      const isExpected =
        error instanceof PromqlBadQuery || error instanceof PromqlExecutionError || isGatewayError(error, 'invalid_query')
      if (isExpected) return error.message
      throw error
    }
  }

  it('have the same responses, whether all of a range is read or what windows need', async () => {
    for (const query of ORACLE_QUERIES)
      expect([query, await response(query, 0)]).toEqual([query, await response(query, Infinity)])
    expect(reads.windows).toBeGreaterThan(200)
  }, 240_000)
})
