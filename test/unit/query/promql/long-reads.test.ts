import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../../src/domain/errors.js'
import { NO_BOUNDS, type NativeHistogram } from '../../../../src/domain/native-histogram/native-histogram.js'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import type { SeriesSamples } from '../../../../src/domain/metric-point.js'
import { runQuery, planRequest } from '../../../../src/query/promql/run-query.js'
import type { Steps } from '../../../../src/query/promql/evaluate/values.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../../../src/query/promql/promql-error.js'
import { promqlBounds } from '../../../../src/query/promql/promql-query.js'
import { writeResult } from '../../../../src/query/promql/result-json.js'
import { packSeries, unpackSeries } from '../../../../src/query/promql/series-message.js'
import type { SampleWindows } from '../../../../src/ports/metric-store.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'
import { windowSamples } from '../../../../src/stores/metrics/window-samples.js'
import { ORACLE_QUERIES } from '../../../oracle/queries.js'
import { END_MS, oracleWorld } from '../../../oracle/world.js'
import { type FixedSeries, fixedMetrics } from '../../../support/fixed-metrics.js'
import { toBuckets } from '../../../support/to-buckets.js'

// For every query, a store that leaves out what no window needs gives the response of one that gives all.

const NS = 'long' as NamespaceId
const NEVER = new AbortController().signal
const HOUR_MS = 3_600_000

function histogramOf(count: number): NativeHistogram {
  const buckets = { positive: toBuckets([[1, count]]), negative: toBuckets([]), bounds: NO_BOUNDS }
  return { schema: 0, count, sum: 2 * count, zeroThreshold: 0.001, zeroCount: 0, ...buckets, hint: 'not_reset' }
}

/** A series in which numbers and native histograms follow each other, as after a change of the sender. */
const MIXED: FixedSeries = {
  labels: { __name__: 'heat', host: 'mixed' },
  samples: Array.from({ length: 240 }, (_, i) => {
    return [END_MS - HOUR_MS + i * 15_000, i % 7 < 3 ? i : histogramOf(i + 1)] as const
  })
}
const STORE = fixedMetrics([...oracleWorld(), MIXED].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))

