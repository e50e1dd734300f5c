import { expect, it } from '@jest/globals'
import type { SeriesSamples } from '../../src/domain/metric-point.js'
import { type EncodedHistogram, encodeHistogram } from '../../src/domain/native-histogram/encode.js'
import { NO_BOUNDS } from '../../src/domain/native-histogram/native-histogram.js'
import { toBuckets } from '../support/to-buckets.js'
import { select, type Sketch, store } from './metric-fixtures.js'
import { BASE_NS, describeStores, newNamespace, type OpenStores } from './store-under-test.js'

/** Times, and the value or the histogram of each. */
function cells(series: readonly SeriesSamples[]): unknown {
  return series.map(({ timestampsNs, values, histograms }) =>
    Array.from(values, (value, i) => [Number(timestampsNs[i]! - BASE_NS), histograms?.get(i) ?? value])
  )
}

const [FIRST, SECOND] = [1, 2].map(times =>
  encodeHistogram({
    schema: 3,
    count: 7 * times,
    sum: 0.1 * times,
    zeroThreshold: 1e-128,
    zeroCount: times,
    positive: toBuckets(Array.from({ length: 200 }, (_, i) => [i * 3 - 100, i + times] as const)),
    negative: toBuckets([[-5, 0.5 * times]]),
    bounds: NO_BOUNDS,
    hint: 'gauge'
  })
) as [EncodedHistogram, EncodedHistogram]

/** Native histograms among the samples of series. */
export function histogramsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: native histograms`, open, of => {
    it('keeps native histograms as they are, next to numbers of the same series', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, [
        { at: 1, histogram: FIRST },
        { at: 2, value: 2 },
        { at: 3, value: Number.NaN },
        { at: 4, histogram: SECOND },
        { at: 9, labels: { host: 'a' }, histogram: FIRST },
        { at: 9, labels: { host: 'b' }, value: 5 }
      ])
      const found = await select(of().metrics, ns)
      expect(cells(found)).toEqual([
        [
          [1, FIRST],
          [2, 2],
          [3, Number.NaN],
          [4, SECOND]
        ],
        [[9, FIRST]],
        [[9, 5]]
      ])
      expect(found.map(({ histograms }) => histograms !== undefined)).toEqual([true, true, false])
      const range = { startNs: BASE_NS + 4n, endNs: BASE_NS + 9n }
      expect(cells(await select(of().metrics, ns, { range }))).toEqual([[[4, SECOND]]])
    })

    it('lets the last sample of one series and time win, whether number or histogram', async () => {
      const ns = newNamespace()
      const write = (...sketches: readonly Sketch[]) => store(of().metrics, ns, sketches)
      await write({ at: 1, value: 1 }, { at: 2, histogram: FIRST }, { at: 3, histogram: FIRST }, { at: 4, histogram: FIRST })
      await write({ at: 1, histogram: FIRST }, { at: 2, value: 2 }, { at: 3, histogram: SECOND }, { at: 4, value: Number.NaN })
      expect(cells(await select(of().metrics, ns))).toEqual([
        [
          [1, FIRST],
          [2, 2],
          [3, SECOND],
          [4, Number.NaN]
        ]
      ])
      await write({ at: 2, histogram: SECOND })
      expect(cells(await select(of().metrics, ns, { range: { startNs: BASE_NS + 2n, endNs: BASE_NS + 3n } }))).toEqual([
        [[2, SECOND]]
      ])
    })

    it('deletes native histograms with their series, and takes older ones again', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, [
        { at: 1, histogram: FIRST },
        { at: 5, histogram: SECOND }
      ])
      await of().metrics.deleteBefore(ns, BASE_NS + 3n)
      expect(cells(await select(of().metrics, ns))).toEqual([[[5, SECOND]]])
      await store(of().metrics, ns, [{ at: 2, histogram: FIRST }])
      expect(cells(await select(of().metrics, ns))).toEqual([
        [
          [2, FIRST],
          [5, SECOND]
        ]
      ])
      await of().metrics.dropNamespace(ns)
      expect(await select(of().metrics, ns)).toEqual([])
    })

    it('counts native histograms by their size', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, [{ at: 1, histogram: FIRST }])
      const samples = Math.ceil(FIRST.length / 16)
      expect(await select(of().metrics, ns, { maxSamples: samples })).toHaveLength(1)
      await expect(select(of().metrics, ns, { maxSamples: samples - 1 })).rejects.toMatchObject({ code: 'query_unsupported' })
    })
  })
}
