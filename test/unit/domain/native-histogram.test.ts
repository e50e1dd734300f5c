import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { exponentialBound } from '../../../src/domain/native-histogram/bucket-bounds.js'
import { downscaleBuckets } from '../../../src/domain/native-histogram/downscale.js'
import { decodeHistogram, type EncodedHistogram, encodeHistogram } from '../../../src/domain/native-histogram/encode.js'
import {
  bucketsOfSpans,
  checkHistogram,
  countsOfDeltas,
  InvalidHistogram,
  MAX_BUCKETS
} from '../../../src/domain/native-histogram/from-spans.js'
import {
  CUSTOM_SCHEMA,
  equalHistograms,
  type HistogramBuckets,
  type NativeHistogram,
  NO_BOUNDS,
  NO_BUCKETS
} from '../../../src/domain/native-histogram/native-histogram.js'
import { toBuckets } from '../../support/to-buckets.js'

const EMPTY: NativeHistogram = {
  schema: 0,
  count: 0,
  sum: 0,
  zeroThreshold: 0,
  zeroCount: 0,
  positive: NO_BUCKETS,
  negative: NO_BUCKETS,
  bounds: NO_BOUNDS,
  hint: 'unknown'
}

const buckets = fc
  .dictionary(fc.integer({ min: -3000, max: 3000 }).map(String), fc.oneof(fc.integer({ min: 1 }), fc.double()), { maxKeys: 20 })
  .map(counts =>
    toBuckets(
      Object.entries(counts)
        .map(([index, count]) => [Number(index), count] as const)
        .sort(([a], [b]) => a - b)
    )
  )
const histograms: fc.Arbitrary<NativeHistogram> = fc.record({
  schema: fc.constantFrom(-53, -4, 0, 8),
  count: fc.double(),
  sum: fc.double(),
  zeroThreshold: fc.double(),
  zeroCount: fc.double(),
  positive: buckets,
  negative: buckets,
  bounds: fc.array(fc.double(), { maxLength: 10 }).map(bounds => Float64Array.from(bounds)),
  hint: fc.constantFrom('unknown', 'reset', 'not_reset', 'gauge')
})

function listOf({ indexes, counts }: HistogramBuckets): readonly (readonly [number, number])[] {
  return Array.from(indexes, (index, i) => [index, counts[i]!])
}

describe('a native histogram as text', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(histograms, histogram => {
        const back = decodeHistogram(encodeHistogram(histogram))
        expect(back.hint).toBe(histogram.hint)
        expect(equalHistograms(back, histogram)).toBe(true)
      })
    )
  })

  it('keeps counts that are not 32-bit numbers', () => {
    const positive = toBuckets([[1, Number.MAX_SAFE_INTEGER]])
    expect(decodeHistogram(encodeHistogram({ ...EMPTY, positive })).positive.counts[0]).toBe(Number.MAX_SAFE_INTEGER)
  })

  it.each([['', 'AQ==', 'AAAA']])('refuses %j', text => {
    expect(() => decodeHistogram(text as EncodedHistogram)).toThrow()
  })
})

describe('bounds of exponential buckets', () => {
  it.each([
    [0, 0, 1],
    [-1, 0, 0.5],
    [1, 1, 1.4142135623730951],
    [3, 2, 1.681792830507429],
    [5, -2, 2 ** 20],
    [1024, 0, Number.MAX_VALUE],
    [1025, 0, Infinity],
    [64, -4, Number.MAX_VALUE],
    [255, 8, 1.9945921121709402],
    [-1074, 0, 5e-324]
  ])('bucket %i of schema %i ends at the nearest double', (index, schema, expected) => {
    expect(exponentialBound(index, schema)).toBe(expected)
  })

  it('finer schemas share the bounds of coarser ones', () => {
    for (let index = -600; index < 600; index++) expect(exponentialBound(2 * index, 6)).toBe(exponentialBound(index, 5))
  })
})

