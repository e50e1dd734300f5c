import { expect, it } from '@jest/globals'
import { deserialize, serialize } from 'node:v8'
import type { SeriesSamples } from '../../../src/domain/metric-point.js'
import type { EncodedHistogram } from '../../../src/domain/native-histogram/encode.js'
import { packSamples, unpackSamples } from '../../../src/stores/duckdb/wire/packed-samples.js'

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

it('series cross the pipe bit for bit', () => {
  const histograms = new Map([[1, 'a histogram' as EncodedHistogram]])
  const sent = [
    series('plain', [1n, 2n, 3n], { type: 'counter', labels: [{ name: 'a', value: 'ä' }] }),
    series('folded', [-1n, 2n ** 62n], { isFolded: true }),
    series('none', []),
    series('histograms', [5n, 6n], {
      histograms,
      labels: [
        { name: 'a', value: '' },
        { name: 'b', value: 'x' }
      ]
    })
  ]
  const received = unpackSamples(deserialize(serialize(packSamples(sent))) as ReturnType<typeof packSamples>)
  expect(withBits(received)).toEqual(withBits(sent))
  expect(unpackSamples(packSamples([]))).toEqual([])
})
