import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { SeriesSamples } from '../../../src/domain/metric-point.js'
import type { MetricStore } from '../../../src/ports/metric-store.js'
import { cachedSelects } from '../../../src/stores/metrics/cached-selects.js'
import { sliceSamples } from '../../../src/stores/metrics/sample-slices.js'

const NS = 'n1' as NamespaceId
const NEVER = new AbortController().signal
const SAMPLE_BYTES = 16
const STALE = 0x7ff0000000000002n

/** Series `a` at 0, 1, 2, ... and series `b` once, all in the memory of one message, as a store process sends them. */
function oneMessage(count: number, lastOfB: bigint): readonly SeriesSamples[] {
  const message = new ArrayBuffer((count + 1) * SAMPLE_BYTES)
  const timestampsNs = new BigInt64Array(message, 0, count + 1)
  const bits = new BigUint64Array(message, timestampsNs.byteLength)
  for (let i = 0; i < count; i++) timestampsNs[i] = BigInt(i)
  timestampsNs[count] = lastOfB
  bits[count] = STALE
  return ['a', 'b'].map((name, i) => {
    const [from, to] = i === 0 ? [0, count] : [count, count + 1]
    const values = new Float64Array(message, bits.byteOffset).subarray(from, to)
    return { name, type: 'gauge', labels: [], timestampsNs: timestampsNs.subarray(from, to), values }
  })
}

function open(all: readonly SeriesSamples[]) {
  const requested: string[] = []
  const select: MetricStore['select'] = async (_ns, { range }) => {
    requested.push(`${range.startNs}-${range.endNs}`)
    return sliceSamples(all, range)
  }
  const cached = cachedSelects({ select } as unknown as MetricStore, 1e6, { monotonicMs: () => 0 })
  const read = (startNs: bigint, endNs: bigint) =>
    cached.select(NS, { matchers: [], range: { startNs, endNs }, maxSeries: 10, maxSamples: 1e6 }, NEVER)
  return { requests: requested, read }
}

function bytesBehind(series: readonly SeriesSamples[]): number {
  const buffers = new Set(series.flatMap(({ timestampsNs, values }) => [timestampsNs.buffer, values.buffer]))
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

it('samples that are remembered do not keep the message in memory of which they are left', async () => {
  const { requests: requested, read } = open(oneMessage(1_000, 999n))
  await read(0n, 1_000n)
  await read(999n, 1_900n)
  await read(1_899n, 2_850n)
  const found = await read(999n, 2_850n)
  expect(requested).toEqual(['0-1000', '1000-1900', '1900-2850'])
  expect(found.map(({ name, timestampsNs }) => [name, timestampsNs.length])).toEqual([
    ['a', 1],
    ['b', 1]
  ])
  // Samples within twice the longest requested time: from 850 on.
  expect(bytesBehind(found)).toBe(151 * SAMPLE_BYTES)
  expect(new BigUint64Array(found[1]!.values.slice().buffer)[0]).toBe(STALE)
})

it('samples that take most of their message are remembered in place', async () => {
  const all = oneMessage(1_000, 999n)
  const { requests: requested, read } = open(all)
  await read(0n, 1_000n)
  expect((await read(0n, 1_000n)).map(({ values }) => values.buffer)).toEqual(all.map(({ values }) => values.buffer))
  expect(requested).toEqual(['0-1000'])
})

it('samples count with all of the memory that they keep', async () => {
  // Held: 240,016 bytes, of which 1.1 times fit into an entry; used: two thirds of them.
  const { requests: requested, read } = open(oneMessage(15_000, 14_999n))
  await read(0n, 10_000n)
  await read(0n, 10_000n)
  expect(requested).toEqual(['0-10000'])
  const larger = open(oneMessage(20_000, 19_999n))
  await larger.read(0n, 11_000n)
  await larger.read(0n, 11_000n)
  expect(larger.requests).toEqual(['0-11000', '0-11000'])
})
