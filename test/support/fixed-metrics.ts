import type { SeriesSamples } from '../../src/domain/metric-point.js'
import { type EncodedHistogram, encodeHistogram } from '../../src/domain/native-histogram/encode.js'
import type { NativeHistogram } from '../../src/domain/native-histogram/native-histogram.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { seriesTest } from '../../src/stores/metrics/label-matching.js'

/** Samples as a test writes them: milliseconds and a value, or the mark of a series that ended. */
export interface FixedSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly samples: readonly (readonly [timeMs: number, value: number | 'stale' | NativeHistogram])[]
}

const STALE_NAN = 0x7ff0000000000002n
const NS_PER_MS = 1_000_000n

function toSamples({ labels, samples }: FixedSeries, startNs: bigint, endNs: bigint): SeriesSamples {
  const within = samples.filter(([ms]) => BigInt(ms) * NS_PER_MS >= startNs && BigInt(ms) * NS_PER_MS < endNs)
  const values = new Float64Array(within.length)
  const bits = new BigUint64Array(values.buffer)
  const histograms = new Map<number, EncodedHistogram>()
  for (const [i, [, value]] of within.entries()) {
    if (value === 'stale') bits[i] = STALE_NAN
    else if (typeof value === 'number') values[i] = value
    else {
      values[i] = Number.NaN
      histograms.set(i, encodeHistogram(value))
    }
  }
  const { __name__: name = '', ...others } = labels
  const pairs = Object.entries(others).map(([label, value]) => ({ name: label, value }))
  return {
    name,
    type: 'gauge',
    labels: pairs.sort((a, b) => (a.name < b.name ? -1 : 1)),
    timestampsNs: BigInt64Array.from(within, ([ms]) => BigInt(ms) * NS_PER_MS),
    values,
    ...(histograms.size > 0 && { histograms })
  }
}

/** The reading side of a metric store that holds just these series. */
export function fixedMetrics(series: readonly FixedSeries[]): Pick<MetricStore, 'select'> {
  return {
    select: async (_ns, { matchers, range }) => {
      const matches = seriesTest(matchers)
      return series.map(one => toSamples(one, range.startNs, range.endNs)).filter(matches)
    }
  }
}
