import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { seededRandom } from '../../bench/generate/random.js'
import { encodeHistogram } from '../../src/domain/native-histogram/encode.js'
import { NO_BOUNDS } from '../../src/domain/native-histogram/native-histogram.js'
import type { MetricPoint, SeriesSamples } from '../../src/domain/metric-point.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SampleWindows, SelectRequest } from '../../src/ports/metric-store.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { windowSamples } from '../../src/stores/metrics/window-samples.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { NEVER } from '../contract/store-under-test.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'
import { toBuckets } from '../support/to-buckets.js'

// What the engine leaves out of a long range is what no window needs, in both tiers, replaced samples and all.

const NS_PER_MS = 1_000_000n
const NOON_MS = Number(NOON_NS / NS_PER_MS)
const SPAN_MS = 7_200_000
const SERIES = 5
const BATCHES = 8
const PER_BATCH = 400
/** Nearly everything is sealed, in many files. */
const SEALING = { sealRows: 500, minSegmentRows: 1, maxWaitingRows: 1, upkeepIntervalMs: 50 }
const CPU = [{ name: '__name__', op: 'eq', value: 'cpu_usage' }] as const

const HISTOGRAM = encodeHistogram({
  ...{ schema: 0, count: 3, sum: 5, zeroThreshold: 0.001, zeroCount: 0, hint: 'unknown' },
  ...{ positive: toBuckets([[1, 3]]), negative: toBuckets([]), bounds: NO_BOUNDS }
})

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

/**
 * Times that come again, between milliseconds too; numbers, NaNs, and in one series some histograms. Within a batch no time
 * comes twice: which of two such points stays is arbitrary, and may be another once they are sealed.
 */
function randomPoints(seed: number): readonly MetricPoint[] {
  const random = seededRandom(seed)
  const points = Array.from({ length: PER_BATCH }, (_, i) => {
    const host = random.below(SERIES)
    const timestampNs = NOON_NS + BigInt(random.below(SPAN_MS / 1000)) * 1000n * NS_PER_MS - BigInt(random.below(3) * 300)
    const value = random.below(9) === 0 ? Number.NaN : random.below(7) - 3
    const hasHistogram = host === 0 && random.below(40) === 0
    const labels = [{ name: 'host', value: `h${host}` }]
    return testPoint(i, { labels, timestampNs, value, ...(hasHistogram && { histogram: HISTOGRAM }) })
  })
  return [...new Map(points.map(point => [`${point.labels[0]!.value} ${point.timestampNs}`, point])).values()]
}

beforeAll(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path, { limits: SEALING })
  for (let seed = 1; seed <= BATCHES; seed++)
    await stores.metrics.append(NS, { ingestId: nextIngestId(), items: randomPoints(seed) })
}, 60_000)
afterAll(async () => {
  await stores?.close()
  await folder.remove()
})

function select(more: Partial<SelectRequest> = {}): Promise<readonly SeriesSamples[]> {
  return stores.metrics.select(NS, { matchers: CPU, range: ALL_TIME, maxSeries: 100, maxSamples: 1e6, ...more }, NEVER)
}

const total = (series: readonly SeriesSamples[]): number => series.reduce((sum, { values }) => sum + values.length, 0)

it.each<SampleWindows>([
  { firstEndMs: NOON_MS, stepMs: 600_000, lengthMs: 60_000, keep: 'all' },
  { firstEndMs: NOON_MS + 30_000, stepMs: 300_000, lengthMs: 299_999, keep: 'last' },
  { firstEndMs: NOON_MS - 1, stepMs: 120_000, lengthMs: 120_000, keep: 'highest' },
  { firstEndMs: NOON_MS + 7, stepMs: 900_000, lengthMs: 500_000, keep: 'lowest' },
  { firstEndMs: NOON_MS + 999, stepMs: 1_000, lengthMs: 1, keep: 'first' },
  { firstEndMs: NOON_MS, stepMs: 240_000, lengthMs: 240_000, keep: 'mean' },
  { firstEndMs: NOON_MS - 5, stepMs: 240_000, lengthMs: 100_000, keep: 'count' }
])('leaves out what these windows do not need: %j', async windows => {
  const whole = await select()
  expect(whole).toHaveLength(SERIES)
  const expected = whole.map(one => (one.histograms === undefined ? windowSamples(one, windows) : one))
  const thinned = await select({ windows })
  expect(thinned).toEqual(expected.filter(({ values }) => values.length > 0))
  expect(total(thinned)).toBeLessThan(total(whole))
})

it('leaves out no sample near the edge of a window, however late its time', async () => {
  // From 2^62 ns on, in 2116, a double holds nanoseconds to 1,024 of them only.
  const farMs = Number(2n ** 62n / NS_PER_MS) + 1
  const far = 'nsfarlongreads' as NamespaceId
  const items = [-2_000, -1_537, -1_500, -1_024, -512, -1, 0, 1, 512, 1_024].flatMap((offset, i) =>
    Array.from({ length: 16 }, (_, ms) => {
      const timestampNs = BigInt(farMs + 1_000 * ms + ms) * NS_PER_MS + BigInt(offset)
      return testPoint(i * 16 + ms, { labels: [], timestampNs, value: i })
    })
  )
  await stores.metrics.append(far, { ingestId: nextIngestId(), items })
  const request = { matchers: CPU, range: ALL_TIME, maxSeries: 100, maxSamples: 1e6 }
  const [whole] = await stores.metrics.select(far, request, NEVER)
  for (let ms = 0; ms < 16; ms++) {
    const windows = { firstEndMs: farMs + ms, stepMs: 1_000, lengthMs: 1, keep: 'all' } as const
    const thinned = await stores.metrics.select(far, { ...request, windows }, NEVER)
    expect(thinned).toEqual([windowSamples(whole!, windows)])
  }
})

it('keeps to the bound of samples by what is left of them, and reads series in parts', async () => {
  const windows = { firstEndMs: NOON_MS, stepMs: SPAN_MS, lengthMs: SPAN_MS, keep: 'last' } as const
  const matchers = [...CPU, { name: 'host', op: 'neq', value: 'h0' }] as const
  const whole = await select({ matchers })
  const longest = Math.max(...whole.map(({ values }) => values.length))
  const left = await select({ matchers, windows })
  await expect(select({ matchers, maxSamples: longest })).rejects.toMatchObject({ code: 'query_unsupported' })
  // Replaced rows of one series count until they are merged away.
  expect(await select({ matchers, windows, maxSamples: 2 * longest })).toEqual(left)
  await expect(select({ matchers, windows, maxSamples: total(left) })).rejects.toMatchObject({ code: 'query_unsupported' })
})
