import { beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { seededRandom } from '../../bench/generate/random.js'
import { encodeHistogram } from '../../src/domain/native-histogram/encode.js'
import { NO_BOUNDS } from '../../src/domain/native-histogram/native-histogram.js'
import type { SeriesSamples } from '../../src/domain/metric-point.js'
import type { SampleWindows, SelectRequest } from '../../src/ports/metric-store.js'
import { windowSamples } from '../../src/stores/metrics/window-samples.js'
import { toBuckets } from '../support/to-buckets.js'
import { select, type Sketch, store } from './metric-fixtures.js'
import { BASE_NS, describeStores, newNamespace, type OpenStores } from './store-under-test.js'

const NS_PER_MS = 1_000_000n
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SPAN_MINUTES = 2 * 24 * 60
/** The full hour with which they begin. */
const FIRST_MS = Math.floor(Number(BASE_NS / NS_PER_MS) / HOUR_MS) * HOUR_MS - SPAN_MINUTES * MINUTE_MS
const FIRST_NS = BigInt(FIRST_MS) * NS_PER_MS
const ALL = { startNs: FIRST_NS - 1n, endNs: FIRST_NS + BigInt(SPAN_MINUTES * MINUTE_MS) * NS_PER_MS }
const BATCHES = 3
const PER_BATCH = 1_500

const HISTOGRAM = encodeHistogram({
  ...{ schema: 0, count: 3, sum: 5, zeroThreshold: 0.001, zeroCount: 0, hint: 'unknown' },
  ...{ positive: toBuckets([[1, 3]]), negative: toBuckets([]), bounds: NO_BOUNDS }
})
/** Its bits are those of a mark only as long as it is in such an array. */
const STALE = new Float64Array(BigUint64Array.of(0x7ff0000000000002n).buffer)
/** What some hosts sometimes report in addition to numbers; the first two report numbers only, one of them below zero. */
const ODD: readonly (readonly (number | 'histogram' | 'stale')[])[] = [
  [],
  [],
  [Number.NaN, 'stale'],
  [Infinity, -Infinity, 1.1e-15],
  ['histogram', Number.NaN]
]

/** Two days of some hosts, a sample in three minutes, some between milliseconds; a time comes again only in a later batch. */
function sketches(seed: number): readonly Sketch[] {
  const random = seededRandom(seed)
  const found = new Map<string, Sketch>()
  for (let i = 0; i < PER_BATCH; i++) {
    const host = random.below(ODD.length)
    const ns = FIRST_NS + BigInt(random.below(SPAN_MINUTES) * MINUTE_MS) * NS_PER_MS - BigInt(random.below(3) * 300)
    const at = Number(ns - BASE_NS)
    const odd = ODD[host]!
    const special = odd.length > 0 && random.below(12) === 0 ? odd[random.below(odd.length)]! : null
    const value = random.below(7) - (host === 1 ? 9 : 3)
    const sketch = { labels: { host: `h${host}` }, at, value: typeof special === 'number' ? special : value }
    const key = `${host} ${at}`
    if (special === 'stale') found.set(key, { ...sketch, value: STALE[0]! })
    else found.set(key, special === 'histogram' ? { ...sketch, value: Number.NaN, histogram: HISTOGRAM } : sketch)
  }
  return [...found.values()]
}

const keeps = fc.constantFrom<SampleWindows['keep']>('all', 'first', 'last', 'highest', 'lowest', 'count', 'sum', 'mean')
const steps = fc.oneof(
  fc.constantFrom(1_000, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS),
  fc.integer({ min: 1, max: 5 * HOUR_MS })
)
const windowsArbitrary = fc
  .record({
    firstEndMs: fc.integer({ min: -2 * HOUR_MS, max: 12 * HOUR_MS }),
    onMinute: fc.boolean(),
    stepMs: steps,
    share: fc.constantFrom(1, 1, 0.999, 0.5, 0.1),
    keep: keeps,
    isTimeFree: fc.boolean()
  })
  .map(({ firstEndMs, onMinute, stepMs, share, keep, isTimeFree }): SampleWindows => {
    const endMs = FIRST_MS + (onMinute ? Math.round(firstEndMs / MINUTE_MS) * MINUTE_MS : firstEndMs)
    const lengthMs = Math.max(1, Math.round(stepMs * share))
    return { firstEndMs: endMs, stepMs, lengthMs, keep, ...(isTimeFree && { isTimeFree }) }
  })
const rangeArbitrary = fc.oneof(
  fc.constantFrom(ALL, { ...ALL, startNs: -1n }),
  fc
    .record({
      from: fc.integer({ min: -9 * HOUR_MS, max: 20 * HOUR_MS }),
      to: fc.integer({ min: 21 * HOUR_MS, max: 50 * HOUR_MS })
    })
    .map(({ from, to }) => ({ startNs: FIRST_NS + BigInt(from) * NS_PER_MS, endNs: FIRST_NS + BigInt(to) * NS_PER_MS }))
)

/** Where nothing depends on times, windows in their place. */
function comparable(series: readonly SeriesSamples[], { isTimeFree, firstEndMs, stepMs }: SampleWindows): unknown {
  return series.map(one => {
    const { name, labels, type, timestampsNs, values, histograms, isAggregated = false } = one
    const isFree = isTimeFree === true && histograms === undefined && !isAggregated
    const times = Array.from(timestampsNs, ns => (isFree ? 0 + Math.ceil((Number(ns / NS_PER_MS) - firstEndMs) / stepMs) : ns))
    const bits = isAggregated ? [...values] : [...new BigInt64Array(values.slice().buffer)]
    return {
      name,
      labels,
      type,
      times,
      bits: histograms === undefined ? bits : bits.length,
      histograms: [...(histograms ?? [])],
      isAggregated
    }
  })
}

/** What windows need of a series of which everything is known: all where a histogram is in any of them. */
function thinned(one: SeriesSamples, windows: SampleWindows): SeriesSamples {
  const { histograms, ...numbers } = one
  const places = { ...numbers, values: Float64Array.from(one.values, (_, i) => i) }
  const within = windowSamples(places, { ...windows, keep: 'all' }).values
  return within.some(i => histograms?.has(i)) ? one : windowSamples(numbers, windows)
}

/** Whether a series with histograms was given whole, which is allowed also where none of them is in a window. */
function isWhole(one: SeriesSamples, given: readonly SeriesSamples[]): boolean {
  const key = JSON.stringify([one.name, one.labels])
  const found = given.find(({ name, labels }) => JSON.stringify([name, labels]) === key)
  return one.histograms !== undefined && found?.values.length === one.values.length
}

const total = (series: readonly SeriesSamples[]): number => series.reduce((sum, { values }) => sum + values.length, 0)

/** `SampleWindows` of `select`: what no window needs is left out, and nothing else. */
export function windowsContract(name: string, open: OpenStores, numRuns: number): void {
  describeStores(`${name}: windows of long ranges`, open, of => {
    const ns = newNamespace()
    const read = (more: Partial<SelectRequest>) => select(of().metrics, ns, { maxSamples: 1e6, ...more })
    beforeAll(async () => {
      for (let seed = 1; seed <= BATCHES; seed++) await store(of().metrics, ns, sketches(seed))
    }, 60_000)

    it('leaves out what windows do not need, whatever they are', async () => {
      await fc.assert(
        fc.asyncProperty(windowsArbitrary, rangeArbitrary, async (windows, range) => {
          const whole = await read({ range })
          const given = await read({ range, windows })
          const expected = whole
            .map(one => (isWhole(one, given) ? one : thinned(one, windows)))
            .filter(({ values }) => values.length > 0)
          expect(comparable(given, windows)).toEqual(comparable(expected, windows))
        }),
        { numRuns }
      )
    }, 120_000)

    it('gives marks of ended series as they are', async () => {
      const whole = await read({ range: ALL, matchers: [{ name: 'host', op: 'eq', value: 'h2' }] })
      expect(new BigUint64Array(whole[0]!.values.slice().buffer)).toContain(0x7ff0000000000002n)
    })

    it('counts what is left for the bound of samples, and the rows of each series by themselves', async () => {
      const matchers = [
        { name: '__name__', op: 'eq', value: 'cpu' },
        { name: 'host', op: 'regex', value: 'h[0-3]' }
      ] as const
      const range = ALL
      const windows = { firstEndMs: FIRST_MS, stepMs: 7 * MINUTE_MS, lengthMs: 7 * MINUTE_MS, keep: 'mean' } as const
      const whole = await read({ matchers, range })
      const longest = Math.max(...whole.map(({ values }) => values.length))
      const left = await read({ matchers, range, windows })
      // Twice as many: rows of one series that were replaced may count until they are merged away.
      const bound = Math.max(2 * longest, total(left))
      expect(bound).toBeLessThan(total(whole))
      await expect(read({ matchers, range, maxSamples: bound })).rejects.toMatchObject({ code: 'query_unsupported' })
      expect(await read({ matchers, range, windows, maxSamples: bound })).toEqual(left)
      const maxSamples = Math.min(total(left), longest) - 1
      await expect(read({ matchers, range, windows, maxSamples })).rejects.toMatchObject({ code: 'query_unsupported' })
    })
  })
}
