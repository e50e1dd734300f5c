import { expect, it } from '@jest/globals'
import type { SeriesSamples } from '../../../src/domain/metric-point.js'
import type { EncodedHistogram } from '../../../src/domain/native-histogram/encode.js'
import { decodeSamples, encodeSamples, packSamples, unpackSamples } from '../../../src/stores/duckdb/wire/packed-samples.js'

const STALE = 0x7ff0000000000002n

function series(name: string, times: readonly bigint[], more: Partial<SeriesSamples> = {}): SeriesSamples {
  const values = new Float64Array(BigUint64Array.from(times, (_, i) => (i % 2 === 0 ? STALE : 0x7ff8000000000000n)).buffer)
  return { name, type: 'gauge', labels: [], timestampsNs: BigInt64Array.from(times), values, ...more }
}

function withBits(all: readonly SeriesSamples[]): readonly unknown[] {
  return all.map(one => ({
    ...one,
    timestampsNs: [...one.timestampsNs],
    values: Array.from(one.values, (_, i) => new DataView(one.values.buffer, one.values.byteOffset).getBigUint64(8 * i, true))
  }))
}

const histograms = new Map([[1, 'a histogram' as EncodedHistogram]])
const sent = [
  series('plain', [1n, 2n, 3n], { type: 'counter', labels: [{ name: 'a', value: 'ä' }] }),
  series('folded', [-1n, 2n ** 62n], { isAggregated: true }),
  series('none', []),
  series('histograms', [5n, 6n], {
    histograms,
    labels: [
      { name: 'a', value: '' },
      { name: 'b', value: 'a' }
    ]
  })
]

function crossed(all: readonly SeriesSamples[], offset = 0): SeriesSamples[] {
  const bytes = Buffer.concat(encodeSamples(packSamples(all)))
  const memory = Buffer.alloc(offset + bytes.length)
  bytes.copy(memory, offset)
  return unpackSamples(decodeSamples(memory.subarray(offset)))
}

it.each([0, 8, 9])('series cross the pipe bit for bit, from %i bytes behind the start of memory', offset => {
  expect(withBits(crossed(sent, offset))).toEqual(withBits(sent))
  expect(crossed([], offset)).toEqual([])
})

it('samples are not copied on their way where one series follows the other', () => {
  const times = BigInt64Array.of(1n, 2n, 3n, 4n)
  const values = Float64Array.of(1, 2, 3, 4)
  const part = (from: number, to: number): SeriesSamples => {
    return { ...series('x', []), timestampsNs: times.subarray(from, to), values: values.subarray(from, to) }
  }
  const following = packSamples([part(1, 3), part(3, 3), part(3, 4)])
  expect([following.timestampsNs.buffer, following.values.buffer]).toEqual([times.buffer, values.buffer])
  expect([following.timestampsNs.buffer === times.buffer, following.values.buffer === values.buffer]).toEqual([true, true])
  expect([...following.timestampsNs]).toEqual([2n, 3n, 4n])
  const [, , last] = encodeSamples(following)
  expect(last!.buffer).toBe(values.buffer)
  for (const apart of [
    [part(0, 1), part(2, 3)],
    [part(1, 2), part(0, 1)]
  ]) {
    const packed = packSamples(apart)
    expect(packed.values.buffer).not.toBe(values.buffer)
    expect([...packed.timestampsNs]).toEqual(apart.flatMap(({ timestampsNs }) => [...timestampsNs]))
  }
})

it('samples are in the memory of their message', () => {
  const bytes = Buffer.concat(encodeSamples(packSamples(sent)))
  const memory = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(memory)
  for (const { values, timestampsNs } of unpackSamples(decodeSamples(memory))) {
    expect([values.buffer === memory.buffer, timestampsNs.buffer === memory.buffer]).toEqual([true, true])
  }
})

it('a message that is cut short is refused', () => {
  const bytes = Buffer.concat(encodeSamples(packSamples(sent)))
  expect(() => decodeSamples(bytes.subarray(0, -1))).toThrow('truncated')
})