function keyOf({ labels: { __name__: name = '', ...others } }: FixedSeries): string {
  return name + JSON.stringify(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Found = ReturnType<typeof STORE.select>
const known = new Map<string, Found>()

/** What the store has; the same query is sent again and again. */
function wholeOf({ matchers, range }: Pick<Parameters<typeof STORE.select>[1], 'matchers' | 'range'>): Found {
  const key = JSON.stringify([matchers, String(range.startNs), String(range.endNs)])
  const found = known.get(key) ?? STORE.select(NS, { matchers, range, maxSeries: 100, maxSamples: 1e6 }, NEVER)
  known.set(key, found)
  return found
}

/** Where nothing depends on times (`isTimeFree`), a sample that is alone in its window is moved to the window's start. */
function atOtherTimes(samples: SeriesSamples, { isTimeFree, firstEndMs, stepMs, lengthMs }: SampleWindows): SeriesSamples {
  if (isTimeFree !== true) return samples
  const ends = Array.from(samples.timestampsNs, ns => Math.ceil((Number(ns / 1_000_000n) - firstEndMs) / stepMs) * stepMs)
  const isAlone = (i: number) => ends[i - 1] !== ends[i] && ends[i + 1] !== ends[i]
  const timestampsNs = samples.timestampsNs.map((ns, i) =>
    isAlone(i) ? BigInt(firstEndMs + ends[i]! - lengthMs + 1) * 1_000_000n : ns
  )
  return { ...samples, timestampsNs }
}

const STEPS: readonly (readonly [name: string, steps: Steps, lookbackMs: number])[] = [
  ['steps longer than every window', { startMs: END_MS - HOUR_MS, stepMs: 720_000, count: 6 }, 300_000],
  ['steps of two minutes', { startMs: END_MS - HOUR_MS + 7, stepMs: 120_000, count: 29 }, 60_000],
  ['steps as long as the lookback', { startMs: END_MS - HOUR_MS, stepMs: 90_000, count: 40 }, 90_000]
]

interface Counted {
  readonly body: string
  readonly samples: number
}

async function response(query: string, steps: Steps, lookbackMs: number, wholeReadMs: number): Promise<Counted> {
  const bounds = { ...promqlBounds(DEFAULT_QUERY_SETTINGS), wholeReadMs }
  const request = { query, steps, isRange: true, lookbackMs }
  let samples = 0
  try {
    const plan = planRequest(request, bounds)
    const found = await Promise.all(
      plan.reads.list.map(async ({ matchers, range, windows }) => {
        const whole = await wholeOf({ matchers, range })
        const given: readonly SeriesSamples[] = whole.map(one =>
          windows === undefined || one.histograms !== undefined ? one : atOtherTimes(windowSamples(one, windows), windows)
        )
        for (const { values } of given) samples += values.length
        return unpackSeries(packSeries(given))
      })
    )
    const responded = runQuery(request, plan, { bounds, found, stop: () => null })
    return { body: Buffer.from(writeResult(request, responded, bounds.maxResultBytes)).toString(), samples }
  } catch (error) {
    const isExpected =
      error instanceof PromqlBadQuery || error instanceof PromqlExecutionError || isGatewayError(error, 'invalid_query')
    if (isExpected) return { body: error.message, samples }
    throw error
  }
}

describe.each(STEPS)('%s', (_, steps, lookbackMs) => {
  it('gives the same response to every query, from fewer samples', async () => {
    let [thinned, whole] = [0, 0]
    for (const query of ORACLE_QUERIES) {
      const all = await response(query, steps, lookbackMs, Infinity)
      const some = await response(query, steps, lookbackMs, 0)
      expect([query, some.body]).toEqual([query, all.body])
      whole += all.samples
      thinned += some.samples
    }
    expect(thinned).toBeLessThan(0.75 * whole)
  })
})

it('requests windows only beyond the range that is read whole, and of each selector by itself', () => {
  const bounds = { ...promqlBounds(DEFAULT_QUERY_SETTINGS), wholeReadMs: HOUR_MS }
  const steps = { startMs: 0, stepMs: 600_000, count: 7 }
  const windowsOf = (query: string) =>
    planRequest({ query, steps, isRange: true }, bounds).reads.list.map(({ windows }) => windows)
  const ofStep = { firstEndMs: 0, stepMs: 600_000 }
  expect(windowsOf('x')).toEqual([{ ...ofStep, lengthMs: 300_000, keep: 'last', isTimeFree: true }])
  expect(windowsOf('timestamp(x)')).toEqual([{ ...ofStep, lengthMs: 300_000, keep: 'last' }])
  expect(windowsOf('max_over_time(x[10m] offset 1m)')).toEqual([
    { firstEndMs: -60_000, stepMs: 600_000, lengthMs: 600_000, keep: 'highest', isTimeFree: true }
  ])
  expect(windowsOf('rate(x[1m]) / rate(x[10m])')).toEqual([{ ...ofStep, lengthMs: 60_000, keep: 'all' }, undefined])
  expect(windowsOf('ts_of_first_over_time(x[10m])')).toEqual([{ ...ofStep, lengthMs: 600_000, keep: 'first' }])
  expect(windowsOf('avg_over_time(x[10m])')).toEqual([{ ...ofStep, lengthMs: 600_000, keep: 'mean' }])
  expect(windowsOf('quantile_over_time(0.5, x[10m])')).toEqual([undefined])
  expect(windowsOf('max_over_time(x[11m]) + x @ 5')).toEqual([undefined, undefined])
  expect(windowsOf('max_over_time(x[1h:20m])')).toEqual([
    { firstEndMs: -2_400_000, stepMs: 1_200_000, lengthMs: 300_000, keep: 'last', isTimeFree: true }
  ])
  const shorter = planRequest({ query: 'x', steps: { ...steps, count: 6 }, isRange: true }, bounds)
  expect(shorter.reads.list.map(({ windows }) => windows)).toEqual([undefined])
})