describe('spans', () => {
  it('become indexes, without empty buckets', () => {
    const counts = countsOfDeltas([1, 1, -2, 3])
    expect(
      listOf(
        bucketsOfSpans(
          [
            { offset: -2, length: 3 },
            { offset: 4, length: 1 }
          ],
          counts,
          0
        )
      )
    ).toEqual([
      [-2, 1],
      [-1, 2],
      [5, 3]
    ])
  })

  it.each([
    ['fewer counts than buckets', [{ offset: 0, length: 2 }], [1]],
    [
      'spans that go back',
      [
        { offset: 0, length: 1 },
        { offset: -1, length: 1 }
      ],
      [1, 1]
    ],
    ['an index beyond all numbers', [{ offset: 600_000, length: 1 }], [1]],
    ['more buckets than are kept', [{ offset: 0, length: MAX_BUCKETS + 1 }], Array.from({ length: MAX_BUCKETS + 1 }, () => 1)]
  ])('refuses %s', (_, spans, counts) => {
    expect(() => bucketsOfSpans(spans, counts, 0)).toThrow(InvalidHistogram)
  })

  it('reach further in a finer schema, to the last index that senders can write', () => {
    const at = (offset: number, finer: number) => [...bucketsOfSpans([{ offset, length: 1 }], [1], finer).indexes]
    expect(at(600_000, 1)).toEqual([600_000])
    expect(at(2 ** 31 - 2, 44)).toEqual([2 ** 31 - 2])
    expect(() => at(2 ** 31 - 1, 44)).toThrow(InvalidHistogram)
  })

  it('takes as many buckets as are kept', () => {
    const counts = Array.from({ length: MAX_BUCKETS }, () => 1)
    expect(bucketsOfSpans([{ offset: 0, length: MAX_BUCKETS }], counts, 0).counts).toHaveLength(MAX_BUCKETS)
  })
})

describe('downscaling', () => {
  it('keeps every observation and its place', () => {
    const fine = toBuckets([
      [-3, 1],
      [-2, 2],
      [-1, 3],
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7]
    ])
    expect(listOf(downscaleBuckets(fine, 1))).toEqual([
      [-1, 3],
      [0, 7],
      [1, 11],
      [2, 7]
    ])
    expect(listOf(downscaleBuckets(fine, 40))).toEqual([
      [0, 10],
      [1, 18]
    ])
  })
})

describe('checking', () => {
  const custom = { ...EMPTY, schema: CUSTOM_SCHEMA, bounds: Float64Array.of(1, 2), positive: toBuckets([[2, 1]]) }
  const filled = (count: number) => toBuckets(Array.from({ length: count }, (_, i) => [i, 1] as const))

  it('takes exponential and custom buckets', () => {
    checkHistogram({ ...EMPTY, positive: toBuckets([[1, 3]]), negative: toBuckets([[1, 3]]), count: 6, sum: NaN })
    checkHistogram(custom)
  })

  it('takes as many buckets on both sides together as are kept', () => {
    checkHistogram({ ...EMPTY, positive: filled(MAX_BUCKETS - 2), negative: filled(2) })
  })

  it.each<[string, Partial<NativeHistogram>]>([
    ['an unknown schema', { schema: 9 }],
    ['a negative count', { count: -1 }],
    ['more buckets on both sides together than are kept', { positive: filled(MAX_BUCKETS - 1), negative: filled(2) }],
    ['a negative bucket', { positive: toBuckets([[1, -3]]) }],
    ['a negative zero bucket', { zeroCount: -1 }],
    ['a zero threshold that is not a number', { zeroThreshold: NaN }],
    ['bounds of exponential buckets', { bounds: Float64Array.of(1) }],
    ['a bucket without a bound', { ...custom, positive: toBuckets([[3, 1]]) }],
    ['bounds that fall', { ...custom, bounds: Float64Array.of(2, 1) }],
    ['a bound at infinity', { ...custom, bounds: Float64Array.of(1, Infinity) }],
    ['a bound that is NaN', { ...custom, bounds: Float64Array.of(NaN, 2) }],
    ['a zero bucket next to custom ones', { ...custom, zeroCount: 1 }],
    ['negative custom buckets', { ...custom, negative: toBuckets([[1, 1]]) }]
  ])('refuses %s', (_, wrong) => {
    expect(() => checkHistogram({ ...EMPTY, ...wrong })).toThrow(InvalidHistogram)
  })
})
