import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { encodeHistogram } from '../../../src/domain/native-histogram/encode.js'
import { NO_BOUNDS } from '../../../src/domain/native-histogram/native-histogram.js'
import type { IngestId, NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint, SeriesSamples } from '../../../src/domain/metric-point.js'
import type { MetricStore, SampleWindows } from '../../../src/ports/metric-store.js'
import { cachedSelects } from '../../../src/stores/metrics/cached-selects.js'
import { PlainStore } from '../../support/plain-store.js'
import { toBuckets } from '../../support/to-buckets.js'

const NS = 'n1' as NamespaceId
const NEVER = new AbortController().signal
const NS_PER_MS = 1_000_000n
const HISTOGRAM = encodeHistogram({
  ...{ schema: 0, count: 3, sum: 5, zeroThreshold: 0.001, zeroCount: 0, hint: 'unknown' },
  ...{ positive: toBuckets([[1, 3]]), negative: toBuckets([]), bounds: NO_BOUNDS }
})

function open(): { readonly plain: PlainStore; readonly cached: MetricStore } {
  const plain = new PlainStore()
  return { plain, cached: cachedSelects(plain as unknown as MetricStore, 1e6, { monotonicMs: () => 0 }) }
}

function point(series: string, ms: number, value: number | 'histogram'): MetricPoint {
  const labels = [{ name: 's', value: series }]
  const sample = value === 'histogram' ? { value: Number.NaN, histogram: HISTOGRAM } : { value }
  return { index: 0, name: 'm', type: 'gauge', labels, timestampNs: BigInt(ms) * NS_PER_MS, ...sample }
}

function write(store: Pick<MetricStore, 'append'>, ...points: readonly MetricPoint[]) {
  return store.append(NS, { ingestId: 'i' as IngestId, items: points })
}

/** Windows of a query's steps, as the planning of reads makes them, and the range from the first to the last. */
interface Query {
  readonly firstEndMs: number
  readonly count: number
  readonly stepMs: number
  readonly lengthMs: number
  readonly keep: SampleWindows['keep']
  /** What the range begins earlier or ends later than the windows. */
  readonly off?: readonly [number, number]
}

function request(
  store: Pick<MetricStore, 'select'>,
  { firstEndMs, count, off = [0, 0], ...rest }: Query
): Promise<readonly SeriesSamples[]> {
  const endMs = firstEndMs + (count - 1) * rest.stepMs
  const startNs = BigInt(firstEndMs - rest.lengthMs + 1 - off[0]) * NS_PER_MS
  const range = { startNs, endNs: BigInt(endMs + 1 + off[1]) * NS_PER_MS }
  const matchers = [{ name: '__name__', op: 'eq', value: 'm' } as const]
  return store.select(NS, { matchers, range, maxSeries: 10, maxSamples: 1_000, windows: { firstEndMs, ...rest } }, NEVER)
}

const HOURLY: Query = { firstEndMs: 10, count: 5, stepMs: 10, lengthMs: 4, keep: 'last' }
/** The ends of ten windows of it, and a sample in each and next to each. */
const SAMPLES = Array.from({ length: 40 }, (_, i) => point('a', 5 + 3 * i, i))

describe('what selectors read last of some windows', () => {
  it('is read once, and later only the windows that are new, as a dashboard moves on', async () => {
    const { plain, cached } = open()
    await write(cached, ...SAMPLES)
    for (const firstEndMs of [10, 10, 20, 50]) {
      expect(await request(cached, { ...HOURLY, firstEndMs })).toEqual(await request(plain, { ...HOURLY, firstEndMs }))
    }
    await request(cached, { ...HOURLY, firstEndMs: 20, count: 3 })
    expect(plain.requested.filter((_, i) => [0, 3, 5].includes(i))).toEqual(['7-51', '51-61', '61-91'])
    expect(plain.requested).toHaveLength(7)
  })

  it('is read again from the window of a late sample on', async () => {
    const { plain, cached } = open()
    await write(cached, ...SAMPLES)
    await request(cached, HOURLY)
    await write(cached, point('a', 29, -1))
    expect((await request(cached, HOURLY))[0]!.values).toContain(-1)
    // Behind all windows, and between two.
    await write(cached, point('a', 51, -1), point('a', 45, -1))
    await request(cached, HOURLY)
    await write(cached, point('a', 51, -1))
    await request(cached, HOURLY)
    expect(plain.requested).toEqual(['7-51', '21-51', '41-51'])
  })

  it('is of no use to other windows, to other steps, nor to ranges that cut a window', async () => {
    const { plain, cached } = open()
    await write(cached, ...SAMPLES)
    await request(cached, HOURLY)
    const others: readonly Partial<Query>[] = [
      ...[
        { keep: 'first' },
        { keep: 'sum' },
        { stepMs: 5 },
        { lengthMs: 5 },
        { firstEndMs: 11 },
        { off: [1, 0] },
        { off: [-1, 0] }
      ],
      ...[{ off: [0, 1] }, { off: [0, -1] }, { off: [10, 0] }]
    ] as readonly Partial<Query>[]
    for (const other of others) {
      expect(await request(cached, { ...HOURLY, ...other })).toEqual(await request(plain, { ...HOURLY, ...other }))
    }
    expect(plain.requested).toHaveLength(1 + 2 * others.length)
  })

  it('is forgotten with what is deleted', async () => {
    const { plain, cached } = open()
    await write(cached, ...SAMPLES)
    await request(cached, HOURLY)
    await cached.deleteBefore(NS, 30n * NS_PER_MS)
    expect(await request(cached, HOURLY)).toEqual(await request(plain, HOURLY))
  })

  it('goes only with numbers: a series with histograms is given whole', async () => {
    const { plain, cached } = open()
    await write(cached, ...SAMPLES)
    await request(cached, HOURLY)
    await write(cached, point('a', 48, 'histogram'))
    for (let i = 0; i < 2; i++) expect(await request(cached, HOURLY)).toEqual(await request(plain, HOURLY))
    const later = { ...HOURLY, firstEndMs: 60 }
    for (let i = 0; i < 2; i++) expect(await request(cached, later)).toEqual(await request(plain, later))
  })

  it('is what the store would return, whatever is written, deleted and read', async () => {
    const value = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -9, max: 9 }) },
      { weight: 1, arbitrary: fc.constant('histogram' as const) }
    )
    const points = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 60 }), value), {
      minLength: 1,
      maxLength: 6
    })
    const writes = fc.record({ points })
    const deletions = fc.record({ beforeMs: fc.integer({ min: 0, max: 40 }) })
    const queries = fc.record({
      firstEndMs: fc.integer({ min: 0, max: 40 }),
      count: fc.integer({ min: 1, max: 6 }),
      stepMs: fc.constantFrom(4, 10),
      lengthMs: fc.constantFrom(1, 4),
      keep: fc.constantFrom('last' as const, 'sum' as const)
    })
    const step = fc.oneof(
      { weight: 3, arbitrary: writes },
      { weight: 1, arbitrary: deletions },
      { weight: 9, arbitrary: queries }
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const { plain, cached } = open()
        for (const one of steps) {
          if ('points' in one) await write(cached, ...one.points.map(([series, ms, what]) => point(series, ms, what)))
          else if ('beforeMs' in one) await cached.deleteBefore(NS, BigInt(one.beforeMs) * NS_PER_MS)
          else expect(await request(cached, one)).toEqual(await request(plain, one))
        }
      }),
      { numRuns: 500 }
    )
  })
})
