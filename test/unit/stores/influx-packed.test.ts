import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type FoundSamples, packSamples, unpackSamples } from '../../../src/stores/influxdb/read/packed-samples.js'
import { packRequestedSeries, unpackRequestedSeries } from '../../../src/stores/influxdb/read/requested-series.js'
import { storedSeriesKey } from '../../../src/stores/influxdb/series/series.js'
import type { EncodedHistogram } from '../../../src/domain/native-histogram/encode.js'

const { signal: NEVER } = new AbortController()
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('', ':', '1:a', '12', '😀', '\ud800'))
const filled = text.map(value => `${value}x`)
const identity = fc.record({
  name: text,
  labels: fc.array(fc.record({ name: text, value: filled }), { maxLength: 4 })
})

describe('series on their way to a thread', () => {
  it('are what they were, with the key that they had', () => {
    fc.assert(
      fc.property(fc.array(identity, { maxLength: 5 }), all => {
        const series = all.map(one => ({ ...one, key: storedSeriesKey(one) }))
        expect(unpackRequestedSeries(structuredClone(packRequestedSeries(series)))).toEqual(series)
      })
    )
  })
})

const series = fc.record({
  bits: fc.array(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), { maxLength: 6 }),
  strings: fc.array(fc.option(fc.base64String(), { nil: null }), { maxLength: 6 }),
  isAggregated: fc.boolean(),
  isFound: fc.boolean()
})

/** Views into larger memory, as readers leave them. */
function foundOf({
  bits,
  strings,
  isAggregated
}: {
  bits: bigint[]
  strings: (string | null)[]
  isAggregated: boolean
}): FoundSamples {
  const timestampsNs = BigInt64Array.from([0n, ...bits.map((_, i) => BigInt(i) - 2n), 0n]).subarray(1, bits.length + 1)
  const values = new Float64Array(BigInt64Array.from([0n, ...bits, 0n]).buffer).subarray(1, bits.length + 1)
  const histograms = new Map(
    strings.flatMap((one, i) => (one === null || i >= bits.length ? [] : [[i, one as EncodedHistogram] as const]))
  )
  return { timestampsNs, values, ...(isAggregated && { isAggregated }), ...(histograms.size > 0 && { histograms }) }
}

const bitsOf = (values: Float64Array): bigint[] => [...new BigInt64Array(values.slice().buffer)]

describe('samples on their way from a thread', () => {
  it('are what they were, bit by bit, of the series that have some', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(series, { maxLength: 6 }), async sketches => {
        const found = sketches.map(sketch => (sketch.isFound ? foundOf(sketch) : undefined))
        const requested = sketches.map((_, i) => ({ name: `m${i}`, type: 'gauge' as const, labels: [] }))
        const read = await unpackSamples(requested, structuredClone(await packSamples(found, NEVER)), NEVER)
        const readable = read.map(({ timestampsNs, values, ...rest }) => [[...timestampsNs], bitsOf(values), rest])
        const expected = found.flatMap((one, i) => {
          if (one === undefined || one.values.length === 0) return []
          const { timestampsNs, values, ...rest } = one
          return [[[...timestampsNs], bitsOf(values), { ...requested[i], ...rest }]]
        })
        expect(readable).toEqual(expected)
      })
    )
  })

  it('hold no more memory than they are', async () => {
    const found = foundOf({ bits: Array.from({ length: 1_000 }, () => 1n), strings: [], isAggregated: false })
    const [one, other] = await unpackSamples(
      [1, 2].map(i => ({ name: `m${i}`, type: 'gauge' as const, labels: [] })),
      await packSamples([found, found], NEVER),
      NEVER
    )
    expect(one!.values.buffer.byteLength).toBe(2_000 * 8)
    expect(other!.values.buffer).toBe(one!.values.buffer)
  })

  it('yield, and stop with their reader', async () => {
    const many = Array.from({ length: 10_000 }, () => foundOf({ bits: [1n], strings: [], isAggregated: false }))
    const leaving = new AbortController()
    const packing = packSamples(many, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(packing).rejects.toThrow('gone')
    const packed = await packSamples(many, NEVER)
    const requested = many.map((_, i) => ({ name: `m${i}`, type: 'gauge' as const, labels: [] }))
    const unpacking = new AbortController()
    const reading = unpackSamples(requested, packed, unpacking.signal)
    unpacking.abort(new Error('gone too'))
    await expect(reading).rejects.toThrow('gone too')
  })
})
